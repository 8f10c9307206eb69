// Developed pictures against those that were looked at and committed: NNNN-name/{settings.json,expected.png}.
// settings.json: {"scene": {…}, "settings": {…}}; the scene is a raw of the analytic scene without noise (members:
// exposure, orientation, linear), the settings are as in a sidecar. With IMAGO_BLESS=1 the pictures are written anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "color/delta_e.h"
#include "color/transfer.h"
#include "develop/develop.h"
#include "develop/settings/settings_json.h"
#include "io/picture_reader.h"
#include "io/picture_writer.h"
#include "pictures/scene_photo.h"

namespace imago::develop {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// CIEDE2000. The renders are exact where they run, so this is for compilers and their libraries alone.
constexpr double most_mean = 0.05, most_anywhere = 1;

std::vector<fs::path> cases() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(IMAGO_GOLDEN_FOLDER)) {
    if (fs::exists(entry.path() / "settings.json")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string name_of(const testing::TestParamInfo<fs::path>& test) {
  std::string name = test.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

Rgb8 developed(const fs::path& folder) {
  std::ifstream file(folder / "settings.json");
  const json document = json::parse(file);
  const json& scene = document.at("scene");
  SceneRequest wanted{.width = 300, .height = 200};
  wanted.exposure = scene.value("exposure", wanted.exposure);
  wanted.orientation = scene.value("orientation", wanted.orientation);
  wanted.linear = scene.value("linear", wanted.linear);
  RenderRequest request;
  std::vector<std::string> unknown;
  request.settings = settings_from_json(document.at("settings"), unknown);
  EXPECT_TRUE(unknown.empty()) << "unknown setting " << unknown.front();
  request.format.dither = false;
  const io::TemporaryFolder temporary;
  Photo photo = open_photo(write_scene(temporary.path / "scene.dng", wanted), request.settings.source);
  const Plan planned = plan(photo, request);
  Rgb8 picture(planned.width, planned.height);
  develop(photo, request, io::SampleType::u8, Backend::cpu, nullptr,
          [&](RowRange rows, std::span<const std::byte> bytes) {
            std::memcpy(picture.row(rows.begin), bytes.data(), bytes.size());
          });
  return picture;
}

void write_png(const fs::path& path, const Rgb8& picture) {
  const auto writer = io::open_picture(path, picture.width, picture.height,
                                       {.format = io::FileFormat::png, .compression = 9, .pixels_per_inch = 72});
  io::write_samples<std::uint8_t>(*writer, {picture.pixels.data(), picture.pixels.size()});
  writer->finish();
}

color::Lab lab_of(const std::uint8_t* srgb) {
  static constexpr color::Matrix3 xyz_from_srgb = color::xyz_from_rgb(color::srgb_primaries);
  color::Vector3 linear{};
  for (std::size_t k = 0; k < 3; ++k) linear[k] = color::decode(color::Transfer::srgb, srgb[k] / 255.0);
  return color::lab_from_xyz(xyz_from_srgb * linear, color::xyz_from_xy(color::d65));
}

struct Difference {
  double mean = 0, most = 0;
};

Difference difference_of(const Rgb8& a, const Rgb8& b) {
  Difference out;
  for (std::size_t i = 0; i < a.pixels.size(); i += 3) {
    if (std::equal(a.pixels.data() + i, a.pixels.data() + i + 3, b.pixels.data() + i)) continue;
    const double here = color::delta_e_2000(lab_of(a.pixels.data() + i), lab_of(b.pixels.data() + i));
    out.mean += here;
    out.most = std::max(out.most, here);
  }
  out.mean *= 3.0 / static_cast<double>(a.pixels.size());
  return out;
}

// Middle grey where they agree.
Rgb8 difference_picture(const Rgb8& a, const Rgb8& b) {
  Rgb8 out(a.width, a.height);
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    out.pixels[i] = static_cast<std::uint8_t>(std::clamp(128 + 8 * (a.pixels[i] - b.pixels[i]), 0, 255));
  }
  return out;
}

class Golden : public testing::TestWithParam<fs::path> {};

INSTANTIATE_TEST_SUITE_P(Pictures, Golden, testing::ValuesIn(cases()), name_of);

TEST_P(Golden, LooksAsItDid) {
  const fs::path expected_file = GetParam() / "expected.png";
  const Rgb8 picture = developed(GetParam());
  if (const char* bless = std::getenv("IMAGO_BLESS"); bless != nullptr && std::string_view(bless) == "1") {
    write_png(expected_file, picture);
    return;
  }
  const io::Picture expected = io::read_picture(expected_file);
  ASSERT_EQ(picture.width, expected.rgb8.width);
  ASSERT_EQ(picture.height, expected.rgb8.height);
  const Difference difference = difference_of(picture, expected.rgb8);
  if (difference.mean <= most_mean && difference.most <= most_anywhere) return;
  const fs::path seen = fs::path(IMAGO_GOLDEN_OUTPUT) / GetParam().filename();
  fs::create_directories(seen);
  write_png(seen / "actual.png", picture);
  write_png(seen / "difference.png", difference_picture(picture, expected.rgb8));
  ADD_FAILURE() << "CIEDE2000 mean " << difference.mean << " (at most " << most_mean << "), max " << difference.most
                << " (at most " << most_anywhere << "). Look at actual.png and difference.png (8 times) in "
                << seen.string() << "; when the change is meant, run tests/golden/bless.sh";
}

TEST(GoldenPictures, AreThere) { EXPECT_GE(cases().size(), 8u); }

}  // namespace
}  // namespace imago::develop
