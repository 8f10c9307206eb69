#include "develop/stages/source/opcodes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.h"

namespace imago::develop {
namespace {

constexpr int chunk_rows = 32;

float finite(float v) { return std::isfinite(v) ? v : 0.0f; }

// The rows of a picture that an opcode sees: relative to the active area, whose size its positions are fractions of.
struct Frame {
  Rect area;    // of the picture, in pixels of the sensor
  Rect active;  // of the sensor
  int left() const { return area.x - active.x; }
  int top() const { return area.y - active.y; }
};

// Columns of a picture's row that an opcode changes: first, first + step … below end.
struct Columns {
  int first = 0, end = 0, step = 1;
};

// Of picture row y; empty when the opcode passes it over.
Columns columns_of(const io::OpcodeArea& area, const Frame& frame, int y) {
  const std::int64_t row = y + frame.top();
  if (row < area.top || row >= area.bottom || (row - area.top) % area.row_pitch != 0) return {};
  const std::int64_t left = frame.left(), pitch = area.column_pitch;
  std::int64_t first = area.left;
  if (first < left) first += (left - first + pitch - 1) / pitch * pitch;
  const std::int64_t end = std::min<std::int64_t>(area.right, left + frame.area.width);
  if (first >= end) return {};
  return {static_cast<int>(first - left), static_cast<int>(end - left),
          static_cast<int>(std::min<std::int64_t>(pitch, frame.area.width))};
}

// Gains of one map row, already interpolated between the two beside the picture's row.
class GainRow {
 public:
  GainRow(const io::GainMap& map, const Frame& frame, int y) : map_(map), frame_(frame) {
    const double at = ((y + frame.top() + 0.5) / frame.active.height - map.origin_v) / map.spacing_v;
    const double row = map.rows > 1 && std::isfinite(at) ? std::clamp(at, 0.0, map.rows - 1.0) : 0.0;
    const int above = static_cast<int>(row), below = std::min(above + 1, map.rows - 1);
    const auto part = static_cast<float>(row - above);
    gains_.resize(static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.planes));
    for (int column = 0; column < map.columns; ++column) {
      for (int plane = 0; plane < map.planes; ++plane) {
        const float a = map.gain(above, column, plane), b = map.gain(below, column, plane);
        gains_[static_cast<std::size_t>(column * map.planes + plane)] = a + part * (b - a);
      }
    }
  }

  float at(int x, int plane) const {
    const double place = ((x + frame_.left() + 0.5) / frame_.active.width - map_.origin_h) / map_.spacing_h;
    const double column = map_.columns > 1 ? std::clamp(place, 0.0, map_.columns - 1.0) : 0.0;
    const int before = static_cast<int>(column), after = std::min(before + 1, map_.columns - 1);
    const auto part = static_cast<float>(column - before);
    const int p = std::min(plane, map_.planes - 1);
    const float a = gains_[static_cast<std::size_t>(before * map_.planes + p)];
    const float b = gains_[static_cast<std::size_t>(after * map_.planes + p)];
    return a + part * (b - a);
  }

 private:
  const io::GainMap& map_;
  const Frame& frame_;
  std::vector<float> gains_;
};

float table_value(const io::MapTable& map, float v) {
  const float place = std::clamp(v, 0.0f, 1.0f) * 65535.0f;
  const auto last = map.table.size() - 1;
  const auto before = std::min(static_cast<std::size_t>(place), last);
  const auto after = std::min(before + 1, last);
  const float a = static_cast<float>(map.table[before]), b = static_cast<float>(map.table[after]);
  return (a + (place - static_cast<float>(static_cast<int>(place))) * (b - a)) / 65535.0f;
}

float polynomial_value(const std::vector<double>& coefficients, float v) {
  float sum = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) sum = sum * v + static_cast<float>(*c);
  return sum;
}

// Calls change(value, x, plane) for every sample of row y in the opcode's area. `planes`: of the picture.
template <typename Change>
void change_row(const io::OpcodeArea& area, const Frame& frame, int y, int planes, float* row, const Change& change) {
  const Columns columns = columns_of(area, frame, y);
  const int plane_end =
      static_cast<int>(std::min<std::uint64_t>(std::uint64_t{area.plane} + area.planes, static_cast<unsigned>(planes)));
  for (int x = columns.first; x < columns.end; x += columns.step) {
    for (int plane = static_cast<int>(std::min(area.plane, 4u)); plane < plane_end; ++plane) {
      float& v = row[x * planes + plane];
      v = change(v, x, plane);
    }
  }
}

// One opcode on one row. `light(v, x, plane, f)` gives f the light before white balance and takes its answer back.
template <typename Light>
struct RowChange {
  const Frame& frame;
  int y;
  int planes;
  float* row;
  const Light& light;

