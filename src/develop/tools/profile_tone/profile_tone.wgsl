fn profile_tone_value(start: u32, light: f32) -> f32 {
  let place = sqrt(unit(light)) * 4095.0f;
  let whole = i32(place);
  let index = select(4094, whole, whole < 4094);
  let low = curve_table[start + u32(index)];
  let high = curve_table[start + u32(index) + 1u];
  return low + (place - f32(index)) * (high - low);
}

fn profile_tone(p: ProfileToneParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let wide = prophoto_from_working(v);
  let x = vec3<f32>(unit(wide.r), unit(wide.g), unit(wide.b));
  let high = larger(x.r, larger(x.g, x.b));
  let low = smaller(x.r, smaller(x.g, x.b));
  let new_high = profile_tone_value(p.start, high);
  let new_low = profile_tone_value(p.start, low);
  let divisor = select(1.0f, high - low, high > low);
  let slope = (new_high - new_low) / divisor;
  return working_from_prophoto(
      vec3<f32>(new_low + (x.r - low) * slope, new_low + (x.g - low) * slope, new_low + (x.b - low) * slope));
}
