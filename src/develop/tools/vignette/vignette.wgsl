// Twin of vignette.h.

fn vignette(p: VignetteParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let mask = vignette_mask(p.exponent, p.inverse_exponent, p.scale_x, p.scale_y, p.inverse_size, p.start, p.inverse_width, at);
  return v * poly_exp2(p.amount * mask * vignette_keep(p.amount, p.highlights, v));
}
