// Twin of black_white.h.

fn black_white(p: BlackWhiteParams, lab: vec3<f32>, at: Pixel) -> vec3<f32> {
  let mix = band_value(p.red, p.next, band_steps(lab.g, lab.b));
  return vec3<f32>(lab.r * (1.0f + mix * colourfulness(lab.g, lab.b)), 0.0f, 0.0f);
}
