#include "io/raw/dng_opcodes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace imago::io {
namespace {

// Big-endian values from a stretch of bytes. Past its end everything reads as zero and `ok` turns false.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::size_t left() const { return bytes_.size() - at_; }
  std::span<const std::uint8_t> take(std::size_t count) {
    if (count > left()) {
      ok_ = false;
      return {};
    }
    at_ += count;
    return bytes_.subspan(at_ - count, count);
  }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  // Not finite reads as 0 and is an error.
  double f64() { return finite(std::bit_cast<double>(number(8))); }
  float f32() { return static_cast<float>(finite(static_cast<double>(std::bit_cast<float>(u32())))); }

 private:
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (const std::uint8_t byte : take(size)) value = value << 8 | byte;
    return value;
  }
  double finite(double value) {
    if (std::isfinite(value) && std::abs(value) < 1e12) return value;
    ok_ = false;
    return 0;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

using Parsed = std::optional<DngOpcode>;

OpcodeArea read_area(Reader& in) {
  OpcodeArea area;
  area.top = in.u32();
  area.left = in.u32();
  area.bottom = in.u32();
  area.right = in.u32();
  area.plane = in.u32();
  area.planes = in.u32();
  area.row_pitch = in.u32();
  area.column_pitch = in.u32();
  return area;
}

bool sound(const OpcodeArea& area) {
  return area.bottom >= area.top && area.right >= area.left && area.planes >= 1 && area.row_pitch >= 1 &&
         area.column_pitch >= 1;
}

std::int64_t steps(std::int64_t from, std::int64_t to, std::uint32_t pitch) { return (to - from + pitch - 1) / pitch; }

Parsed bad_pixels_constant(Reader& in) {
  const FixBadPixelsConstant opcode{in.u32()};
  in.u32();  // Bayer phase, which the file's CFA pattern says as well
  return in.ok() ? Parsed(opcode) : std::nullopt;
}

Parsed bad_pixels_list(Reader& in) {
  in.u32();  // Bayer phase
  const std::uint32_t points = in.u32(), areas = in.u32();
  FixBadPixelsList opcode;
  if (std::uint64_t{points} * 8 + std::uint64_t{areas} * 16 > in.left()) return std::nullopt;
  for (std::uint32_t i = 0; i < points; ++i) {
    const std::int64_t row = in.u32();
    opcode.points.push_back({row, in.u32()});
  }
  for (std::uint32_t i = 0; i < areas; ++i) {
    const std::int64_t top = in.u32(), left = in.u32(), bottom = in.u32();
    opcode.areas.push_back({top, left, bottom, in.u32()});
  }
  return in.ok() ? Parsed(std::move(opcode)) : std::nullopt;
}

Parsed trim_bounds(Reader& in) {
  TrimBounds opcode;
  opcode.top = in.u32();
  opcode.left = in.u32();
  opcode.bottom = in.u32();
  opcode.right = in.u32();
  return in.ok() ? Parsed(opcode) : std::nullopt;
}

Parsed map_table(Reader& in) {
  MapTable opcode;
  opcode.area = read_area(in);
  const std::uint32_t count = in.u32();
  if (count < 1 || count > 65536 || std::uint64_t{count} * 2 > in.left()) return std::nullopt;
  for (std::uint32_t i = 0; i < count; ++i) opcode.table.push_back(in.u16());
  return in.ok() && sound(opcode.area) ? Parsed(std::move(opcode)) : std::nullopt;
}

Parsed map_polynomial(Reader& in) {
  MapPolynomial opcode;
  opcode.area = read_area(in);
  const std::uint32_t degree = in.u32();
  if (degree > 8) return std::nullopt;
  for (std::uint32_t i = 0; i <= degree; ++i) opcode.coefficients.push_back(in.f64());
  return in.ok() && sound(opcode.area) ? Parsed(std::move(opcode)) : std::nullopt;
}

Parsed row_column_term(Reader& in, RowColumnTerm::Kind kind) {
  RowColumnTerm opcode;
  opcode.kind = kind;
  opcode.area = read_area(in);
  const std::uint32_t count = in.u32();
  if (std::uint64_t{count} * 4 > in.left() || !sound(opcode.area)) return std::nullopt;
  for (std::uint32_t i = 0; i < count; ++i) opcode.amounts.push_back(in.f32());
  const bool by_row = kind == RowColumnTerm::Kind::delta_per_row || kind == RowColumnTerm::Kind::scale_per_row;
  const std::int64_t wanted = by_row ? steps(opcode.area.top, opcode.area.bottom, opcode.area.row_pitch)
                                     : steps(opcode.area.left, opcode.area.right, opcode.area.column_pitch);
  return in.ok() && count >= wanted ? Parsed(std::move(opcode)) : std::nullopt;
}

Parsed gain_map(Reader& in) {
  GainMap opcode;
  opcode.area = read_area(in);
  const std::uint32_t rows = in.u32(), columns = in.u32();
  opcode.spacing_v = in.f64();
  opcode.spacing_h = in.f64();
  opcode.origin_v = in.f64();
  opcode.origin_h = in.f64();
  const std::uint32_t planes = in.u32();
  if (rows < 1 || columns < 1 || planes < 1 || rows > 65536 || columns > 65536 || planes > 4) return std::nullopt;
  const std::uint64_t count = std::uint64_t{rows} * columns * planes;
  if (count * 4 > in.left() || !sound(opcode.area)) return std::nullopt;
  // One point a direction covers all of it.
  if ((rows > 1 && !(opcode.spacing_v > 0)) || (columns > 1 && !(opcode.spacing_h > 0))) return std::nullopt;
  opcode.rows = static_cast<int>(rows);
  opcode.columns = static_cast<int>(columns);
  opcode.planes = static_cast<int>(planes);
  opcode.gains.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) opcode.gains.push_back(in.f32());
  return in.ok() ? Parsed(std::move(opcode)) : std::nullopt;
}

