// Twin of oklab.h.

fn from_oklab(p: FromOklabParams, lab: vec3<f32>, at: Pixel) -> vec3<f32> {
  let l_root = lab.r + 0.39633778f * lab.g + 0.21580376f * lab.b;
  let m_root = lab.r - 0.105561346f * lab.g - 0.06385417f * lab.b;
  let s_root = lab.r - 0.089484185f * lab.g - 1.2914855f * lab.b;
  let l = l_root * l_root * l_root;
  let m = m_root * m_root * m_root;
  let s = s_root * s_root * s_root;
  return vec3<f32>(l - 1.2463895f * (m - l) + 0.106482774f * (s - l), m - 0.8847359f * (l - m) - 0.27849513f * (s - m),
                   s - 0.04857376f * (l - s) - 0.45450315f * (m - s));
}
