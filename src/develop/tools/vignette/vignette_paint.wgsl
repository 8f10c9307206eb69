// Twin of vignette.h.

fn vignette_paint(p: VignettePaintParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let mask = vignette_mask(p.exponent, p.inverse_exponent, p.scale_x, p.scale_y, p.inverse_size, p.start, p.inverse_width, at);
  let cover = p.amount * mask;
  let dark = poly_pow(1.0f + smaller(cover * vignette_keep(p.amount, p.highlights, v), 0.0f), 2.2f);
  let white = poly_pow(larger(cover, 0.0f), 2.2f);
  return v * dark + (1.0f - v) * white;
}
