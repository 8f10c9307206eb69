#include "develop/stages/source/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "develop/stages/source/test_raw.h"

namespace imago::develop {
namespace {

using testing::HasSubstr;

constexpr BayerPhase phases[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};

// A code is 1/13788 of the range; white balance doubles red's.
constexpr double one_code = 2.0 / (16300 - 512);

void expect_colour(const Rgb32f& picture, int x, int y, const Light& expected, double tolerance) {
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(static_cast<double>(picture.at(x, y)[c]), expected[c], tolerance) << x << ", " << y << " colour " << c;
  }
}

double largest_difference(const Rgb32f& a, const Rgb32f& b) {
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  double largest = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::fabs(a.pixels[i] - b.pixels[i])));
  }
  return largest;
}

void expect_error(const io::RawImage& raw, const char* part) {
  try {
    plan_source(raw, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(Source, AUniformColourComesOutAsItWentIn) {
  for (const BayerPhase phase : phases) {
    for (const Light& light : {Light{0.18, 0.18, 0.18}, Light{0.3, 0.1, 0.05}, Light{0.02, 0.2, 0.6}, Light{0, 0, 0}}) {
      const Rgb32f picture = developed(test_raw({.phase = phase}, [&](int, int) { return light; }));
      ASSERT_EQ(picture.width, 64);
      ASSERT_EQ(picture.height, 48);
      for (const auto& [x, y] : {std::pair{0, 0}, {63, 0}, {0, 47}, {63, 47}, {31, 20}}) {
        expect_colour(picture, x, y, light, one_code);
      }
    }
  }
}

TEST(Source, LinearAndMonochromeRawsAreLevelledAlike) {
  const auto ramp = [](int x, int y) { return Light{0.01 * x, 0.005 * (x + y), 0.01 * y}; };
  const Rgb32f linear = developed(test_raw({.layout = io::RawLayout::linear}, ramp));
  for (int y = 0; y < 48; y += 7) {
    for (int x = 0; x < 64; x += 9) expect_colour(linear, x, y, ramp(x, y), one_code);
  }
  const auto grey = [](int x, int) { return Light{0.015 * x, 0.015 * x, 0.015 * x}; };
  const Rgb32f mono = developed(test_raw({.gains = {1, 1, 1}, .layout = io::RawLayout::monochrome}, grey));
  for (int x = 0; x < 64; x += 9) expect_colour(mono, x, 5, grey(x, 0), one_code);
}

TEST(Source, BlackIsTakenOffByChannelPatternRowAndColumn) {
  io::RawImage raw = test_raw({}, [](int, int) { return Light{0.2, 0.2, 0.2}; });
  // Every kind of black, added to the codes and declared.
  raw.black.pattern_width = raw.black.pattern_height = 2;
  raw.black.pattern = {3, 7, 11, 5};
  for (int y = 0; y < raw.height; ++y) raw.black.delta_rows.push_back(static_cast<float>(y % 3 - 1));
  for (int x = 0; x < raw.width; ++x) raw.black.delta_columns.push_back(static_cast<float>(x % 5 - 2));
  std::size_t i = 0;
  for (int y = 0; y < raw.height; ++y) {
    for (int x = 0; x < raw.width; ++x) {
      const int more =
          static_cast<int>(raw.black.pattern[static_cast<std::size_t>(2 * (y % 2) + x % 2)]) + y % 3 - 1 + x % 5 - 2;
      raw.samples[i] = static_cast<std::uint16_t>(raw.samples[i] + more);
      ++i;
    }
  }
  const Rgb32f picture = developed(std::move(raw));
  // White did not move with black: the range shrank by up to 11 + 3 of 15788 codes.
  for (int y = 0; y < picture.height; y += 5) {
    for (int x = 0; x < picture.width; x += 7)
      expect_colour(picture, x, y, {0.2, 0.2, 0.2}, 0.2 * 14 / 15788 + one_code);
  }
}

TEST(Source, MaskedBordersAndCropsAreLeftOut) {
  const auto ramp = [](int x, int y) { return Light{0.2 + 0.004 * x, 0.2 + 0.004 * x, 0.2 + 0.004 * y}; };
  for (const BayerPhase phase : phases) {
    const io::RawImage whole = test_raw({.phase = phase}, ramp);
    const Rgb32f all = developed(test_raw({.phase = phase}, ramp));
    for (const Rect crop : {Rect{0, 0, 64, 48}, Rect{1, 0, 31, 17}, Rect{0, 1, 7, 47}, Rect{9, 11, 1, 1}}) {
      io::RawImage raw = test_raw({.phase = phase}, ramp);
      raw.default_crop = crop;
      const Rgb32f part = developed(std::move(raw));
      ASSERT_EQ(part.width, crop.width);
      ASSERT_EQ(part.height, crop.height);
      for (int y = 0; y < part.height; ++y) {
        for (int x = 0; x < part.width * 3; ++x) {
          ASSERT_EQ(part.row(y)[x], all.row(crop.y + y)[3 * crop.x + x]) << "crop at " << crop.x << ", " << crop.y;
        }
      }
    }
    static_cast<void>(whole);
  }
  // An active area that begins on odd pixels: the phase is the mosaic's own.
  io::RawImage raw = test_raw({}, [](int, int) { return Light{0.4, 0.2, 0.1}; });
  raw.active_area = {3, 5, 50, 40};
  raw.default_crop = {2, 2, 40, 30};
  expect_colour(developed(std::move(raw)), 20, 15, {0.4, 0.2, 0.1}, one_code);
}

TEST(Source, TinyMosaicsDevelop) {
  for (int height = 2; height <= 6; ++height) {
    for (int width = 2; width <= 6; ++width) {
      const Rgb32f picture = developed(test_raw({.width = width, .height = height}, [](int, int) {
        return Light{0.3, 0.3, 0.3};
      }));
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) expect_colour(picture, x, y, {0.3, 0.3, 0.3}, one_code);
      }
    }
  }
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}}) {
    const Rgb32f picture = developed(test_raw({.width = width, .height = height}, [](int, int) {
      return Light{0.3, 0.3, 0.3};
    }));
    for (const float value : picture.pixels) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(Source, ThreadsChangeNoBit) {
  const auto busy = [](int x, int y) {
    const double v = 0.5 + 0.5 * std::sin(x * 0.9) * std::cos(y * 0.7);
    return Light{1.6 * v, 1.4 * v * v, 1.5 * (1 - v)};
  };
  const int threads = thread_count();
  set_thread_count(1);
  const Rgb32f one = developed(test_raw({.width = 1100, .height = 400}, busy));
  set_thread_count(5);
  const Rgb32f five = developed(test_raw({.width = 1100, .height = 400}, busy));
  set_thread_count(threads);
  EXPECT_EQ(largest_difference(one, five), 0);
}

TEST(Source, FloatingPointSamplesGoBeyondWhiteAndWhatIsNotFiniteIsBlack) {
  io::RawImage raw = test_raw({.gains = {1, 1, 1}, .black = 0, .white = 1}, [](int, int) { return Light{}; });
  raw.float_samples = PixelBuffer<float>(raw.samples.size());
  raw.samples = {};
  for (std::size_t i = 0; i < raw.float_samples.size(); ++i) raw.float_samples[i] = 8.0F;
  raw.float_samples[20 * 64 + 30] = std::numeric_limits<float>::quiet_NaN();
  raw.float_samples[22 * 64 + 34] = std::numeric_limits<float>::infinity();
  const Rgb32f picture = developed(std::move(raw));
  expect_colour(picture, 3, 3, {8, 8, 8}, 1e-4);
  for (const float value : picture.pixels) ASSERT_TRUE(std::isfinite(value));
}

// --- Highlights -----------------------------------------------------------------------------------------------------

// Paper of `level` in coloured surroundings, which teach a mean difference that is not the paper's.
Rgb32f paper(double level, const Light& around, std::int32_t method = 0) {
  const auto light = [&](int x, int y) {
    const bool inside = x > 20 && x < 76 && y > 16 && y < 56;
    return inside ? Light{level, level, level} : around;
  };
  SourceSettings settings;
  settings.highlights = method;
  return developed(test_raw({.width = 96, .height = 72}, light), settings);
}

TEST(Highlights, WhitePaperStaysWhiteHoweverMuchOfItIsClipped) {
  for (const Light& around : {Light{0.5, 0.25, 0.1}, Light{0.1, 0.3, 0.6}, Light{0.05, 0.05, 0.05}}) {
    for (const double level : {0.9, 1.02, 1.2, 1.4, 1.6, 2.2, 5.0}) {
      const Rgb32f picture = paper(level, around);
      const float* middle = picture.at(48, 36);
      const auto [low, high] = std::minmax({middle[0], middle[1], middle[2]});
      EXPECT_LE(high - low, 0.02F * high)
          << "level " << level << ": " << middle[0] << " " << middle[1] << " " << middle[2];
      EXPECT_GE(static_cast<double>(low), std::min(level, 1.4) - 0.01) << "level " << level;
    }
  }
}

TEST(Highlights, OneClippedColourIsJudgedFromTheOthers) {
  // Green clips at 1; red and blue are whole.
  const Rgb32f picture = paper(1.3, {0.2, 0.2, 0.2});
  expect_colour(picture, 48, 36, {1.3, 1.3, 1.3}, 0.01);
}

TEST(Highlights, NothingInsideABurntLampIsDarkerThanItsClippingLevel) {
  const auto lamp = [](int x, int y) {
    const double r2 = (x - 24.3) * (x - 24.3) + (y - 20.1) * (y - 20.1);
    return Light{0.05 + 6 * std::exp(-r2 / 60), 0.03 + 2 * std::exp(-r2 / 60), 0.02 + 0.3 * std::exp(-r2 / 60)};
  };
  const Rgb32f picture = developed(test_raw({}, lamp));
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      if (lamp(x, y)[0] < 4) continue;  // well inside: red clips at 2
      EXPECT_GT(picture.at(x, y)[0], 1.9F) << x << ", " << y;
      EXPECT_GT(picture.at(x, y)[1], 0.95F) << x << ", " << y;
    }
  }
}

