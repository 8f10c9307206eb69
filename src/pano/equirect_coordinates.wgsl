// Twin of equirect_coordinates.h.
fn turns_atan2(y: f32, x: f32) -> f32 {
  let ax = abs(x);
  let ay = abs(y);
  let large = select(ay, ax, ax > ay);
  let small = select(ax, ay, ax > ay);
  let t = small / select(1e-30f, large, large > 1e-30f);
  let u = t * t;
  var p = 0.00283406442f;
  p = p * u + -0.0160050299f;
  p = p * u + 0.0425876081f;
  p = p * u + -0.0749544576f;
  p = p * u + 0.106367543f;
  p = p * u + -0.142025709f;
  p = p * u + 0.199924842f;
  p = p * u + -0.333330661f;
  p = p * u + 1.0f;
  var turns = p * t * 0.159154943f;
  turns = select(turns, 0.25f - turns, ay > ax);
  turns = select(turns, 0.5f - turns, x < 0.0f);
  return select(turns, -turns, y < 0.0f);
}
