// Twin of lut.h. The table is bound as lut_table.

fn lut_matrix(m: array<vec4<f32>, 2>, v: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(v.r + m[0].x * (v.g - v.r) + m[0].y * (v.b - v.r), v.g + m[0].z * (v.r - v.g) + m[0].w * (v.b - v.g),
                   v.b + m[1].x * (v.r - v.b) + m[1].y * (v.g - v.b));
}

fn lut_encoded(p: LutParams, linear: f32) -> f32 {
  return encoded_from_linear(p.slope, p.threshold, p.scale, p.exponent, p.offset, unit(linear));
}

fn lut_linear(p: LutParams, encoded: f32) -> f32 {
  let e = unit(encoded);
  let power = poly_pow((e + p.offset) * p.inverse_scale, p.inverse_exponent);
  return select(power, e * p.inverse_slope, e < p.encoded_threshold);
}

fn lut_curve(start: i32, size: i32, x: f32) -> f32 {
  let place = unit(x) * f32(size - 1);
  let whole = i32(place);
  let index = select(size - 2, whole, whole < size - 2);
  let low = lut_table[start + 3 * index];
  return low + (place - f32(index)) * (lut_table[start + 3 * index + 3] - low);
}

fn lut_cell(place: f32, size: i32) -> i32 {
  let whole = i32(place);
  return select(size - 2, whole, whole < size - 2);
}

fn lut_entry(i: i32) -> vec3<f32> { return vec3<f32>(lut_table[i], lut_table[i + 1], lut_table[i + 2]); }

fn lut_cube(table: i32, size: i32, x: vec3<f32>) -> vec3<f32> {
  let most = f32(size - 1);
  let place = vec3<f32>(unit(x.r) * most, unit(x.g) * most, unit(x.b) * most);
  let r = lut_cell(place.r, size);
  let g = lut_cell(place.g, size);
  let b = lut_cell(place.b, size);
  let f = vec3<f32>(place.r - f32(r), place.g - f32(g), place.b - f32(b));
  let step_g = 3 * size;
  let step_b = step_g * size;
  let red_first = f.r >= f.g && f.r >= f.b;
  let blue_last = f.b <= f.r && f.b <= f.g;
  let not_red = select(step_b, step_g, f.g >= f.b);
  let not_blue = select(3, step_g, f.g <= f.r);
  let first = select(not_red, 3, red_first);
  let last = select(not_blue, step_b, blue_last);
  let high = larger(larger(f.r, f.g), f.b);
  let low = smaller(smaller(f.r, f.g), f.b);
  let mid = smaller(larger(f.r, f.g), larger(smaller(f.r, f.g), f.b));
  let start = table + 3 * r + step_g * g + step_b * b;
  let end = start + 3 + step_g + step_b;
  return (1.0f - high) * lut_entry(start) + (high - mid) * lut_entry(start + first) +
         (mid - low) * lut_entry(end - last) + low * lut_entry(end);
}

fn lut(p: LutParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let linear = lut_matrix(p.to_space, v);
  var e = vec3<f32>(lut_encoded(p, linear.r), lut_encoded(p, linear.g), lut_encoded(p, linear.b));
  if (p.curve_size != 0) {
    let x = (e - p.curve_min[0].xyz) * p.curve_scale[0].xyz;
    e = vec3<f32>(lut_curve(0, p.curve_size, x.r), lut_curve(1, p.curve_size, x.g), lut_curve(2, p.curve_size, x.b));
  }
  if (p.cube_size != 0) { e = lut_cube(p.cube_start, p.cube_size, (e - p.cube_min[0].xyz) * p.cube_scale[0].xyz); }
  let out = lut_matrix(p.from_space, vec3<f32>(lut_linear(p, e.r), lut_linear(p, e.g), lut_linear(p, e.b)));
  return v + p.amount * (out - v);
}
