// Twin of resample_row: four partial sums, then one after the other.
fn tap(index: u32, weight: f32) -> vec3<f32> {
  return weight * vec3<f32>(source[index], source[index + 1u], source[index + 2u]);
}

@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = band_pixel(id);
  if (at.z == 0u) { return; }
  let taps = params.tap_count;
  let grouped = taps / 4u * 4u;
  let first_weight = at.x * taps;
  let first_pixel = input0_index(starts[at.x], at.y);
  var s0 = vec3<f32>(0.0);
  var s1 = vec3<f32>(0.0);
  var s2 = vec3<f32>(0.0);
  var s3 = vec3<f32>(0.0);
  for (var k = 0u; k < grouped; k += 4u) {
    let weight = first_weight + k;
    let pixel = (first_pixel + k) * 3u;
    s0 += tap(pixel, weights[weight]);
    s1 += tap(pixel + 3u, weights[weight + 1u]);
    s2 += tap(pixel + 6u, weights[weight + 2u]);
    s3 += tap(pixel + 9u, weights[weight + 3u]);
  }
  if (grouped < taps) { s0 += tap((first_pixel + grouped) * 3u, weights[first_weight + grouped]); }
  if (grouped + 1u < taps) { s1 += tap((first_pixel + grouped + 1u) * 3u, weights[first_weight + grouped + 1u]); }
  if (grouped + 2u < taps) { s2 += tap((first_pixel + grouped + 2u) * 3u, weights[first_weight + grouped + 2u]); }
  let rgb = ((s0 + s1) + s2) + s3;
  let to = output_index(at.x, at.y) * 3u;
  output[to] = rgb.x;
  output[to + 1u] = rgb.y;
  output[to + 2u] = rgb.z;
}
