// Whatever the settings and however small the photo: a render ends, in finite values between 0 and 1.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/field_access.h"
#include "develop/develop.h"
#include "develop/stages/source/source.h"
#include "io/raw/read_raw.h"
#include "pictures/scene_photo.h"

namespace imago::develop {
namespace {

struct Size {
  int width, height;
};
constexpr Size sizes[] = {{1, 1}, {1, 7}, {2, 3}, {3, 2}, {5, 47}, {17, 13}, {33, 6}};

Settings random_settings(std::uint64_t seed) {
  Settings settings;
  for (const Tool& tool : tools) {
    random_fields(tool.fields, reinterpret_cast<char*>(&settings) + tool.offset, seed * 64 + tool.offset);
  }
  return settings;
}

RenderRequest random_request(std::uint64_t seed) {
  RenderRequest request;
  request.settings = random_settings(seed);
  request.long_edge_px = seed % 3 == 0 ? 0 : static_cast<int>(seed % 11) + 1;
  request.format.space = static_cast<OutputSpace>(seed % std::size(output_spaces));
  request.format.linear_light = seed % 5 == 0;
  request.is_draft = seed % 2 == 1;
  return request;
}

void expect_sound(Photo& photo, const RenderRequest& request, const char* what) {
  std::size_t values = 0, unsound = 0;
  const Developed developed = develop(
      photo, request, io::SampleType::f32, Backend::cpu, nullptr, [&](RowRange, std::span<const std::byte> bytes) {
        const std::span<const float> samples(reinterpret_cast<const float*>(bytes.data()), bytes.size() / 4);
        values += samples.size();
        for (const float value : samples) unsound += !(value >= 0 && value <= 1);
      });
  EXPECT_EQ(values, static_cast<std::size_t>(developed.width) * static_cast<std::size_t>(developed.height) * 3);
  EXPECT_EQ(unsound, 0u) << what << ' ' << developed.width << " x " << developed.height;
}

// What a broken file or a stage before may hand over.
Photo odd_photo(Size size, std::uint64_t seed) {
  constexpr float odd[] = {0,
                           1,
                           -1,
                           1e-30f,
                           -1e-30f,
                           1e30f,
                           -1e30f,
                           0.18f,
                           65504,
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN()};
  Photo photo;
  photo.name = "odd";
  photo.source = Rgb32f(size.width, size.height);
  photo.orientation = static_cast<int>(seed % 8) + 1;
  photo.key = seed;
  for (float& value : photo.source.pixels) value = odd[(seed = mix64(seed)) % std::size(odd)];
  return photo;
}

TEST(Renders, AreFiniteForAnySettingsAndAnyInput) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Photo photo = odd_photo(sizes[seed % std::size(sizes)], seed);
    const RenderRequest request = random_request(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_sound(photo, request, "odd values");
    if (HasFailure()) return;
  }
}

// The top left of a scene's raw; LibRaw itself opens none below 22 rows.
io::RawImage tiny_raw(Size size, bool linear, double exposure) {
  const io::TemporaryFolder folder;
  io::RawImage raw = io::read_raw(
      write_scene(folder.path / "scene.dng", {.width = 48, .height = 48, .exposure = exposure, .linear = linear}));
  const auto channels = static_cast<std::size_t>(raw.channels());
  const std::size_t row = static_cast<std::size_t>(size.width) * channels;
  PixelBuffer<std::uint16_t> samples(row * static_cast<std::size_t>(size.height));
  for (int y = 0; y < size.height; ++y) {
    const std::size_t from = static_cast<std::size_t>(y) * static_cast<std::size_t>(raw.width) * channels;
    std::copy_n(raw.samples.data() + from, row, samples.data() + static_cast<std::size_t>(y) * row);
  }
  raw.samples = std::move(samples);
  raw.width = size.width;
  raw.height = size.height;
  raw.active_area = raw.default_crop = {0, 0, size.width, size.height};
  return raw;
}

TEST(Renders, OfTinyRawsAreFinite) {
  for (const Size& size : sizes) {
    for (const bool linear : {false, true}) {
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        SCOPED_TRACE(testing::Message() << size.width << " x " << size.height << ", seed " << seed);
        const RenderRequest request = random_request(seed);
        io::RawImage raw = tiny_raw(size, linear, seed % 2 == 0 ? 0.5 : 50);
        const SourcePlan plan = plan_source(raw, request.settings.source);
        Photo photo;
        photo.name = "tiny";
        photo.orientation = static_cast<int>(seed % 8) + 1;
        photo.key = seed + 1;
        photo.source = develop_source(std::move(raw), plan);
        ASSERT_EQ(photo.source.width, size.width);
        ASSERT_EQ(photo.source.height, size.height);
        for (const float value : photo.source.pixels) ASSERT_TRUE(std::isfinite(value));
        expect_sound(photo, request, "tiny raw");
      }
    }
  }
}

TEST(Renders, OfOneRequestAreTheSameBitsEveryTime) {
  const scene::SceneRaw raw = scene_raw({.width = 60, .height = 40});
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::vector<std::byte> first, second;
    for (std::vector<std::byte>* bytes : {&first, &second}) {
      Photo photo = photo_of(raw);
      StageCache cache;
      develop(
          photo, random_request(seed), io::SampleType::u8, Backend::cpu, bytes == &first ? nullptr : &cache,
          [&](RowRange, std::span<const std::byte> rows) { bytes->insert(bytes->end(), rows.begin(), rows.end()); });
    }
    EXPECT_EQ(first, second) << "seed " << seed;
  }
}

}  // namespace
}  // namespace imago::develop
