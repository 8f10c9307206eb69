// Twin of prophoto.h.

fn prophoto_from_working(v: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(v.r + 0.048865307f * (v.g - v.r) + 0.11594144f * (v.b - v.r),
                   v.g + 0.054034572f * (v.r - v.g) + 0.017055532f * (v.b - v.g),
                   v.b - 0.002342039f * (v.r - v.b) + 0.036332153f * (v.g - v.b));
}

fn working_from_prophoto(v: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(v.r - 0.05756372f * (v.g - v.r) - 0.14308692f * (v.b - v.r),
                   v.g - 0.06994344f * (v.r - v.g) - 0.010684508f * (v.b - v.g),
                   v.b + 0.0055415235f * (v.r - v.b) - 0.04078256f * (v.g - v.b));
}
