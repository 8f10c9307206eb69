// Second half of measure: the mean of L over one block.
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let y_begin = at.y * params.step;
  let y_end = min(y_begin + params.step, params.height);
  let columns = min(params.step, params.width - at.x * params.step);
  var sum = 0.0f;
  for (var y = y_begin; y < y_end; y += 1u) { sum += block_rows[input0_index(at.x, y)]; }
  output[output_index(at.x, at.y)] = sum / f32(columns * (y_end - y_begin));
}
