// DNG opcode lists (DNG specification 1.7.1, chapter 7) as plain data. Bytes from files: everything is bounded.
//
// Coordinates are whole pixels: of the stored mosaic for list 1, relative to the active area for lists 2 and 3. Values
// are relative to black = 0 and white = 1 except in list 1, which holds codes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace imago::io {

// Rows top … bottom - 1 and columns left … right - 1, every row_pitch-th and column_pitch-th; planes plane …
// plane + planes - 1 of those the picture has.
struct OpcodeArea {
  std::int64_t top = 0, left = 0, bottom = 0, right = 0;
  std::uint32_t plane = 0, planes = 1;
  std::uint32_t row_pitch = 1, column_pitch = 1;
};

// Codes equal to `constant` are replaced by their neighbours.
struct FixBadPixelsConstant {
  std::uint32_t constant = 0;
};

// These are, whatever they hold.
struct FixBadPixelsList {
  struct Point {
    std::int64_t row, column;
  };
  struct Area {
    std::int64_t top, left, bottom, right;
  };
  std::vector<Point> points;
  std::vector<Area> areas;
};

// value = table[value * 65535] / 65535
struct MapTable {
  OpcodeArea area;
  std::vector<std::uint16_t> table;  // never empty; values past its end take the last
};

// value = c[0] + c[1] value + c[2] value² …
struct MapPolynomial {
  OpcodeArea area;
  std::vector<double> coefficients;  // 1 … 9
};

// value += amount, or value *= amount, with an amount for each row or column of the area (in steps of its pitch).
struct RowColumnTerm {
  enum class Kind : std::uint8_t { delta_per_row, delta_per_column, scale_per_row, scale_per_column };
  Kind kind = Kind::delta_per_row;
  OpcodeArea area;
  std::vector<float> amounts;
};

// value *= gain, interpolated between points that lie at origin + i * spacing of the picture's height and width.
struct GainMap {
  OpcodeArea area;
  int rows = 1, columns = 1, planes = 1;
  double spacing_v = 1, spacing_h = 1, origin_v = 0, origin_h = 0;
  std::vector<float> gains;  // rows * columns * planes, interleaved
  float gain(int row, int column, int plane) const {
    return gains[(static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)) *
                     static_cast<std::size_t>(planes) +
                 static_cast<std::size_t>(plane)];
  }
};

// Where the corrected pixel's light lies in the stored picture, for `lens` (src/geometry): with d = position - centre
// and r = |d| / (distance from the centre to the farthest corner),
//   position' = centre + d * (k0 + k1 r² + k2 r⁴ + k3 r⁶) + tangential terms t0, t1.
// One set for all planes, or one each (lateral colour). The centre is relative to width and height.
struct WarpRectilinear {
  struct Plane {
    std::array<double, 4> radial{1, 0, 0, 0};
    std::array<double, 2> tangential{};
  };
  std::vector<Plane> planes;  // 1 … 4
  double center_x = 0.5, center_y = 0.5;
};

// DNG 1.6: 15 coefficients of r⁰ … r¹⁴, valid between two radii; `reciprocal`: by 1 over the polynomial.
struct WarpRectilinear2 {
  struct Plane {
    std::array<double, 15> radial{1};
    std::array<double, 2> tangential{};
    double least_radius = 0, most_radius = 1;
  };
  std::vector<Plane> planes;  // 1 … 4
  double center_x = 0.5, center_y = 0.5;
  bool reciprocal = false;
};

// r' = k0 θ + k1 θ³ + k2 θ⁵ + k3 θ⁷ with θ = atan(r).
struct WarpFisheye {
  std::vector<std::array<double, 4>> planes;  // 1 … 4
  double center_x = 0.5, center_y = 0.5;
};

// value *= 1 + k0 r² + k1 r⁴ … k4 r¹⁰, r as for WarpRectilinear.
struct FixVignetteRadial {
  std::array<double, 5> k{};
  double center_x = 0.5, center_y = 0.5;
};

struct TrimBounds {
  std::int64_t top = 0, left = 0, bottom = 0, right = 0;
};

using DngOpcode = std::variant<FixBadPixelsConstant, FixBadPixelsList, MapTable, MapPolynomial, RowColumnTerm, GainMap,
                               WarpRectilinear, WarpRectilinear2, WarpFisheye, FixVignetteRadial, TrimBounds>;

// In the file's order. What is damaged or unknown ends up in `warnings` ("OpcodeList2: …", one line each) and is left
// out, unless the file says that it may be left out.
std::vector<DngOpcode> parse_opcodes(std::span<const std::uint8_t> list, int list_number,
                                     std::vector<std::string>& warnings);

}  // namespace imago::io