TEST(Highlights, ClippingLeavesNothingAboveWhite) {
  const Rgb32f picture = paper(5, {0.5, 0.25, 0.1}, 1);
  expect_colour(picture, 48, 36, {1, 1, 1}, 1e-4);
}

TEST(Highlights, APictureWithoutClippingIsNotTouched) {
  const auto light = [](int x, int y) { return Light{0.01 * x, 0.008 * x, 0.012 * y}; };
  SourceSettings clip;
  clip.highlights = 1;
  EXPECT_EQ(largest_difference(developed(test_raw({}, light)), developed(test_raw({}, light), clip)), 0);
}

TEST(Highlights, AColourThatClipsLateIsNotCutAtWhite) {
  io::RawImage raw = test_raw({.white = 15000}, [](int, int) { return Light{0.4, 0.4, 0.4}; });
  raw.clip.fill(16000);  // the sensor goes on for a while above the nominal white
  const SourcePlan plan = plan_source(raw, {});
  EXPECT_NEAR(static_cast<double>(plan.clip[1]), (16000.0 - 512) / (15000 - 512), 1e-6);
}

// --- What cannot be developed ---------------------------------------------------------------------------------------

TEST(Source, SaysWhyARawCannotBeDeveloped) {
  const auto grey = [](int, int) { return Light{0.2, 0.2, 0.2}; };
  io::RawImage raw = test_raw({}, grey);
  raw.default_crop = {60, 0, 10, 10};
  expect_error(raw, "crop lies outside");
  raw = test_raw({}, grey);
  raw.samples = {};
  expect_error(raw, "no samples");
  raw = test_raw({}, grey);
  raw.white.fill(100);
  expect_error(raw, "black and white level");
  raw = test_raw({}, grey);
  raw.neutral = {0, 1, 1};
  expect_error(raw, "white balance");
  raw = test_raw({}, grey);
  raw.cfa.colors = {0, 2, 1, 1};
  expect_error(raw, "mosaic");
}

}  // namespace
}  // namespace imago::develop
