// Twin of math.h: same names, constants and operand order. Accuracy and treatment of NaN, infinity and denormals are
// described there.

fn poly_exp2(x: f32) -> f32 {
  let below = select(127.99999f, x, x < 127.99999f);
  let t = select(-126.0f, below, below > -126.0f);
  let whole = i32(t + 126.5f) - 126i;
  let f = t - f32(whole);
  var p = 0.00015326469f;
  p = p * f + 0.0013390807f;
  p = p * f + 0.009618506f;
  p = p * f + 0.0555036f;
  p = p * f + 0.24022648f;
  p = p * f + 0.6931472f;
  p = p * f + 1.0f;
  let bits = bitcast<u32>(p) + (bitcast<u32>(whole) << 23u);
  return select(0.0f, bitcast<f32>(bits), x >= -126.0f);
}

fn poly_log2(x: f32) -> f32 {
  let smallest = 0x00800000i;
  let largest = 0x7f7fffffi;
  let infinity = 0x7f800000i;
  let root_half = 0x3f3504f3i;
  var i = bitcast<i32>(x);
  i = select(i, smallest, i > infinity);
  i = select(smallest, i, i > smallest);
  i = select(largest, i, i < largest);
  let whole = (i - root_half) >> 23u;
  let mantissa = bitcast<u32>(i) - (bitcast<u32>(whole) << 23u);
  let r = bitcast<f32>(mantissa) - 1.0f;
  var p = 0.12584342f;
  p = p * r - 0.20678747f;
  p = p * r + 0.21548076f;
  p = p * r - 0.23901485f;
  p = p * r + 0.2879535f;
  p = p * r - 0.36070058f;
  p = p * r + 0.48090896f;
  p = p * r - 0.7213474f;
  p = p * r + 1.442695f;
  return p * r + f32(whole);
}

fn poly_cbrt(x: f32) -> f32 {
  let smallest = 0x00800000i;
  let largest = 0x7f7fffffi;
  let infinity = 0x7f800000i;
  let bits = bitcast<u32>(x);
  let sign = bits & 0x80000000u;
  let magnitude = bitcast<i32>(bits & 0x7fffffffu);
  let i = select(largest, magnitude, magnitude < largest);
  let a = bitcast<f32>(i);
  var r = bitcast<f32>(1419907000i - i32(f32(i) * 0.33333334f));
  let h = 1.0f - (a * r) * (r * r);
  r = r * ((0.22222222f * h + 0.33333334f) * h + 1.0f);
  let c = (a * r) * r;
  let g = 1.0f - c * r;
  let root = c + c * ((0.5555556f * g + 0.6666667f) * g);
  let ordinary = magnitude >= smallest && magnitude <= infinity;
  return select(0.0f, bitcast<f32>(bitcast<u32>(root) | sign), ordinary);
}

fn poly_pow(x: f32, y: f32) -> f32 {
  let i = bitcast<i32>(x);
  let power = poly_exp2(y * poly_log2(x));
  let positive = i >= 0x00800000i && i <= 0x7f800000i;
  return select(0.0f, power, positive);
}
