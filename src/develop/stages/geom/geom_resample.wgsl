// Twin of resample_rows.
fn bicubic_weights(t: f32) -> vec4<f32> {
  return vec4<f32>(((-0.5 * t + 1.0) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1.0, ((-1.5 * t + 2.0) * t + 0.5) * t,
                   (0.5 * t - 0.5) * t * t);
}

fn bilinear_weights(t: f32) -> vec4<f32> {
  return vec4<f32>(0.0, 1.0 - t, t, 0.0);
}

fn source_pixel(column: i32, row: i32) -> vec3<f32> {
  let x = u32(clamp(column, 0, i32(params.source_width) - 1));
  let y = u32(clamp(row, 0, i32(params.source_height) - 1));
  let i = input0_index(x, y) * 3u;
  return vec3<f32>(source[i], source[i + 1u], source[i + 2u]);
}

fn source_column(column: i32, top: i32, w: vec4<f32>) -> vec3<f32> {
  return ((w.x * source_pixel(column, top) + w.y * source_pixel(column, top + 1)) +
          w.z * source_pixel(column, top + 2)) + w.w * source_pixel(column, top + 3);
}

fn weighted_sum(left: i32, top: i32, wx: vec4<f32>, wy: vec4<f32>) -> vec3<f32> {
  return ((wx.x * source_column(left, top, wy) + wx.y * source_column(left + 1, top, wy)) +
          wx.z * source_column(left + 2, top, wy)) + wx.w * source_column(left + 3, top, wy);
}

fn resample_pixel(position_x: vec2<u32>, position_y: vec2<u32>) -> vec3<f32> {
  let x = minus_half(position_x);
  let y = minus_half(position_y);
  let left = floor_of(x) - 1;
  let top = floor_of(y) - 1;
  if (params.is_draft != 0u) {
    return weighted_sum(left, top, bilinear_weights(fraction_of(x)), bilinear_weights(fraction_of(y)));
  }
  return weighted_sum(left, top, bicubic_weights(fraction_of(x)), bicubic_weights(fraction_of(y)));
}

@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let x = source_x(at.x, at.y);
  let y = source_y(at.x, at.y);
  if (!is_own_row(floor_of(y))) { return; }
  var rgb = vec3<f32>(0.0);
  if (is_on_photo(floor_of(x), floor_of(y))) { rgb = resample_pixel(x, y); }
  let to = output_index(at.x, at.y) * 3u;
  output[to] = rgb.x;
  output[to + 1u] = rgb.y;
  output[to + 2u] = rgb.z;
}
