// Twin of grading.h.

fn grading_sum(values: vec4<f32>, shadows: f32, midtones: f32, highlights: f32) -> f32 {
  return values.x * shadows + values.y * midtones + values.z * highlights + values.w;
}

fn grading(p: GradingParams, lab: vec3<f32>, at: Pixel) -> vec3<f32> {
  let shadows = 1.0f - smooth_step((lab.r - p.shadows_end) * p.inverse_width);
  let highlights = smooth_step((lab.r - p.highlights_start) * p.inverse_width);
  let midtones = 1.0f - shadows - highlights;
  let inside = unit(lab.r);
  let room = smooth_step(4.0f * inside) * smooth_step(8.0f * (1.0f - inside));
  let light = inside * (1.0f - inside) * grading_sum(p.light[0], shadows, midtones, highlights);
  return vec3<f32>(lab.r + light, lab.g + room * grading_sum(p.tint_a[0], shadows, midtones, highlights),
                   lab.b + room * grading_sum(p.tint_b[0], shadows, midtones, highlights));
}
