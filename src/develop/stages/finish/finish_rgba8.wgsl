@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let v = finish(at.x, at.y);
  let u = dither(params.dither, params.view.origin_x + at.x, params.view.origin_y + at.y);
  let red = u32(quantise(v.r, 255.0f, u));
  let green = u32(quantise(v.g, 255.0f, u));
  let blue = u32(quantise(v.b, 255.0f, u));
  output[output_index(at.x, at.y)] = red | (green << 8u) | (blue << 16u) | 0xff000000u;
}
