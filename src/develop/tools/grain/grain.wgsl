// Twin of grain.h.

fn grain_value(x: u32, y: u32, seed: u32) -> f32 {
  return f32(i32(pixel_hash(x, y, seed) >> 16u)) * 0x1p-15f - 1.0f;
}

fn grain_noise(x: u32, y: u32, seed: u32) -> f32 {
  let ix = x >> 16u;
  let iy = y >> 16u;
  let fx = smooth_step(f32(i32(x & 0xffffu)) * 0x1p-16f);
  let fy = smooth_step(f32(i32(y & 0xffffu)) * 0x1p-16f);
  let a = grain_value(ix, iy, seed);
  let b = grain_value(ix + 1u, iy, seed);
  let c = grain_value(ix, iy + 1u, seed);
  let d = grain_value(ix + 1u, iy + 1u, seed);
  let above = a + fx * (b - a);
  let below = c + fx * (d - c);
  return above + fy * (below - above);
}

fn grain(p: GrainParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  let x = 2u * at.x + 1u;
  let y = 2u * at.y + 1u;
  let noise = grain_noise(x * p.half_step, y * p.half_step, p.seed) +
              p.roughness * grain_noise(x * p.rough_half_step, y * p.rough_half_step, p.seed + 1u);
  let gain = poly_exp2(p.amount * noise * (1.0f - unit(working_luminance(v))));
  return v * gain;
}
