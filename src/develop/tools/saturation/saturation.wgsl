// Twin of saturation.h.

fn vibrance_share(a: f32, b: f32) -> f32 {
  let square = a * a + b * b;
  let muted = 1.0f / (1.0f + 69.44444f * square);
  let along = (0.61566148f * a + 0.78801075f * b) / larger(sqrt(square), 1e-12f);
  let skin = smooth_step((along - 0.78801075f) * 4.944197f);
  return muted * (1.0f - 0.7f * skin);
}

fn saturation(p: SaturationParams, lab: vec3<f32>, at: Pixel) -> vec3<f32> {
  let gain = p.gain * (1.0f + p.vibrance * vibrance_share(lab.g, lab.b));
  return vec3<f32>(lab.r, lab.g * gain, lab.b * gain);
}
