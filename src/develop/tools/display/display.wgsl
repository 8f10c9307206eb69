// Twin of display.h.

fn display_curve(p: DisplayParams, x: f32) -> f32 {
  let power = poly_pow(x, p.contrast);
  return power / sqrt(power * power + p.grey_term);
}

fn display(p: DisplayParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let x = vec3<f32>(larger(v.r, 0.0f), larger(v.g, 0.0f), larger(v.b, 0.0f));
  let f = vec3<f32>(display_curve(p, x.r), display_curve(p, x.g), display_curve(p, x.b));

  let x_high = larger(larger(x.r, x.g), x.b);
  let x_low = smaller(smaller(x.r, x.g), x.b);
  let f_high = larger(larger(f.r, f.g), f.b);
  let f_low = smaller(smaller(f.r, f.g), f.b);
  let scale = (f_high - f_low) / larger(x_high - x_low, 1e-20f);
  let kept = vec3<f32>(f_low + (x.r - x_low) * scale, f_low + (x.g - x_low) * scale, f_low + (x.b - x_low) * scale);
  return vec3<f32>(f.r + p.hue_keep * (kept.r - f.r), f.g + p.hue_keep * (kept.g - f.g),
                   f.b + p.hue_keep * (kept.b - f.b));
}
