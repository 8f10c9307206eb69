// Twin of dither.h.

fn pixel_hash(x: u32, y: u32, seed: u32) -> u32 {
  var h = x + seed * 0x9e3779b9u;
  h ^= h >> 16u;
  h *= 0x7feb352du;
  h += y * 0x85ebca6bu;
  h ^= h >> 15u;
  h *= 0x846ca68bu;
  return h ^ (h >> 16u);
}

fn dither(p: DitherParams, x: u32, y: u32) -> f32 {
  let u = f32(i32(pixel_hash(x, y, p.seed) >> 16u)) * 0x1p-16f;
  return select(0.5f, u, p.enabled != 0u);
}

fn quantise(encoded: f32, most: f32, u: f32) -> i32 {
  return i32(smaller(encoded * most + u, most));
}
