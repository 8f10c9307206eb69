#include "scene/boards.h"

#include <cmath>
#include <numbers>

#include "scene/band_limited.h"
#include "scene/chart.h"
#include "scene/stroke_text.h"

namespace imago::scene {
namespace {

constexpr double frame_m = 0.05;
constexpr double post_half_width_m = 0.03;
constexpr Rgb paper = {0.88f, 0.88f, 0.88f};
constexpr Rgb ink = {0.02f, 0.02f, 0.02f};
constexpr Rgb wood = from_rec709(0.30f, 0.17f, 0.08f);

Board standing(Pattern pattern, std::string_view title, double azimuth_deg, double distance, double width,
               double height, double middle_y) {
  const double a = azimuth_deg * std::numbers::pi / 180;
  const Vector forward{std::sin(a), 0, std::cos(a)};
  const Vector right{std::cos(a), 0, -std::sin(a)};
  return {pattern, title,  azimuth_deg, distance, width, height, middle_y, forward * distance + Vector{0, middle_y, 0},
          right,   forward};
}

float as_float(double value) { return static_cast<float>(value); }

float line_of_text(std::string_view text, const BoardPoint& at, double u, double v, double height) {
  return text_coverage(text, as_float((at.u - u) / height), as_float((at.v - v) / height),
                       std::max(at.width_u, at.width_v) / as_float(height));
}

float centred_text(std::string_view text, const Board& board, const BoardPoint& at, double v, double height) {
  const double width = static_cast<double>(text_width(text)) * height;
  return line_of_text(text, at, (board.width_m - width) / 2, v, height);
}

// A name and lines of text that halve in size.
Rgb welcome_color(const Board& board, const BoardPoint& at) {
  struct Line {
    std::string_view text;
    double v, height;
  };
  static constexpr Line lines[] = {{"IMAGO", 0.16, 0.27},
                                   {"LIGHT IN. PICTURE OUT.", 0.52, 0.058},
                                   {"THE QUICK BROWN FOX JUMPS OVER", 0.66, 0.042},
                                   {"THE LAZY DOG 0123456789 + - / .", 0.73, 0.042},
                                   {"SPHINX OF BLACK QUARTZ JUDGE MY VOW", 0.82, 0.03},
                                   {"PACK MY BOX WITH FIVE DOZEN LIQUOR JUGS", 0.875, 0.022},
                                   {"HOW VEXINGLY QUICK DAFT ZEBRAS JUMP 3.14159265", 0.92, 0.016},
                                   {"WALTZ BAD NYMPH FOR QUICK JIGS VEX 2.71828182845", 0.955, 0.011}};
  float covered = 0;
  for (const Line& line : lines) {
    if (at.v > line.v - line.height && at.v < line.v + 2 * line.height) {
      covered = std::max(covered, centred_text(line.text, board, at, line.v, line.height));
    }
  }
  return mix(paper, ink, covered);
}

// cos of a phase that grows with the square of the radius: its frequency grows linearly to `finest` cycles a metre.
Rgb zone_plate_color(const Board& board, const BoardPoint& at) {
  constexpr double radius = 0.58;
  constexpr double finest = 260;  // cycles a metre at the rim
  const double x = at.u - board.width_m / 2;
  const double y = at.v - board.height_m / 2 - 0.04;
  const double r2 = x * x + y * y;
  const float fx = as_float(std::abs(x) * finest / radius) * at.width_u;
  const float fy = as_float(std::abs(y) * finest / radius) * at.width_v;
  const float wave = filtered_cos(r2 * finest / (2 * radius), std::sqrt(fx * fx + fy * fy));
  const float inside = coverage(as_float(radius - std::sqrt(r2)), std::max(at.width_u, at.width_v));
  return mix(gray(0.45f), gray(0.45f + 0.42f * wave), inside);
}

Rgb chart_color(const Board&, const BoardPoint& at) {
  constexpr Rgb card = gray(0.035f);
  Rgb color = card;
  // A wide pixel sees the patches on both sides of a gap.
  for (double side_u : {-0.5, 0.5}) {
    for (double side_v : {-0.5, 0.5}) {
      const auto index = chart_patch_beside(at.u, at.v, side_u, side_v);
      if (!index) continue;
      const ChartPlace place = chart_place(*index);
      const float covered = coverage(as_float(chart_patch_size_m / 2 - std::abs(at.u - place.u)), at.width_u) *
                            coverage(as_float(chart_patch_size_m / 2 - std::abs(at.v - place.v)), at.width_v);
      color = color + (chart_patch(*index) - card) * covered;
    }
  }
  return color;
}

// Grey steps of half a stop; a step's edge is a ramp of the pixel's width.
Rgb step_color(double share, float width) {
  constexpr int steps = 21;
  const double position = share * steps;
  const auto level = [](int k) { return gray(0.9f * poly_exp2(-0.5f * static_cast<float>(k))); };
  const int edge = std::clamp(static_cast<int>(std::round(position)), 1, steps - 1);
  return mix(level(edge - 1), level(edge), coverage(as_float(position - edge), width * steps));
}

// Bands of the ramps board: grey steps, a linear ramp, a ramp of hues, lines that are almost upright and get finer.
Rgb ramp_color(int band, double share, const BoardPoint& at, double length) {
  const float width = at.width_u / as_float(length);
  if (band == 0) return step_color(share, width);
  if (band == 1) return gray(as_float(share) * 0.9f);
  if (band == 2) {
    const auto channel = [&](double phase) { return 0.4f + 0.4f * cos_turns(share - phase); };
    return from_rec709(channel(0), channel(1.0 / 3), channel(2.0 / 3));
  }
  const float per_pixel = as_float(share * 240) * width + 6 * at.width_v;
  return gray(0.45f + 0.42f * filtered_cos(share * share * 120 + at.v * 6, per_pixel));
}

Rgb ramps_color(const Board& board, const BoardPoint& at) {
  constexpr double margin = 0.06, first_v = 0.18, pitch = 0.19, half_height = 0.0817;
  constexpr int bands = 4;
  constexpr Rgb card = gray(0.18f);
  const double length = board.width_m - 2 * margin;
  const double share = std::clamp((at.u - margin) / length, 0.0, 1.0);
  const float inside = coverage(as_float(length / 2 - std::abs(at.u - board.width_m / 2)), at.width_u);
  const int gap = static_cast<int>(std::floor((at.v - first_v) / pitch + 0.5));  // the gap above band `gap` is nearest
  Rgb color = card;
  for (int band : {gap - 1, gap}) {
    if (band < 0 || band >= bands) continue;
    const double from_middle = std::abs(at.v - first_v - (band + 0.5) * pitch);
    const float covered = inside * coverage(as_float(half_height - from_middle), at.width_v);
    if (covered > 0) color = color + (ramp_color(band, share, at, length) - card) * covered;
  }
  return color;
}

// A star of 36 spokes and a fan of fine diagonals.
Rgb star_color(const Board& board, const BoardPoint& at) {
  const double x = at.u - board.width_m * 0.32;
  const double y = at.v - board.height_m * 0.56;
  const double r = std::sqrt(x * x + y * y) + 1e-9;
  const float width = std::max(at.width_u, at.width_v);
  const double turns = std::atan2(y, x) / (2 * std::numbers::pi);
  const float spokes = filtered_cos(turns * 36, as_float(36 / (2 * std::numbers::pi * r)) * width);
  const float disc = coverage(as_float(0.40 - r), width);
  const double side = board.width_m * 0.62;
  const double across = (at.u - side) * 0.8 + at.v * 0.6;
  const double cycles = 14 * across * (1 + 2.5 * across);
  const float fine = filtered_cos(cycles, as_float(14 + 70 * across) * width);
  const float in_side = coverage(as_float(at.u - side), width) * coverage(as_float(at.v - 0.2), width) *
                        coverage(as_float(board.width_m - 0.08 - at.u), width) *
                        coverage(as_float(board.height_m - 0.08 - at.v), width);
  const Rgb with_star = mix(paper, gray(0.45f + 0.40f * spokes), disc);
  return mix(with_star, gray(0.45f + 0.40f * fine), in_side);
}

// A checker turned by about five degrees: slanted edges and corners.
Rgb checker_color(const Board& board, const BoardPoint& at) {
  constexpr double square = 0.105;
  constexpr double c = 0.99617, s = 0.08743;  // unit length
  const double x = at.u - board.width_m / 2, y = at.v - board.height_m / 2;
  const double a = (x * c + y * s) / square, b = (y * c - x * s) / square;
  const float width = std::max(at.width_u, at.width_v) / as_float(square);
  const auto wave = [width](double t) {  // +1 and -1 by turns, ramps at whole numbers
    const double edge = std::round(t);
    const float sign = std::fmod(std::abs(edge), 2.0) > 0.5 ? -1.0f : 1.0f;
    return sign * (2.0f * coverage(as_float(t - edge), width) - 1.0f) * visible(1.0f, width);
  };
  const float inside = coverage(as_float(0.42 - std::abs(y - 0.06)), at.width_v) *
                       coverage(as_float(board.width_m / 2 - 0.1 - std::abs(x)), at.width_u);
  return mix(paper, gray(0.45f + 0.43f * wave(a) * wave(b)), inside);
}

Rgb pattern_color(const Board& board, const BoardPoint& at) {
  switch (board.pattern) {
    case Pattern::welcome: return welcome_color(board, at);
    case Pattern::zone_plate: return zone_plate_color(board, at);
    case Pattern::chart: return chart_color(board, at);
    case Pattern::ramps: return ramps_color(board, at);
    case Pattern::star: return star_color(board, at);
    case Pattern::checker: return checker_color(board, at);
  }
  return {};
}

bool is_dark(Pattern pattern) {
  return pattern == Pattern::chart || pattern == Pattern::ramps || pattern == Pattern::zone_plate;
}

}  // namespace

const std::array<Board, 6>& boards() {
  static const std::array<Board, 6> all = {standing(Pattern::welcome, "FRONT +Z", 0, 5.2, 1.7, 1.06, -0.1),
                                           standing(Pattern::zone_plate, "ZONE PLATE", -24, 5.0, 1.4, 1.4, -0.02),
                                           standing(Pattern::chart, "COLOR CHART", 24, 5.0, 1.46, 1.16, -0.05),
                                           standing(Pattern::ramps, "RIGHT +X", 90, 4.6, 1.9, 1.04, -0.1),
                                           standing(Pattern::star, "BACK -Z", 180, 4.8, 1.7, 1.12, -0.1),
                                           standing(Pattern::checker, "LEFT -X", 270, 4.6, 1.5, 1.2, -0.1)};
  return all;
}

Rgb board_color(const Board& board, const BoardPoint& at) {
  const double from_edge_u = board.width_m / 2 - std::abs(at.u - board.width_m / 2);
  const double from_edge_v = board.height_m / 2 - std::abs(at.v - board.height_m / 2);
  const float inside = coverage(as_float(from_edge_u), at.width_u) * coverage(as_float(from_edge_v), at.width_v);
  if (inside <= 0) return wood;
  Rgb color = pattern_color(board, at);
  const double title_v = 0.04, title_height = 0.065;
  if (at.v < 0.2) {
    const float title = centred_text(board.title, board, at, title_v, title_height);
    color = mix(color, is_dark(board.pattern) ? paper : from_rec709(0.42f, 0.03f, 0.02f), title);
  }
  return mix(wood, color, inside);
}

float board_coverage(const Board& board, const BoardPoint& at, double ground_v) {
  const double from_middle = std::abs(at.u - board.width_m / 2);
  const double half = board.width_m / 2 + frame_m;
  if (from_middle > half + static_cast<double>(2 * at.width_u)) return 0;
  const float board_part = coverage(as_float(half - from_middle), at.width_u) *
                           coverage(as_float(at.v + frame_m), at.width_v) *
                           coverage(as_float(board.height_m + frame_m - at.v), at.width_v);
  const double post_at = board.width_m / 2 - 0.12;
  const float post = line_coverage(as_float(std::abs(from_middle - post_at)), as_float(post_half_width_m), at.width_u) *
                     coverage(as_float(at.v - board.height_m / 2), at.width_v) *
                     coverage(as_float(ground_v - at.v), at.width_v);
  return std::max(board_part, post);
}

float axis_label_coverage(std::string_view text, double u, double v, double height_m, float width_m) {
  const double start = -static_cast<double>(text_width(text)) * height_m / 2;
  return text_coverage(text, as_float((u - start) / height_m), as_float(v / height_m), width_m / as_float(height_m));
}

}  // namespace imago::scene
