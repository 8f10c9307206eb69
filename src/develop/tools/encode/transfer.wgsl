// Twin of transfer.h.

fn encoded_from_linear(slope: f32, threshold: f32, scale: f32, exponent: f32, offset: f32, linear: f32) -> f32 {
  let straight = linear * slope;
  let power = scale * poly_pow(linear, exponent) - offset;
  return select(power, straight, linear < threshold);
}

fn srgb_encoded_from_linear(linear: f32) -> f32 {
  return encoded_from_linear(12.92f, 0.0031308f, 1.055f, 0.41666666f, 0.055f, linear);
}

fn linear_from_srgb_encoded(encoded: f32) -> f32 {
  let straight = encoded * 0.07739938f;
  let power = poly_pow((encoded + 0.055f) * 0.94786733f, 2.4f);
  return select(power, straight, encoded < 0.040449936f);
}
