// Twin of transfer.h; needs math.wgsl in front.

fn encode_srgb(linear: f32) -> f32 {
  return select(poly_pow(linear, 0.41666666f) * 1.055f - 0.055f, linear * 12.92f, linear <= 0.0031308f);
}

fn decode_srgb(encoded: f32) -> f32 {
  return select(poly_pow(encoded * 0.94786733f + 0.052132703f, 2.4f), encoded * 0.07739938f, encoded <= 0.04045f);
}

fn encode_rec709(linear: f32) -> f32 {
  return select(poly_pow(linear, 0.45f) * 1.0992968f - 0.09929682f, linear * 4.5f, linear < 0.018053968f);
}

fn decode_rec709(encoded: f32) -> f32 {
  return select(poly_pow(encoded * 0.9096724f + 0.09032757f, 2.2222223f), encoded * 0.22222222f,
                encoded < 0.08124286f);
}

fn encode_prophoto(linear: f32) -> f32 {
  return select(poly_pow(linear, 0.5555556f), linear * 16.0f, linear < 0.001953125f);
}

fn decode_prophoto(encoded: f32) -> f32 {
  return select(poly_pow(encoded, 1.8f), encoded * 0.0625f, encoded < 0.03125f);
}

fn encode_adobe_rgb(linear: f32) -> f32 {
  return poly_pow(linear, 0.4547069f);
}

fn decode_adobe_rgb(encoded: f32) -> f32 {
  return poly_pow(encoded, 2.1992188f);
}
