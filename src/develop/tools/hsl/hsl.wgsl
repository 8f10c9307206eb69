// Twin of hsl.h.

fn hsl(p: HslParams, lab: vec3<f32>, at: Pixel) -> vec3<f32> {
  let steps = band_steps(lab.g, lab.b);
  let turn = band_value(p.hue_red, p.hue_next, steps);
  let saturation = band_value(p.saturation_red, p.saturation_next, steps);
  let luminance = band_value(p.luminance_red, p.luminance_next, steps);
  let t2 = turn * turn;
  let sine = turn * (1.0f + t2 * (0.008333334f * t2 - 0.16666667f));
  let cosine = 1.0f + t2 * (t2 * (0.041666668f - 0.0013888889f * t2) - 0.5f);
  let light = 1.0f + luminance * colourfulness(lab.g, lab.b);
  let colour = light * (1.0f + saturation);
  return vec3<f32>(lab.r * light, (lab.g * cosine - lab.b * sine) * colour, (lab.b * cosine + lab.g * sine) * colour);
}
