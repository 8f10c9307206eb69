// Twin of weigh_rows.
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let taps = params.tap_count;
  let start = starts[at.y];
  var rgb = vec3<f32>(0.0);
  for (var k = 0u; k < taps; k += 1u) {
    let pixel = input0_index(at.x, start + k) * 3u;
    rgb += weights[at.y * taps + k] * vec3<f32>(source[pixel], source[pixel + 1u], source[pixel + 2u]);
  }
  let to = output_index(at.x, at.y) * 3u;
  output[to] = rgb.x;
  output[to + 1u] = rgb.y;
  output[to + 2u] = rgb.z;
}
