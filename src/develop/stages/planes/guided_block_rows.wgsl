// First half of measure: the sum of L over one row of a block. Many short sums keep a GPU busy.
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let x_begin = at.x * params.step;
  let x_end = min(x_begin + params.step, params.width);
  var sum = 0.0f;
  for (var x = x_begin; x < x_end; x += 1u) {
    let i = input0_index(x, at.y) * 3u;
    sum += log_luminance(scene[i], scene[i + 1u], scene[i + 2u]);
  }
  output[output_index(at.x, at.y)] = sum;
}