bool center_is_sound(double x, double y) { return x >= 0 && x <= 1 && y >= 0 && y <= 1; }

Parsed warp_rectilinear(Reader& in) {
  WarpRectilinear opcode;
  const std::uint32_t planes = in.u32();
  if (planes < 1 || planes > 4) return std::nullopt;
  for (std::uint32_t i = 0; i < planes; ++i) {
    WarpRectilinear::Plane plane;
    for (double& k : plane.radial) k = in.f64();
    for (double& t : plane.tangential) t = in.f64();
    opcode.planes.push_back(plane);
  }
  opcode.center_x = in.f64();
  opcode.center_y = in.f64();
  return in.ok() && center_is_sound(opcode.center_x, opcode.center_y) ? Parsed(std::move(opcode)) : std::nullopt;
}

Parsed warp_rectilinear2(Reader& in) {
  WarpRectilinear2 opcode;
  const std::uint32_t planes = in.u32();
  if (planes < 1 || planes > 4) return std::nullopt;
  for (std::uint32_t i = 0; i < planes; ++i) {
    WarpRectilinear2::Plane plane;
    for (double& k : plane.radial) k = in.f64();
    for (double& t : plane.tangential) t = in.f64();
    plane.least_radius = in.f64();
    plane.most_radius = in.f64();
    if (!(plane.most_radius > plane.least_radius)) return std::nullopt;
    opcode.planes.push_back(plane);
  }
  opcode.center_x = in.f64();
  opcode.center_y = in.f64();
  opcode.reciprocal = in.u32() != 0;
  return in.ok() && center_is_sound(opcode.center_x, opcode.center_y) ? Parsed(std::move(opcode)) : std::nullopt;
}

Parsed warp_fisheye(Reader& in) {
  WarpFisheye opcode;
  const std::uint32_t planes = in.u32();
  if (planes < 1 || planes > 4) return std::nullopt;
  for (std::uint32_t i = 0; i < planes; ++i) {
    std::array<double, 4> k{};
    for (double& value : k) value = in.f64();
    opcode.planes.push_back(k);
  }
  opcode.center_x = in.f64();
  opcode.center_y = in.f64();
  return in.ok() && center_is_sound(opcode.center_x, opcode.center_y) ? Parsed(std::move(opcode)) : std::nullopt;
}

Parsed vignette(Reader& in) {
  FixVignetteRadial opcode;
  for (double& k : opcode.k) k = in.f64();
  opcode.center_x = in.f64();
  opcode.center_y = in.f64();
  return in.ok() && center_is_sound(opcode.center_x, opcode.center_y) ? Parsed(opcode) : std::nullopt;
}

bool is_known(std::uint32_t id) { return id >= 1 && id <= 14; }

Parsed parse_one(std::uint32_t id, Reader in) {
  using Kind = RowColumnTerm::Kind;
  switch (id) {
    case 1: return warp_rectilinear(in);
    case 2: return warp_fisheye(in);
    case 3: return vignette(in);
    case 4: return bad_pixels_constant(in);
    case 5: return bad_pixels_list(in);
    case 6: return trim_bounds(in);
    case 7: return map_table(in);
    case 8: return map_polynomial(in);
    case 9: return gain_map(in);
    case 10: return row_column_term(in, Kind::delta_per_row);
    case 11: return row_column_term(in, Kind::delta_per_column);
    case 12: return row_column_term(in, Kind::scale_per_row);
    case 13: return row_column_term(in, Kind::scale_per_column);
    case 14: return warp_rectilinear2(in);
    default: return std::nullopt;
  }
}

}  // namespace

std::vector<DngOpcode> parse_opcodes(std::span<const std::uint8_t> list, int list_number,
                                     std::vector<std::string>& warnings) {
  constexpr std::uint32_t most_opcodes = 4096;
  std::vector<DngOpcode> opcodes;
  if (list.empty()) return opcodes;
  const std::string where = "OpcodeList" + std::to_string(list_number) + ": ";
  Reader in(list);
  const std::uint32_t count = std::min(in.u32(), most_opcodes);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t id = in.u32();
    in.u32();  // the version of the specification that named it
    const bool optional = (in.u32() & 1) != 0;
    const std::uint32_t size = in.u32();
    const auto parameters = in.take(size);
    if (!in.ok()) {
      warnings.push_back(where + "it ends in the middle: some corrections are missing");
      break;
    }
    if (const Parsed opcode = parse_one(id, Reader(parameters))) {
      opcodes.push_back(*opcode);
    } else if (is_known(id)) {
      warnings.push_back(where + "correction " + std::to_string(id) + " is damaged and left out");
    } else if (!optional) {
      warnings.push_back(where + "correction " + std::to_string(id) + " is unknown: the picture may look different");
    }
  }
  return opcodes;
}

}  // namespace imago::io
