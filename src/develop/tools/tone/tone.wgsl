// Twin of tone.h.

fn tone_stops(p: ToneParams, e: f32) -> f32 {
  let hill = smooth_step((0.5f - e) * 0.2f) * smooth_step((e + 11.0f) * 0.16666667f);
  let rise = smooth_step((e + 0.5f) * 0.25f);
  return p.shadows * hill + p.highlights * rise;
}

fn tone(p: ToneParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let gain = poly_exp2(tone_stops(p, at.base_log2 + at.local_ev + p.offset));
  return vec3<f32>(v.r * gain, v.g * gain, v.b * gain);
}
