// Twin of calibration.h.

fn calibration(p: CalibrationParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let tint = p.shadow_tint * (1.0f - smooth_step(4.0f * working_luminance(v)));
  let r = v.r + v.r * (0.5f * tint);
  let g = v.g - v.g * (0.5f * tint);
  let b = v.b + v.b * (0.5f * tint);
  return vec3<f32>(r + p.red_from_green * (g - r) + p.red_from_blue * (b - r),
                   g + p.green_from_red * (r - g) + p.green_from_blue * (b - g),
                   b + p.blue_from_red * (r - b) + p.blue_from_green * (g - b));
}
