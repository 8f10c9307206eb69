// Twin of sample_face.cpp. The source is a padded panorama of packed pixels; coarse levels stand in one flat buffer.

fn pixel_at(index: i32, part: u32) -> u32 {
  if (part == 0u) { return panorama[index]; }
  return coarse[input1_index(u32(index), 0u)];
}

fn weight(step: u32, phase: i32, tap: i32) -> i32 {
  return bitcast<i32>(weights[i32(step) * 2048 + phase * 8 + tap]);
}

fn sample(origin: i32, stride: i32, part: u32, step_x: u32, step_y: u32, phase_x: i32, phase_y: i32) -> u32 {
  let first_x = select(2, 0, (params.eight_taps & (1u << step_x)) != 0u);
  let first_y = select(2, 0, (params.eight_taps & (1u << step_y)) != 0u);
  var sum = vec3<i32>(540672);  // (1 << 19) + weight_one
  for (var ty = first_y; ty < 8 - first_y; ty = ty + 1) {
    let row = origin + (ty - 3) * stride - 3;
    var even = vec3<i32>(0);
    var odd = vec3<i32>(0);
    for (var tx = first_x; tx < 8 - first_x; tx = tx + 1) {
      let pixel = pixel_at(row + tx, part);
      let rgb = vec3<i32>(i32(pixel & 255u), i32((pixel >> 8u) & 255u), i32((pixel >> 16u) & 255u));
      let term = rgb * weight(step_x, phase_x, tx);
      if ((((tx - first_x) >> 1u) & 1) == 0) { even = even + term; } else { odd = odd + term; }
    }
    sum = sum + weight(step_y, phase_y, ty) * ((even >> vec3<u32>(8u)) + (odd >> vec3<u32>(8u)));
  }
  let rgb = vec3<u32>(clamp(sum >> vec3<u32>(20u), vec3<i32>(0), vec3<i32>(255)));
  return rgb.x | (rgb.y << 8u) | (rgb.z << 16u) | 0xff000000u;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let block = blocks[(at.y / 16u) * params.blocks_per_row + at.x / 16u];
  let step_x = block & 255u;
  let step_y = (block >> 8u) & 255u;
  let part = block >> 16u;

  let half = f32(params.size) * 0.5f;
  let v = f32(at.y) + 0.5f - half;
  let u = f32(at.x) + 0.5f - half;
  let dx = params.column_x * u + (params.row_x * v + params.centre_x);
  let dy = params.column_y * u + (params.row_y * v + params.centre_y);
  let dz = params.column_z * u + (params.row_z * v + params.centre_z);
  let flat_length = sqrt(dx * dx + dz * dz);
  let x = (turns_atan2(dx, dz) + 0.5f) * params.width;
  let y = (turns_atan2(dy, flat_length) * 2.0f + 0.5f) * params.height;

  let x_scale = bitcast<f32>(parts[part * 4u]);
  let y_scale = bitcast<f32>(parts[part * 4u + 1u]);
  let sx = i32(floor(x * x_scale - 127.5f));
  let sy = i32(floor(y * y_scale - 127.5f));
  let px = sx >> 8u;
  let py = sy >> 8u;
  var origin = 0;
  var stride = 0;
  if (part == 0u) {
    // The band that owns the pixel's row samples it; rows beyond the ends belong to the first and the last band.
    let row = u32(clamp(py + 8, 8, i32(params.height) + 7));
    if (row < band.input0.own_first || row >= band.input0.own_end) { return; }
    stride = i32(params.width) + 16;
    origin = i32(input0_index(0u, u32(py + 8))) + px + 8;
  } else {
    if (band.input0.own_first != 0u) { return; }
    stride = bitcast<i32>(parts[part * 4u + 3u]);
    origin = bitcast<i32>(parts[part * 4u + 2u]) + py * stride + px;
  }
  faces[output_index(at.x, at.y)] = sample(origin, stride, part, step_x, step_y, sx & 255, sy & 255);
}
