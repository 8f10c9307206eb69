// 32.32 fixed point in two's complement: x = low word (fraction), y = high word (floor, as i32). Twin of FixedAffine.

fn fixed_sum(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// count < 65536; the low 64 bits of the product are right for negative steps too
fn fixed_product(step: vec2<u32>, count: u32) -> vec2<u32> {
  let low_product = (step.x & 0xffffu) * count;
  let high_product = (step.x >> 16u) * count;
  let low = low_product + (high_product << 16u);
  let carry = select(0u, 1u, low < low_product);
  return vec2<u32>(low, step.y * count + (high_product >> 16u) + carry);
}

fn source_x(x: u32, y: u32) -> vec2<u32> {
  let start = fixed_sum(vec2<u32>(params.x_origin_low, params.x_origin_high),
                        fixed_product(vec2<u32>(params.x_from_y_low, params.x_from_y_high), y));
  return fixed_sum(start, fixed_product(vec2<u32>(params.x_from_x_low, params.x_from_x_high), x));
}

fn source_y(x: u32, y: u32) -> vec2<u32> {
  let start = fixed_sum(vec2<u32>(params.y_origin_low, params.y_origin_high),
                        fixed_product(vec2<u32>(params.y_from_y_low, params.y_from_y_high), y));
  return fixed_sum(start, fixed_product(vec2<u32>(params.y_from_x_low, params.y_from_x_high), x));
}

fn floor_of(position: vec2<u32>) -> i32 {
  return bitcast<i32>(position.y);
}

// 24 bits, exact in f32
fn fraction_of(position: vec2<u32>) -> f32 {
  return f32(position.x >> 8u) * 5.9604644775390625e-8;
}

fn minus_half(position: vec2<u32>) -> vec2<u32> {
  return fixed_sum(position, vec2<u32>(0x80000000u, 0xffffffffu));
}

// When a pass gathers, bands of input rows share the output: each writes what its own rows hold. Blank pixels belong
// to the nearest row. Else every row that is needed is bound, and all bound rows are its own.
fn is_own_row(row: i32) -> bool {
  let owner = u32(clamp(row, 0, i32(params.source_height) - 1));
  return owner >= band.input0.own_first && owner < band.input0.own_end;
}

fn is_on_photo(column: i32, row: i32) -> bool {
  return column >= 0 && column < i32(params.source_width) && row >= 0 && row < i32(params.source_height);
}

// Like band_pixel, in stripes of params.tile_rows rows whose columns come one after the other: with a quarter turn,
// neighbouring invocations then read neighbouring source pixels.
fn tiled_pixel(id: vec3<u32>) -> vec3<u32> {
  let index = id.y * band.invocation_row + id.x;
  let stripe_pixels = band.width * params.tile_rows;
  let stripe = index / stripe_pixels;
  let first = stripe * params.tile_rows;
  if (first >= band.row_count) { return vec3<u32>(0u); }
  let rows = min(params.tile_rows, band.row_count - first);
  let within = index - stripe * stripe_pixels;
  let x = within / rows;
  return vec3<u32>(x, band.first_row + first + within - x * rows, select(0u, 1u, x < band.width));
}
