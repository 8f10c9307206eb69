#include "io/lut/lut_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "io/byte_source.h"
#include "io/picture_reader.h"

namespace imago::io {
namespace {

constexpr int largest_cube = 256;
constexpr int largest_curve = 65536;

// One line cut into words.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}
  std::string_view next() {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; };
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    std::size_t length = 0;
    while (length < rest_.size() && !is_space(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

std::optional<float> number(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  float value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  // Numbers too small for a float are 0 to everyone else.
  if (error == std::errc::result_out_of_range && end == word.data() + word.size() &&
      word.find("e-") != std::string_view::npos) {
    return 0.0f;
  }
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

struct CubeText {
  const std::string& name;
  color::Lut lut;
  std::size_t line = 0;
  std::size_t wanted_curve = 0, wanted_cube = 0;  // numbers

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input, fmt::format("{}:{}: {}", name, line, what));
  }

  float read(Words& words, std::string_view what) const {
    const std::string_view word = words.next();
    const std::optional<float> value = number(word);
    if (!value) fail(fmt::format("{}: '{}' is no number", what, word.substr(0, 40)));
    return *value;
  }

  int read_size(Words& words, int largest) const {
    const float value = read(words, "size");
    if (!(value >= 2 && value <= static_cast<float>(largest)) || value != std::floor(value)) {
      fail(fmt::format("a size of {} is outside 2..{}", value, largest));
    }
    return static_cast<int>(value);
  }

  void read_triple(Words& words, std::string_view what, std::array<float, 3>& out) const {
    for (float& value : out) value = read(words, what);
  }

  void read_range(Words& words, std::array<float, 3>& low, std::array<float, 3>& high) const {
    low.fill(read(words, "range"));
    high.fill(read(words, "range"));
  }

  // False: the line is no keyword.
  bool keyword(std::string_view word, Words& words) {
    if (word == "TITLE") {
      const std::string_view rest = words.rest();
      const std::size_t first = rest.find('"'), last = rest.rfind('"');
      if (first != std::string_view::npos && last > first) lut.title = rest.substr(first + 1, last - first - 1);
    } else if (word == "LUT_1D_SIZE") {
      lut.curve_size = read_size(words, largest_curve);
      wanted_curve = 3 * static_cast<std::size_t>(lut.curve_size);
    } else if (word == "LUT_3D_SIZE") {
      lut.cube_size = read_size(words, largest_cube);
      const auto size = static_cast<std::size_t>(lut.cube_size);
      wanted_cube = 3 * size * size * size;
    } else if (word == "DOMAIN_MIN") {
      read_triple(words, word, lut.curve_min);
      lut.cube_min = lut.curve_min;
    } else if (word == "DOMAIN_MAX") {
      read_triple(words, word, lut.curve_max);
      lut.cube_max = lut.curve_max;
    } else if (word == "LUT_1D_INPUT_RANGE") {
      read_range(words, lut.curve_min, lut.curve_max);
    } else if (word == "LUT_3D_INPUT_RANGE") {
      read_range(words, lut.cube_min, lut.cube_max);
    } else {
      const char first = word.front();
      return (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z') || first == '_';
    }
    return true;
  }

  void entry(std::string_view word, Words& words) {
    if (wanted_curve + wanted_cube == 0) fail("numbers before LUT_1D_SIZE or LUT_3D_SIZE");
    std::vector<float>& into = lut.curves.size() < wanted_curve ? lut.curves : lut.cube;
    if (&into == &lut.cube && lut.cube.size() >= wanted_cube) fail("more entries than the size says");
    const std::optional<float> first = number(word);
    if (!first) fail(fmt::format("'{}' is no number", word.substr(0, 40)));
    into.push_back(*first);
    into.push_back(read(words, "entry"));
    into.push_back(read(words, "entry"));
    if (!words.next().empty()) fail("more than three numbers");
  }

  void check() const {
    if (wanted_curve + wanted_cube == 0) throw Error(ErrorKind::input, name + ": no LUT_1D_SIZE or LUT_3D_SIZE");
    const std::size_t have = lut.curves.size() + lut.cube.size();
    if (have != wanted_curve + wanted_cube) {
      throw Error(ErrorKind::input, fmt::format("{}: {} entries where its size asks for {}", name, have / 3,
                                                (wanted_curve + wanted_cube) / 3));
    }
    for (std::size_t c = 0; c < 3; ++c) {
      if (!(lut.curve_min[c] < lut.curve_max[c]) || !(lut.cube_min[c] < lut.cube_max[c])) {
        throw Error(ErrorKind::input, name + ": its domain is empty: minimum not below maximum");
      }
    }
  }
};

// A picture of level^3 by level^3 pixels (or any shape of as many), red fastest: a cube of level^2.
color::Lut hald_from_picture(const Picture& picture, const std::string& name) {
  const std::size_t pixels =
      static_cast<std::size_t>(picture.info.width) * static_cast<std::size_t>(picture.info.height);
  int size = static_cast<int>(std::lround(std::cbrt(static_cast<double>(pixels))));
  if (size < 4 || size > largest_cube ||
      static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * static_cast<std::size_t>(size) != pixels) {
    throw Error(ErrorKind::input, fmt::format("{}: {} x {} pixels are no HaldCLUT (512 x 512 is one of level 8)", name,
                                              picture.info.width, picture.info.height));
  }
  color::Lut lut;
  lut.cube_size = size;
  lut.cube.resize(3 * pixels);
  for (std::size_t i = 0; i < lut.cube.size(); ++i) {
    if (!picture.rgb8.empty()) {
      lut.cube[i] = static_cast<float>(picture.rgb8.pixels[i]) / 255;
    } else if (!picture.rgb16.empty()) {
      lut.cube[i] = static_cast<float>(picture.rgb16.pixels[i]) / 65535;
    } else {
      const float value = picture.rgb32f.pixels[i];
      lut.cube[i] = std::isfinite(value) ? value : 0.0f;
    }
  }
  return lut;
}

}  // namespace

color::Lut parse_cube(std::string_view text, const std::string& name) {
  CubeText cube{name, {}};
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    std::string_view line = text.substr(0, end);
    ++cube.line;
    if (end == std::string_view::npos) {
      text = {};
    } else {
      const bool pair = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
      text.remove_prefix(end + (pair ? 2 : 1));
    }
    Words words(line);
    const std::string_view word = words.next();
    if (word.empty() || word.front() == '#') continue;
    if (!cube.keyword(word, words)) cube.entry(word, words);
  }
  cube.check();
  return std::move(cube.lut);
}

color::Lut read_lut(const std::filesystem::path& path) {
  const std::string name = name_of(path);
  const std::vector<std::byte> bytes = read_file(path, std::uint64_t{1} << 30);
  const auto starts_with = [&](std::string_view magic) {
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
  };
  const bool picture = starts_with("\x89PNG") || starts_with("\xFF\xD8") || starts_with("II*") || starts_with("MM");
  if (picture) return hald_from_picture(read_picture(bytes, name), name);
  return parse_cube({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name);
}

}  // namespace imago::io
