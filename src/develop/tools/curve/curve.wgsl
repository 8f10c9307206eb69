// Twin of curve.h. The table is bound as curve_table.

fn curve_channel(start: i32, linear: f32) -> f32 {
  let place = srgb_encoded_from_linear(unit(linear)) * 4095.0f;
  let whole = i32(place);
  let index = select(4094, whole, whole < 4094);
  let low = curve_table[start + index];
  let high = curve_table[start + index + 1];
  return linear_from_srgb_encoded(low + (place - f32(index)) * (high - low));
}

fn curve(p: CurveParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  return vec3<f32>(curve_channel(0, v.r), curve_channel(4096, v.g), curve_channel(8192, v.b));
}
