// Twin of bands.h.

struct BandSteps { low: vec4<f32>, high: vec4<f32> }

fn hue_turn(a: f32, b: f32) -> f32 {
  let size = select(a, -a, a < 0.0f) + select(b, -b, b < 0.0f);
  let q = b / larger(size, 1e-12f);
  let right = select(q, q + 4.0f, q < 0.0f);
  return select(right, 2.0f - q, a < 0.0f);
}

fn smooth_steps(x: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(smooth_step(x.x), smooth_step(x.y), smooth_step(x.z), smooth_step(x.w));
}

fn band_steps(a: f32, b: f32) -> BandSteps {
  let turn = hue_turn(a, b);
  let from_red = select(turn, turn + 4.0f, turn < 0.35662732f);
  let low = (from_red - vec4<f32>(0.35662732f, 0.57027042f, 1.2452372f, 1.5613923f)) * vec4<f32>(4.6807032f, 1.4815543f, 3.1630054f, 1.5386211f);
  let high = (from_red - vec4<f32>(2.2113249f, 2.8767769f, 3.3180149f, 3.6339746f)) * vec4<f32>(1.5027376f, 2.2663512f, 3.1649604f, 1.3837906f);
  return BandSteps(smooth_steps(low), smooth_steps(high));
}

fn band_value(red: f32, next: array<vec4<f32>, 2>, steps: BandSteps) -> f32 {
  var value = red;
  value = value + next[0].x * steps.low.x;
  value = value + next[0].y * steps.low.y;
  value = value + next[0].z * steps.low.z;
  value = value + next[0].w * steps.low.w;
  value = value + next[1].x * steps.high.x;
  value = value + next[1].y * steps.high.y;
  value = value + next[1].z * steps.high.z;
  value = value + next[1].w * steps.high.w;
  return value;
}

fn colourfulness(a: f32, b: f32) -> f32 {
  let square = a * a + b * b;
  return square / (square + 0.0009f);
}
