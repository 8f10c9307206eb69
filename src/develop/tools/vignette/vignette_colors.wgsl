// Twin of vignette.h.

fn vignette_colors(p: VignetteColorsParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let mask = vignette_mask(p.exponent, p.inverse_exponent, p.scale_x, p.scale_y, p.inverse_size, p.start, p.inverse_width, at);
  let gain = poly_exp2(p.amount * mask * vignette_keep(p.amount, p.highlights, v));
  let brightest = unit(larger(larger(v.r, v.g), v.b));
  let scale = select(gain, gain / (1.0f + (gain - 1.0f) * brightest), gain > 1.0f);
  return v * scale;
}
