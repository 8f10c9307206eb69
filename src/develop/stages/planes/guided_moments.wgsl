// Twin of moments_row.
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let mean = frame_mean[input1_index(0u, 0u)];
  let window = window_at(i32(at.x), i32(params.size));
  let row = i32(input0_index(0u, at.y));
  var first = 0.0f;
  var second = 0.0f;
  for (var i = window.first; i <= window.last; i += 1) {
    let d = grid[row + i] - mean;
    first += d;
    second += d * d;
  }
  if (window.has_low) {
    let d = grid[row + window.first - 1] - mean;
    first += params.edge * d;
    second += params.edge * (d * d);
  }
  if (window.has_high) {
    let d = grid[row + window.last + 1] - mean;
    first += params.edge * d;
    second += params.edge * (d * d);
  }
  let to = output_index(at.x, at.y) * 2u;
  output[to] = first / window.weight;
  output[to + 1u] = second / window.weight;
}
