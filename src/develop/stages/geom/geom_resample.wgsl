// Twin of resample_rows.
fn bicubic_weights(t: f32) -> vec4<f32> {
  return vec4<f32>(((-0.5 * t + 1.0) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1.0, ((-1.5 * t + 2.0) * t + 0.5) * t,
                   (0.5 * t - 0.5) * t * t);
}

fn bilinear_weights(t: f32) -> vec4<f32> {
  return vec4<f32>(0.0, 1.0 - t, t, 0.0);
}

// Sixteen taps: down the columns, then across. The photo's edge repeats outwards.
fn source_pixel(i: u32) -> vec3<f32> {
  return vec3<f32>(source[i], source[i + 1u], source[i + 2u]);
}

fn source_column(column: u32, rows: vec4<u32>, w: vec4<f32>) -> vec3<f32> {
  return ((w.x * source_pixel(rows.x + column) + w.y * source_pixel(rows.y + column)) +
          w.z * source_pixel(rows.z + column)) + w.w * source_pixel(rows.w + column);
}

fn weighted_sum(left: i32, top: i32, wx: vec4<f32>, wy: vec4<f32>) -> vec3<f32> {
  let steps = vec4<i32>(0, 1, 2, 3);
  let columns = vec4<u32>(clamp(vec4<i32>(left) + steps, vec4<i32>(0), vec4<i32>(i32(params.source_width) - 1))) * 3u;
  let y = vec4<u32>(clamp(vec4<i32>(top) + steps, vec4<i32>(0), vec4<i32>(i32(params.source_height) - 1)));
  let rows = 3u * vec4<u32>(input0_index(0u, y.x), input0_index(0u, y.y), input0_index(0u, y.z), input0_index(0u, y.w));
  return ((wx.x * source_column(columns.x, rows, wy) + wx.y * source_column(columns.y, rows, wy)) +
          wx.z * source_column(columns.z, rows, wy)) + wx.w * source_column(columns.w, rows, wy);
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
  let at = tiled_pixel(id);
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
