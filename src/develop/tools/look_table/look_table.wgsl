struct TablePlace { first: i32, second: i32, part: f32 }

fn held_place(at: f32, count: i32) -> TablePlace {
  let place = unit(at) * f32(count - 1);
  let whole = i32(place);
  let last = count - 1;
  let next = whole + 1;
  return TablePlace(whole, select(last, next, next < last), place - f32(whole));
}

fn circle_place(sextants: f32, count: i32) -> TablePlace {
  let place = sextants * (f32(count) * 0.16666667f);
  let floored = i32(place);
  let whole = select(count - 1, floored, floored < count - 1);
  let next = whole + 1;
  return TablePlace(whole, select(0, next, next < count), place - f32(whole));
}

fn table_between(start: i32, c: i32, h: TablePlace, s: TablePlace, v: TablePlace, hues: i32, saturations: i32) -> f32 {
  var by_value: array<f32, 2>;
  for (var i = 0; i < 2; i++) {
    let plane = select(v.second, v.first, i == 0) * hues;
    let row = (plane + h.first) * saturations;
    let next_row = (plane + h.second) * saturations;
    let a = curve_table[start + (row + s.first) * 3 + c];
    let b = curve_table[start + (row + s.second) * 3 + c];
    let e = curve_table[start + (next_row + s.first) * 3 + c];
    let f = curve_table[start + (next_row + s.second) * 3 + c];
    let low = a + s.part * (b - a);
    let high = e + s.part * (f - e);
    by_value[i] = low + h.part * (high - low);
  }
  return by_value[0] + v.part * (by_value[1] - by_value[0]);
}

fn rgb_from_hsv(hue: f32, saturation: f32, value: f32) -> vec3<f32> {
  let sextant = i32(hue);
  let part = hue - f32(sextant);
  let p = value * (1.0f - saturation);
  let q = value * (1.0f - saturation * part);
  let t = value * (1.0f - saturation * (1.0f - part));
  let r = select(select(select(p, t, sextant == 4), q, sextant == 1), value, sextant == 0 || sextant == 5);
  let g = select(select(select(p, q, sextant == 3), t, sextant == 0), value, sextant == 1 || sextant == 2);
  let b = select(select(select(p, q, sextant == 5), t, sextant == 2), value, sextant == 3 || sextant == 4);
  return vec3<f32>(r, g, b);
}

fn hue_sat_adjusted(p: LookTableParams, in: vec3<f32>) -> vec3<f32> {
  let v = vec3<f32>(larger(in.r, 0.0f), larger(in.g, 0.0f), larger(in.b, 0.0f));
  let high = larger(v.r, larger(v.g, v.b));
  let low = smaller(v.r, smaller(v.g, v.b));
  let chroma = high - low;
  let divisor = select(1.0f, chroma, chroma > 1e-20f);
  let from_red = (v.g - v.b) / divisor;
  let from_green = 2.0f + (v.b - v.r) / divisor;
  let from_blue = 4.0f + (v.r - v.g) / divisor;
  let signed_hue = select(select(from_blue, from_green, v.g >= high), from_red, v.r >= high);
  let hue = select(signed_hue, signed_hue + 6.0f, signed_hue < 0.0f);
  let saturation = chroma / select(1.0f, high, high > 1e-20f);
  let base = unit(high);
  let step = select(base, srgb_encoded_from_linear(base), p.srgb_value != 0u);

  let start = i32(p.start);
  let hues = i32(p.hues);
  let saturations = i32(p.saturations);
  let at_hue = circle_place(hue, hues);
  let at_saturation = held_place(saturation, saturations);
  let at_value = held_place(step, i32(p.values));
  let shift = table_between(start, 0, at_hue, at_saturation, at_value, hues, saturations);
  let saturation_scale = table_between(start, 1, at_hue, at_saturation, at_value, hues, saturations);
  let value_scale = table_between(start, 2, at_hue, at_saturation, at_value, hues, saturations);

  let moved = hue + shift;
  let wrapped = select(select(moved, moved - 6.0f, moved >= 6.0f), moved + 6.0f, moved < 0.0f);
  let scaled = saturation * saturation_scale;
  let lifted = larger(step * value_scale, 0.0f);
  let light = select(lifted, linear_from_srgb_encoded(lifted), p.srgb_value != 0u) * larger(high, 1.0f);
  let out = rgb_from_hsv(wrapped, smaller(scaled, 1.0f), light);
  return select(in, out + (in - v), high > 1e-20f);
}

fn look_table(p: LookTableParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  return working_from_prophoto(hue_sat_adjusted(p, prophoto_from_working(v)));
}
