// Twin of oklab.h.

fn to_oklab(p: ToOklabParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let l = poly_cbrt(v.r + 0.3601984f * (v.g - v.r) + 0.023045814f * (v.b - v.r));
  let m = poly_cbrt(v.g + 0.26513305f * (v.r - v.g) + 0.099027574f * (v.b - v.g));
  let s = poly_cbrt(v.b + 0.10010263f * (v.r - v.b) + 0.20390652f * (v.g - v.b));
  return vec3<f32>(l + 0.7936178f * (m - l) - 0.004072047f * (s - l), 0.4505937f * (s - l) - 2.4285922f * (m - l),
                   0.78277177f * (m - l) - 0.80867577f * (s - l));
}
