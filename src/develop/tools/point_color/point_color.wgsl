// Twin of point_color.h.

fn point_color_weight(color: vec4<f32>, range: vec4<f32>, lab: vec3<f32>, chroma: f32) -> f32 {
  let along = (lab.g * color.x + lab.b * color.y) / larger(chroma, 1e-12f);
  let hue = smooth_step((along - range.x) * range.y);
  let from_chroma = chroma - color.z;
  let from_lightness = lab.r - color.w;
  let in_chroma = smooth_step(2.0f - select(from_chroma, -from_chroma, from_chroma < 0.0f) * range.z);
  let in_lightness = smooth_step(2.0f - select(from_lightness, -from_lightness, from_lightness < 0.0f) * range.w);
  return hue * in_chroma * in_lightness * colourfulness(lab.g, lab.b);
}

fn point_color(p: PointColorParams, lab: vec3<f32>, at: Pixel) -> vec3<f32> {
  let chroma = sqrt(lab.g * lab.g + lab.b * lab.b);
  var turn = 0.0f;
  var saturation = 0.0f;
  var luminance = 0.0f;
  var shown = 1.0f;
  var v = lab;
  for (var i = 0u; i < p.count; i += 1u) {
    let color = params.point_color.color[i];
    let shift = params.point_color.shift[i];
    let weight = point_color_weight(color, params.point_color.range[i], lab, chroma);
    turn = turn + weight * shift.x;
    saturation = saturation + weight * shift.y;
    luminance = luminance + weight * shift.z;
    let apart = weight * shift.w;
    v.r = v.r + apart * (lab.r - color.w);
    v.g = v.g + apart * (lab.g - color.z * color.x);
    v.b = v.b + apart * (lab.b - color.z * color.y);
    shown = select(shown, weight, p.show == i + 1u);
  }
  turn = smaller(larger(turn, -1.0f), 1.0f);
  let t2 = turn * turn;
  let sine = turn * (1.0f + t2 * (t2 * (0.008333334f - 0.0001984127f * t2) - 0.16666667f));
  let cosine = 1.0f + t2 * (t2 * (0.041666668f - 0.0013888889f * t2) - 0.5f);
  let light = 1.0f + 0.25f * smaller(larger(luminance, -1.0f), 1.0f);
  let strength = light * (1.0f + smaller(larger(saturation, -1.0f), 1.0f)) * shown;
  return vec3<f32>(v.r * light, (v.g * cosine - v.b * sine) * strength, (v.b * cosine + v.g * sine) * strength);
}
