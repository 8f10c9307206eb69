// Twin of white_balance.h.

fn white_balance(p: WhiteBalanceParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  return vec3<f32>(p.red_from_red * v.r + p.red_from_green * v.g + p.red_from_blue * v.b,
                   p.green_from_red * v.r + p.green_from_green * v.g + p.green_from_blue * v.b,
                   p.blue_from_red * v.r + p.blue_from_green * v.g + p.blue_from_blue * v.b);
}
