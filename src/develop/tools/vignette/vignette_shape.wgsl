// Twin of the shared part of vignette.h.

fn vignette_mask(exponent: f32, inverse_exponent: f32, scale_x: f32, scale_y: f32, inverse_size: f32, start: f32, inverse_width: f32, at: Pixel) -> f32 {
  let x = poly_pow(select(at.frame_x, -at.frame_x, at.frame_x < 0.0f) * scale_x, exponent);
  let y = poly_pow(select(at.frame_y, -at.frame_y, at.frame_y < 0.0f) * scale_y, exponent);
  let distance = poly_pow(x + y, inverse_exponent) * inverse_size;
  return smooth_step((distance - start) * inverse_width);
}

fn vignette_keep(amount: f32, highlights: f32, v: vec3<f32>) -> f32 {
  let keep = 1.0f - highlights * smooth_step((working_luminance(v) - 0.18f) * 1.2195122f);
  return select(1.0f, keep, amount < 0.0f);
}
