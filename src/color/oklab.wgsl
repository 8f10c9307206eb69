// Twin of oklab.h; needs math.wgsl in front. Vectors hold (lightness, a, b) and linear Rec.2020 (r, g, b).

fn oklab_from_working(linear: vec3<f32>) -> vec3<f32> {
  let l = 0.6167558f * linear.x + 0.3601984f * linear.y + 0.023045814f * linear.z;
  let m = 0.26513305f * linear.x + 0.63583934f * linear.y + 0.099027574f * linear.z;
  let s = 0.10010263f * linear.x + 0.20390652f * linear.y + 0.69599086f * linear.z;
  let l_root = poly_cbrt(l);
  let m_root = poly_cbrt(m);
  let s_root = poly_cbrt(s);
  return vec3<f32>(
    0.21045426f * l_root + 0.7936178f * m_root - 0.004072047f * s_root,
    1.9779985f * l_root - 2.4285922f * m_root + 0.4505937f * s_root,
    0.025904037f * l_root + 0.78277177f * m_root - 0.80867577f * s_root);
}

fn working_from_oklab(lab: vec3<f32>) -> vec3<f32> {
  let l_root = lab.x + 0.39633778f * lab.y + 0.21580376f * lab.z;
  let m_root = lab.x - 0.105561346f * lab.y - 0.06385417f * lab.z;
  let s_root = lab.x - 0.089484185f * lab.y - 1.2914855f * lab.z;
  let l = l_root * l_root * l_root;
  let m = m_root * m_root * m_root;
  let s = s_root * s_root * s_root;
  return vec3<f32>(
    2.1399066f * l - 1.2463895f * m + 0.106482774f * s,
    -0.8847359f * l + 2.163231f * m - 0.27849513f * s,
    -0.04857376f * l - 0.45450315f * m + 1.5030769f * s);
}
