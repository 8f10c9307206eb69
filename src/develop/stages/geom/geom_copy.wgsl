// Twin of copy_rows: every output pixel is one source pixel.
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = tiled_pixel(id);
  if (at.z == 0u) { return; }
  let column = floor_of(source_x(at.x, at.y));
  let row = floor_of(source_y(at.x, at.y));
  if (!is_own_row(row)) { return; }
  let from_index = input0_index(u32(column), u32(row)) * 3u;
  let to = output_index(at.x, at.y) * 3u;
  output[to] = source[from_index];
  output[to + 1u] = source[from_index + 1u];
  output[to + 2u] = source[from_index + 2u];
}
