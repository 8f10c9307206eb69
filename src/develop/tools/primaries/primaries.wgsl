// Twin of primaries.h.

fn primaries(p: PrimariesParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  return vec3<f32>(v.r + p.red_from_green * (v.g - v.r) + p.red_from_blue * (v.b - v.r),
                   v.g + p.green_from_red * (v.r - v.g) + p.green_from_blue * (v.b - v.g),
                   v.b + p.blue_from_red * (v.r - v.b) + p.blue_from_green * (v.g - v.b));
}
