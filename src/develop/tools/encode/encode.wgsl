// Twin of encode.h.

fn encode_channel(p: EncodeParams, linear: f32) -> f32 {
  return unit(encoded_from_linear(p.slope, p.threshold, p.scale, p.exponent, p.offset, unit(linear)));
}

fn encode(p: EncodeParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  return vec3<f32>(encode_channel(p, v.r), encode_channel(p, v.g), encode_channel(p, v.b));
}
