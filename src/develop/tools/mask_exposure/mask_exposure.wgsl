// Twin of mask_exposure.h.

fn mask_exposure(p: MaskExposureParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let gain = poly_exp2(at.local_ev);
  return vec3<f32>(v.r * gain, v.g * gain, v.b * gain);
}
