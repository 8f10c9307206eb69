// Second level of frame_mean: the sum of all rows in 64 bits, divided bit by bit. Exactly the CPU's integer.
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  var low = 0u;
  var high = 0u;
  for (var y = 0u; y < params.grid_height; y += 1u) {
    let next = low + row_sums[input0_index(0u, y)];
    if (next < low) { high += 1u; }
    low = next;
  }
  let count = params.grid_width * params.grid_height;  // below 2^31
  var remainder = 0u;
  var quotient = 0u;
  for (var bit = 0u; bit < 64u; bit += 1u) {
    remainder = (remainder << 1u) | (high >> 31u);
    high = (high << 1u) | (low >> 31u);
    low = low << 1u;
    quotient = quotient << 1u;
    if (remainder >= count) {
      remainder -= count;
      quotient |= 1u;
    }
  }
  output[output_index(at.x, at.y)] = stops_from_units(quotient);
}
