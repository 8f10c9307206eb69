// Twin of measure: the mean of L over one block.
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let x_begin = at.x * params.step;
  let y_begin = at.y * params.step;
  let x_end = min(x_begin + params.step, params.width);
  let y_end = min(y_begin + params.step, params.height);
  var total = 0.0f;
  for (var y = y_begin; y < y_end; y += 1u) {
    var sum = 0.0f;
    for (var x = x_begin; x < x_end; x += 1u) {
      let i = input0_index(x, y) * 3u;
      sum += log_luminance(scene[i], scene[i + 1u], scene[i + 2u]);
    }
    total += sum;
  }
  output[output_index(at.x, at.y)] = total / f32((x_end - x_begin) * (y_end - y_begin));
}
