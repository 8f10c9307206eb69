// Twin of log_luminance.h; needs base/math.wgsl in front.
fn log_luminance(red: f32, green: f32, blue: f32) -> f32 {
  let y = (0.2627f * red + 0.6780f * green) + 0.0593f * blue;
  let is_nan = (bitcast<u32>(y) & 0x7fffffffu) > 0x7f800000u;
  let above = select(6.103515625e-5f, y, y > 6.103515625e-5f && !is_nan);
  return poly_log2(select(65536.0f, above, above < 65536.0f));
}

fn mean_units(stops: f32) -> u32 {
  return u32((stops + 14.0f) * 1024.0f + 0.5f);
}

fn stops_from_units(units: u32) -> f32 {
  return f32(units) * 0.0009765625f - 14.0f;
}