  void operator()(const io::GainMap& map) const {
    if (columns_of(map.area, frame, y).end == 0) return;
    const GainRow gains(map, frame, y);
    change_row(map.area, frame, y, planes, row, [&](float v, int x, int plane) {
      const float gain = gains.at(x, plane - static_cast<int>(map.area.plane));
      return light(v, x, plane, [gain](float l) { return l * gain; });
    });
  }
  void operator()(const io::MapTable& map) const {
    change_row(map.area, frame, y, planes, row, [&](float v, int x, int plane) {
      return light(v, x, plane, [&](float l) { return table_value(map, l); });
    });
  }
  void operator()(const io::MapPolynomial& map) const {
    change_row(map.area, frame, y, planes, row, [&](float v, int x, int plane) {
      return light(v, x, plane, [&](float l) { return polynomial_value(map.coefficients, l); });
    });
  }
  void operator()(const io::RowColumnTerm& term) const {
    using Kind = io::RowColumnTerm::Kind;
    const bool by_row = term.kind == Kind::delta_per_row || term.kind == Kind::scale_per_row;
    const bool adds = term.kind == Kind::delta_per_row || term.kind == Kind::delta_per_column;
    change_row(term.area, frame, y, planes, row, [&](float v, int x, int plane) {
      const std::int64_t step = by_row ? (y + frame.top() - term.area.top) / term.area.row_pitch
                                       : (x + frame.left() - term.area.left) / term.area.column_pitch;
      const float amount = term.amounts[static_cast<std::size_t>(step)];
      return light(v, x, plane, [&](float l) { return adds ? l + amount : l * amount; });
    });
  }
  void operator()(const io::FixVignetteRadial& vignette) const {
    const double width = frame.active.width, height = frame.active.height;
    const double cx = vignette.center_x * width, cy = vignette.center_y * height;
    const double farthest = std::hypot(std::max(cx, width - cx), std::max(cy, height - cy));
    const double dy = (y + frame.top() + 0.5 - cy) / farthest;
    const auto& k = vignette.k;
    for (int x = 0; x < frame.area.width; ++x) {
      const double dx = (x + frame.left() + 0.5 - cx) / farthest;
      const double r2 = dx * dx + dy * dy;
      const auto gain = static_cast<float>(1 + r2 * (k[0] + r2 * (k[1] + r2 * (k[2] + r2 * (k[3] + r2 * k[4])))));
      for (int plane = 0; plane < planes; ++plane) {
        float& v = row[x * planes + plane];
        v = light(v, x, plane, [gain](float l) { return l * gain; });
      }
    }
  }
  template <typename Other>
  void operator()(const Other&) const {}  // bad pixels, warps
};

template <typename Light>
void apply(std::span<const io::DngOpcode> opcodes, const Frame& frame, int planes, float* pixels,
           const auto& light_of_row) {
  const std::size_t row_samples = static_cast<std::size_t>(frame.area.width) * static_cast<std::size_t>(planes);
  parallel_for(frame.area.height, chunk_rows, [&](RowRange rows) {
    for (int y = rows.begin; y < rows.end; ++y) {
      const Light light = light_of_row(y);
      for (const io::DngOpcode& opcode : opcodes) {
        const RowChange<Light> change{frame, y, planes, pixels + static_cast<std::size_t>(y) * row_samples, light};
        std::visit(change, opcode);
      }
    }
  });
}

// Of a row of a mosaic: the gain and the clip level of each column's colour.
struct MosaicLight {
  const SourcePlan& plan;
  int y;

  template <typename Change>
  float operator()(float v, int x, int, const Change& change) const {
    const auto c = static_cast<std::size_t>(
        plan.layout == io::RawLayout::monochrome ? 0 : plan.cfa.color(plan.window.x + x, plan.window.y + y));
    const float gain = plan.gains[c];
    const float changed = finite(change(v / gain) * gain);
    if (!plan.bounded) return changed;
    return v >= plan.clip[c] ? v : std::min(changed, plan.clip[c]);
  }
};

struct PictureLight {
  const SourcePlan& plan;

  template <typename Change>
  float operator()(float v, int, int plane, const Change& change) const {
    const float gain = plan.gains[static_cast<std::size_t>(plane)];
    return finite(change(v / gain) * gain);
  }
};

}  // namespace

bool changes_light(const io::DngOpcode& opcode) {
  return std::holds_alternative<io::GainMap>(opcode) || std::holds_alternative<io::MapTable>(opcode) ||
         std::holds_alternative<io::MapPolynomial>(opcode) || std::holds_alternative<io::RowColumnTerm>(opcode) ||
         std::holds_alternative<io::FixVignetteRadial>(opcode);
}

bool is_warp(const io::DngOpcode& opcode) {
  return std::holds_alternative<io::WarpRectilinear>(opcode) || std::holds_alternative<io::WarpRectilinear2>(opcode) ||
         std::holds_alternative<io::WarpFisheye>(opcode);
}

void apply_mosaic_opcodes(std::span<const io::DngOpcode> opcodes, const SourcePlan& plan, Plane& mosaic) {
  if (opcodes.empty()) return;
  const Frame frame{plan.window, plan.active};
  apply<MosaicLight>(opcodes, frame, 1, mosaic.pixels.data(), [&](int y) { return MosaicLight{plan, y}; });
}

void apply_picture_opcodes(std::span<const io::DngOpcode> opcodes, const SourcePlan& plan, Rect area, Rgb32f& picture) {
  if (opcodes.empty()) return;
  const Frame frame{area, plan.active};
  apply<PictureLight>(opcodes, frame, 3, picture.pixels.data(), [&](int) { return PictureLight{plan}; });
}

}  // namespace imago::develop
