// Twin of mean_columns, and of coefficients_row when params.makes_coefficients is set.
fn pair_at(x: u32, y: i32) -> vec2<f32> {
  let i = input0_index(x, u32(y)) * 2u;
  return vec2<f32>(pairs[i], pairs[i + 1u]);
}

@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let window = window_at(i32(at.y), i32(params.size));
  var sum = vec2<f32>(0.0);
  for (var j = window.first; j <= window.last; j += 1) { sum += pair_at(at.x, j); }
  if (window.has_low) { sum += params.edge * pair_at(at.x, window.first - 1); }
  if (window.has_high) { sum += params.edge * pair_at(at.x, window.last + 1); }
  var pair = sum / window.weight;
  if (params.makes_coefficients != 0u) {
    let spread = pair.y - pair.x * pair.x;
    let variance = select(0.0f, spread, spread > 0.0f);
    let a = variance / (variance + params.epsilon);
    pair = vec2<f32>(a, (1.0f - a) * pair.x);
  }
  let to = output_index(at.x, at.y) * 2u;
  output[to] = pair.x;
  output[to + 1u] = pair.y;
}
