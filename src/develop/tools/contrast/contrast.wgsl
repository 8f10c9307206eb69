// Twin of contrast.h.

fn contrast_stops(p: ContrastParams, e: f32) -> f32 {
  let white = smooth_step((e + 0.5f) * 0.22222222f);
  let black = smooth_step((-1.0f - e) * 0.16666667f);
  let ends = e + p.whites * white + p.blacks * black;
  let reach = ends * 0.2857143f;
  return ends + p.contrast * (ends / sqrt(1.0f + reach * reach));
}

fn contrast(p: ContrastParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let e = poly_log2(working_luminance(v)) + 2.4739313f;
  let gain = poly_exp2(contrast_stops(p, e) - e);
  return vec3<f32>(v.r * gain, v.g * gain, v.b * gain);
}
