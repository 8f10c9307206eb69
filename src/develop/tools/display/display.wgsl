// Twin of display.h.

fn display_curve(p: DisplayParams, x: f32) -> f32 {
  let power = poly_pow(x, p.contrast);
  return power / sqrt(power * power + p.grey_term);
}

fn display(p: DisplayParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let high = larger(larger(v.r, v.g), v.b);
  let low = smaller(smaller(v.r, v.g), v.b);
  var excess = 1.0f;
  if (low < 0.0f && high > 0.0f) { excess = high / (high - low); }
  let inside = !(low < 0.0f);
  let x = vec3<f32>(select(larger(high - (high - v.r) * excess, 0.0f), v.r, inside),
                    select(larger(high - (high - v.g) * excess, 0.0f), v.g, inside),
                    select(larger(high - (high - v.b) * excess, 0.0f), v.b, inside));
  let f = vec3<f32>(display_curve(p, x.r), display_curve(p, x.g), display_curve(p, x.b));

  let f_high = larger(larger(f.r, f.g), f.b);
  let f_low = smaller(smaller(f.r, f.g), f.b);
  let floor_x = larger(low, 0.0f);
  let range = high - floor_x;
  var scale = 0.0f;
  if (range > 0.0f) { scale = (f_high - f_low) / range; }
  let kept = vec3<f32>(f_low + (x.r - floor_x) * scale, f_low + (x.g - floor_x) * scale,
                       f_low + (x.b - floor_x) * scale);
  return vec3<f32>(f.r + p.hue_keep * (kept.r - f.r), f.g + p.hue_keep * (kept.g - f.g),
                   f.b + p.hue_keep * (kept.b - f.b));
}
