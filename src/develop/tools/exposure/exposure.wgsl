// Twin of exposure.h.

fn exposure(p: ExposureParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  return vec3<f32>(v.r * p.gain, v.g * p.gain, v.b * p.gain);
}
