// Twin of mean_row.
fn pair_at(x: i32, y: u32) -> vec2<f32> {
  let i = input0_index(u32(x), y) * 2u;
  return vec2<f32>(pairs[i], pairs[i + 1u]);
}

@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let window = window_at(i32(at.x), i32(params.size));
  var sum = vec2<f32>(0.0);
  for (var i = window.first; i <= window.last; i += 1) { sum += pair_at(i, at.y); }
  if (window.has_low) { sum += params.edge * pair_at(window.first - 1, at.y); }
  if (window.has_high) { sum += params.edge * pair_at(window.last + 1, at.y); }
  let to = output_index(at.x, at.y) * 2u;
  output[to] = sum.x / window.weight;
  output[to + 1u] = sum.y / window.weight;
}
