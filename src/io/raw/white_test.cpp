// White of a raw: saturation, masked black, and what stands in for a missing as-shot white balance.
#include <gtest/gtest.h>

#include <cmath>

#include "color/dng_color.h"
#include "color/transfer.h"
#include "io/raw/automatic_white.h"
#include "io/raw/levels.h"
#include "io/raw/white_balance.h"
#include "io/raw/white_levels.h"

namespace imago::io {
namespace {

constexpr RawMatrix sony_d65 = {0.7374, -0.2389, -0.0551, -0.5435, 1.3162, 0.2519, -0.1006, 0.1795, 0.6552};
constexpr RawMatrix sony_a = {0.6640, -0.1847, -0.0503, -0.5238, 1.3010, 0.2474, -0.0993, 0.1673, 0.6527};

RawImage camera(int width, int height) {
  RawImage image;
  image.width = width;
  image.height = height;
  image.active_area = image.default_crop = {0, 0, width, height};
  image.cfa = {2, 2, {0, 1, 3, 2}};
  image.calibrations = {{.illuminant = 17, .cct_kelvin = 2856, .color_matrix = sony_a, .forward_matrix = {}},
                        {.illuminant = 21, .cct_kelvin = 6504, .color_matrix = sony_d65, .forward_matrix = {}}};
  image.black.per_channel.fill(500);
  image.white.fill(16000);
  image.clip.fill(15990);
  image.samples = PixelBuffer<std::uint16_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return image;
}

// Patches of 48 pixels whose colours are those of things: two fifths greyish, the rest green, brown, blue, skin.
color::Vector3 surface(int column, int row) {
  constexpr color::Vector3 colors[] = {{0.5, 0.5, 0.5},    {0.12, 0.2, 0.06}, {0.2, 0.2, 0.21}, {0.3, 0.2, 0.12},
                                       {0.15, 0.25, 0.45}, {0.7, 0.7, 0.68},  {0.4, 0.28, 0.2}, {0.25, 0.24, 0.25},
                                       {0.1, 0.16, 0.05},  {0.35, 0.36, 0.35}};
  return colors[static_cast<std::size_t>((column * 3 + row * 7) % 10)];
}

constexpr int patch = 48;

// The surfaces under `light`, exposed so that nothing clips.
RawImage picture_under(const color::Temperature& light) {
  RawImage image = camera(patch * 12, patch * 8);
  const color::CameraProfile profile = camera_profile_of(image);
  const color::CameraColor seen = color::camera_color_from_white(profile, color::xy_from_temperature(light));
  const color::Matrix3 balanced_from_working = inverse(seen.working_from_balanced);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const color::Vector3 balanced = balanced_from_working * surface(x / patch, y / patch);
      const auto c = static_cast<std::size_t>(image.cfa.color(x, y));
      const double sample = std::max(balanced[c], 0.0) / seen.gains[c];
      image.samples[static_cast<std::size_t>(y * image.width + x)] =
          static_cast<std::uint16_t>(std::lround(500 + 15000 * sample));
    }
  }
  return image;
}

Rgb8 preview_of_surfaces(int side) {
  Rgb8 preview(side * 12, side * 8);
  for (int y = 0; y < preview.height; ++y) {
    for (int x = 0; x < preview.width; ++x) {
      const color::Vector3 srgb =
          color::rgb_from_rgb(color::srgb_primaries, color::rec2020_primaries) * surface(x / side, y / side);
      for (std::size_t c = 0; c < 3; ++c) {
        // a camera's tone curve, brighter and steeper
        const double light = std::pow(std::clamp(srgb[c], 0.0, 1.0), 1.2) * 1.25;
        preview.at(x, y)[c] =
            static_cast<std::uint8_t>(std::lround(255 * color::encode(color::Transfer::srgb, std::min(light, 1.0))));
      }
    }
  }
  return preview;
}

color::Temperature light_of(const RawImage& image, const std::array<double, 3>& neutral) {
  return color::temperature_from_xy(
      color::white_from_neutral(camera_profile_of(image), {neutral[0], neutral[1], neutral[2]}));
}

TEST(AutomaticWhite, FindsTheLightOfAPictureWithSomeGreyInIt) {
  for (const double kelvin : {2900.0, 4000.0, 5200.0, 6500.0, 8500.0}) {
    const RawImage image = picture_under({.kelvin = kelvin, .tint = 5});
    const auto neutral = automatic_neutral(image);
    ASSERT_TRUE(neutral);
    const color::Temperature found = light_of(image, *neutral);
    // Steps of 5 mired, and the prior's pull towards daylight.
    EXPECT_NEAR(1e6 / found.kelvin, 1e6 / kelvin, 15) << kelvin;
    EXPECT_NEAR(found.tint, 5, 10) << kelvin;
  }
}

TEST(AutomaticWhite, HasNothingToSayOfDarknessAndOfOnlyClippedPictures) {
  RawImage image = camera(patch * 12, patch * 8);
  std::fill(image.samples.begin(), image.samples.end(), std::uint16_t{500});
  EXPECT_FALSE(automatic_neutral(image));
  std::fill(image.samples.begin(), image.samples.end(), std::uint16_t{16000});
  EXPECT_FALSE(automatic_neutral(image));
}

