// Twin of gamut.h.

const gamut_knee = 0.9f;

fn gamut_touches(p: GamutParams, v: vec3<f32>) -> bool {
  let high = larger(larger(v.r, v.g), v.b);
  let low = smaller(smaller(v.r, v.g), v.b);
  return low < 0.12f * high || high + 0.19f * (high - low) > 1.0f;
}

struct GamutLine { lightness: f32, away: vec3<f32> }

fn gamut_at(p: GamutParams, line: GamutLine, s: f32) -> vec3<f32> {
  let root_l = line.lightness + s * line.away.r;
  let root_m = line.lightness + s * line.away.g;
  let root_s = line.lightness + s * line.away.b;
  let l = root_l * root_l * root_l;
  let m = root_m * root_m * root_m;
  let c = root_s * root_s * root_s;
  return vec3<f32>(l + p.red_from_medium * (m - l) + p.red_from_short * (c - l),
                   m + p.green_from_long * (l - m) + p.green_from_short * (c - m),
                   c + p.blue_from_long * (l - c) + p.blue_from_medium * (m - c));
}

fn gamut_margin(p: GamutParams, line: GamutLine, s: f32) -> f32 {
  let v = gamut_at(p, line, s);
  let low = smaller(smaller(v.r, v.g), v.b);
  let high = larger(larger(v.r, v.g), v.b);
  return smaller(low, 1.0f - high);
}

fn gamut_line(p: GamutParams, v: vec3<f32>) -> GamutLine {
  let root_l = poly_cbrt(v.r + p.long_from_green * (v.g - v.r) + p.long_from_blue * (v.b - v.r));
  let root_m = poly_cbrt(v.g + p.medium_from_red * (v.r - v.g) + p.medium_from_blue * (v.b - v.g));
  let root_s = poly_cbrt(v.b + p.short_from_red * (v.r - v.b) + p.short_from_green * (v.g - v.b));
  let lightness = root_l + 0.7936178f * (root_m - root_l) - 0.004072047f * (root_s - root_l);
  return GamutLine(lightness, vec3<f32>(root_l - lightness, root_m - lightness, root_s - lightness));
}

struct GamutBracket { inside: f32, margin_inside: f32, outside: f32, margin_outside: f32 }

fn gamut_split(p: GamutParams, line: GamutLine, b: GamutBracket, s: f32) -> GamutBracket {
  let margin = gamut_margin(p, line, s);
  let is_in = margin >= 0.0f;
  return GamutBracket(select(b.inside, s, is_in), select(b.margin_inside, margin, is_in),
                      select(s, b.outside, is_in), select(margin, b.margin_outside, is_in));
}

fn gamut_halve(p: GamutParams, line: GamutLine, b: GamutBracket) -> GamutBracket {
  return gamut_split(p, line, b, 0.5f * (b.inside + b.outside));
}

fn gamut_secant(b: GamutBracket) -> f32 {
  let share = b.margin_inside / larger(b.margin_inside - b.margin_outside, 1e-20f);
  return b.inside + (b.outside - b.inside) * share;
}

fn gamut_squeeze(p: GamutParams, line: GamutLine) -> f32 {
  let reach = 1.0f / gamut_knee;
  let margin = gamut_margin(p, line, reach);
  if (margin >= 0.0f) { return 1.0f; }
  var b = GamutBracket(0.0f, larger(gamut_margin(p, line, 0.0f), 0.0f), reach, margin);
  b = gamut_halve(p, line, b);
  b = gamut_halve(p, line, b);
  b = gamut_halve(p, line, b);
  b = gamut_halve(p, line, b);
  b = gamut_halve(p, line, b);
  b = gamut_split(p, line, b, gamut_secant(b));
  let edge = larger(gamut_secant(b), 1e-6f);
  let t = (1.0f / edge - gamut_knee) / (1.0f - gamut_knee);
  let squeezed = gamut_knee + (1.0f - gamut_knee) * (t / sqrt(1.0f + t * t));
  return edge * squeezed;
}

fn gamut(p: GamutParams, v: vec3<f32>, at: Pixel) -> vec3<f32> {
  if (!gamut_touches(p, v)) { return v; }
  let line = gamut_line(p, v);
  let squeeze = gamut_squeeze(p, line);
  return select(gamut_at(p, line, squeeze), v, squeeze == 1.0f);
}
