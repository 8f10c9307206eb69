@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let v = finish(at.x, at.y);
  let i = 4u * output_index(at.x, at.y);
  output[i] = v.r;
  output[i + 1u] = v.g;
  output[i + 2u] = v.b;
  output[i + 3u] = 1.0f;
}
