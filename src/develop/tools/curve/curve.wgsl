// Twin of curve.h. The table is bound as curve_table.

fn curve_channel(start: i32, linear: f32) -> f32 {
  let place = srgb_encoded_from_linear(unit(linear)) * 4095.0f;
  let whole = i32(place);
  let index = select(4094, whole, whole < 4094);
  let low = curve_table[start + index];
  let high = curve_table[start + index + 1];
  return linear_from_srgb_encoded(low + (place - f32(index)) * (high - low));
}

fn curve_refined(p: CurveParams, v: vec3<f32>) -> vec3<f32> {
  let x = vec3<f32>(unit(v.r), unit(v.g), unit(v.b));
  let m = vec3<f32>(curve_channel(12288, x.r), curve_channel(12288, x.g), curve_channel(12288, x.b));
  let gain = working_luminance(m) / larger(working_luminance(x), 1e-6f);
  return vec3<f32>(m.r + p.more_saturation * (m.r - x.r * gain), m.g + p.more_saturation * (m.g - x.g * gain),
                   m.b + p.more_saturation * (m.b - x.b * gain));
}

fn curve(p: CurveParams, input: vec3<f32>, at: Pixel) -> vec3<f32> {
  var v = input;
  if (p.refined != 0u) { v = curve_refined(p, v); }
  return vec3<f32>(curve_channel(0, v.r), curve_channel(4096, v.g), curve_channel(8192, v.b));
}
