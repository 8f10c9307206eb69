// First level of frame_mean: one u32 per row of the grid (30720 * 65535 fits).
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  var sum = 0u;
  for (var x = 0u; x < params.grid_width; x += 1u) {
    sum += mean_units(grid[input0_index(x, at.y)]);
  }
  output[output_index(0u, at.y)] = sum;
}
