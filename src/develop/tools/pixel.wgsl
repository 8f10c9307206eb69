// Twin of pixel.h.

struct Pixel { x: u32, y: u32, frame_x: f32, frame_y: f32, base_log2: f32, local_ev: f32 }

fn smaller(a: f32, b: f32) -> f32 { return select(b, a, a < b); }
fn larger(a: f32, b: f32) -> f32 { return select(b, a, a > b); }

fn unit(x: f32) -> f32 {
  let floored = select(0.0f, x, x > 0.0f);
  return select(1.0f, floored, floored < 1.0f);
}

fn smooth_step(x: f32) -> f32 {
  let t = unit(x);
  return t * t * (3.0f - 2.0f * t);
}

fn working_luminance(v: vec3<f32>) -> f32 { return 0.2627002f * v.r + 0.6779981f * v.g + 0.0593017f * v.b; }

fn finite(x: f32) -> f32 {
  let magnitude = bitcast<u32>(x) & 0x7fffffffu;
  let number = select(x, 0.0f, magnitude > 0x7f800000u);
  let floored = select(-65504.0f, number, number > -65504.0f);
  return select(65504.0f, floored, floored < 65504.0f);
}
