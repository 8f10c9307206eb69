// Twin of apply_coefficients.
struct Between { low: i32, high: i32, t: f32 }

fn blocks_around(pixel: i32, step: i32, size: i32) -> Between {
  let doubled = 2 * pixel + 1 - step;
  let low = select(doubled / (2 * step), -1, doubled < 0);
  let t = f32(doubled - low * 2 * step) / f32(2 * step);
  return Between(max(low, 0), min(low + 1, size - 1), t);
}

fn pair_at(x: i32, y: i32) -> vec2<f32> {
  let i = input1_index(u32(x), u32(y)) * 2u;
  return vec2<f32>(pairs[i], pairs[i + 1u]);
}

@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let step = i32(params.step);
  let column = blocks_around(i32(at.x), step, i32(params.grid_width));
  let row = blocks_around(i32(at.y), step, i32(params.grid_height));
  let low_left = pair_at(column.low, row.low);
  let low_right = pair_at(column.high, row.low);
  let left = low_left + row.t * (pair_at(column.low, row.high) - low_left);
  let right = low_right + row.t * (pair_at(column.high, row.high) - low_right);
  let pair = left + column.t * (right - left);
  let mean = frame_mean[input2_index(0u, 0u)];
  let i = input0_index(at.x, at.y) * 3u;
  let stops = log_luminance(scene[i], scene[i + 1u], scene[i + 2u]);
  output[output_index(at.x, at.y)] = (pair.x * (stops - mean) + pair.y) + mean;
}