TEST(PreviewWhite, IsReadOffTheCamerasOwnRendering) {
  const Rgb8 preview = preview_of_surfaces(12);
  for (const double kelvin : {2700.0, 3200.0, 5200.0, 9000.0}) {
    const RawImage image = picture_under({.kelvin = kelvin, .tint = -8});
    const auto neutral = preview_neutral(image, preview);
    ASSERT_TRUE(neutral);
    const color::Temperature found = light_of(image, *neutral);
    EXPECT_NEAR(1e6 / found.kelvin, 1e6 / kelvin, 3) << kelvin;  // 8-bit preview
    EXPECT_NEAR(found.tint, -8, 2) << kelvin;
  }
}

TEST(PreviewWhite, APreviewOfAnotherFrameSaysNothing) {
  const RawImage image = picture_under({.kelvin = 5200, .tint = 0});
  EXPECT_FALSE(preview_neutral(image, Rgb8(160, 160)));
  EXPECT_FALSE(preview_neutral(image, Rgb8()));
}

TEST(WhiteLevels, KnownCamerasSaturateBelowTheirCodeRange) {
  EXPECT_EQ(known_saturation("Canon", "EOS 77D", 160, false)->codes[1], 10755);
  EXPECT_EQ(known_saturation("Canon", "EOS 77D", 200, false)->codes[1], 14338);
  EXPECT_EQ(known_saturation("GoPro", "HERO6 Black", 100, true)->codes[2], 15030);
  EXPECT_FALSE(known_saturation("Canon", "EOS 77D", 160, true));  // a converted DNG names its own
  EXPECT_FALSE(known_saturation("Canon", "EOS 6D", 100, false));
}

TEST(WhiteLevels, ARedThatSaturatesAfterGreenKeepsItsRange) {
  RawImage image = camera(64, 64);
  image.info.make = "Nikon";
  image.info.model = "D800";
  image.clip = {};
  correct_white(image, 16383);
  find_clip_levels(image);
  EXPECT_EQ(image.white[0], 15700);
  EXPECT_EQ(image.clip[0], 16300);
  EXPECT_EQ(image.clip[1], 15700);
  EXPECT_EQ(image.clip[3], 15700);
}

TEST(WhiteLevels, ALevelAboveTheFilesOwnRangeIsNotBelieved) {
  RawImage image = camera(64, 64);
  image.info.make = "Nikon";
  image.info.model = "D800";
  image.white.fill(4095);  // 12-bit files
  correct_white(image, 4095);
  EXPECT_EQ(image.white[1], 4095);
}

TEST(ClipLevels, APileWithStragglersAboveItIsFound) {
  RawImage image = camera(256, 256);
  image.clip = {};
  // A lossy codec: 20 % pile up around 15580 ± 30, one in 200 lies above, the rest is a scene.
  for (std::size_t i = 0; i < image.samples.size(); ++i) {
    image.samples[i] = static_cast<std::uint16_t>(i % 5 == 0     ? 15550 + i * 7 % 61
                                                  : i % 197 == 0 ? 15700 + i * 13 % 300
                                                                 : 600 + i * 37 % 13000);
  }
  find_clip_levels(image);
  for (const float clip : image.clip) {
    EXPECT_GE(clip, 15540);
    EXPECT_LE(clip, 15556);
  }
}

TEST(ClipLevels, ABrightWallIsNotTakenForClipping) {
  RawImage image = camera(256, 256);
  image.clip = {};
  // Even light at 0.93 of white with the noise of 60000 electrons at white, sigma 60 codes, as sums of six.
  std::uint32_t seed = 1;
  const auto random = [&] { return (seed = seed * 1664525u + 1013904223u) >> 16; };
  for (std::uint16_t& sample : image.samples) {
    int sum = 0;
    for (int i = 0; i < 6; ++i) sum += static_cast<int>(random() % 86);
    sample = static_cast<std::uint16_t>(14900 + sum - 255);
  }
  find_clip_levels(image);
  for (const float clip : image.clip) EXPECT_GT(clip, 15900);
}

TEST(MaskedBlack, IsTheMeanOfTheBorderWhereTheHeaderNamesNone) {
  RawImage image = camera(64, 64);
  image.black = {};
  for (std::size_t i = 0; i < image.samples.size(); ++i) image.samples[i] = 3000;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 8; ++x) {
      image.samples[static_cast<std::size_t>(y * 64 + x)] =
          static_cast<std::uint16_t>(512 + 4 * image.cfa.channel(x, y) + (x + y) / 2 % 2);
    }
  }
  measure_masked_black(image, {{0, 0, 8, 64}});
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_NEAR(image.black.per_channel[c], 512.5f + 4 * static_cast<float>(c), 0.1f);
  }
  RawImage lit = camera(64, 64);
  lit.black = {};
  for (std::size_t i = 0; i < lit.samples.size(); ++i) lit.samples[i] = 9000;
  measure_masked_black(lit, {{0, 0, 8, 64}});
  EXPECT_EQ(lit.black.per_channel[0], 0);
}

}  // namespace
}  // namespace imago::io
