// Twin of finish.cpp. run_tools() is put together from the ordered list in finish_tools.h.

const most_local_stops = 20.0f;

fn local_ev(x: u32, y: u32) -> f32 {
  let first_word = input2_index(x, y) * band.input2.channels;
  var ev = 0.0f;
  for (var mask = 0u; mask < params.mask_terms.count; mask += 1u) {
    let value = (mask_words[first_word + mask / 4u] >> (8u * (mask % 4u))) & 0xffu;
    ev += f32(value) * params.mask_terms.ev[mask / 4u][mask % 4u];
  }
  return smaller(larger(ev, -most_local_stops), most_local_stops);
}

// Encoded values of an output pixel, x and y in this picture.
fn finish(x: u32, y: u32) -> vec3<f32> {
  let i = 3u * input0_index(x, y);
  let v = vec3<f32>(finite(image[i]), finite(image[i + 1u]), finite(image[i + 2u]));
  var at = Pixel(params.view.origin_x + x, params.view.origin_y + y, 0.0f, 0.0f, 0.0f, 0.0f);
  let view = params.view.vig_view[0];
  at.frame_x = (f32(i32(at.x)) + 0.5f) * view.x + view.y;
  at.frame_y = (f32(i32(at.y)) + 0.5f) * view.z + view.w;
  if (params.tone.enabled != 0u) { at.base_log2 = base[input1_index(x, y)]; }
  if (params.mask_terms.count != 0u) { at.local_ev = local_ev(x, y); }
  return run_tools(v, at);
}
