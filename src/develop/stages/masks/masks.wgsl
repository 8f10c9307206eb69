// Twin of mask_rows: the words of one pixel. A row of `masks` holds t_origin, t_from_x, t_from_y as floats and invert.
fn mask_value(mask: u32, x: f32, y: f32) -> u32 {
  let i = mask * 4u;
  let t_origin = bitcast<f32>(masks[i]);
  let t_from_x = bitcast<f32>(masks[i + 1u]);
  let t_from_y = bitcast<f32>(masks[i + 2u]);
  let t = min(max((t_origin + y * t_from_y) + x * t_from_x, 0.0f), 1.0f);
  let ramp = t * t * (3.0f - 2.0f * t);
  let value = u32(ramp * 255.0f + 0.5f);
  return select(value, 255u - value, masks[i + 3u] != 0u);
}

@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let words = (params.mask_count + 3u) / 4u;
  let to = output_index(at.x, at.y) * words;
  for (var word = 0u; word < words; word += 1u) {
    var packed = 0u;
    for (var byte = 0u; byte < min(4u, params.mask_count - word * 4u); byte += 1u) {
      packed |= mask_value(word * 4u + byte, f32(at.x), f32(at.y)) << (8u * byte);
    }
    output[to + word] = packed;
  }
}
