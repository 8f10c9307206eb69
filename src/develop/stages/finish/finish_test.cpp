#include "develop/stages/finish/finish.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/field_access.h"
#include "develop/stages/finish/finish_chunk.h"
#include "develop/stages/finish/finish_tools.h"
#include "develop/stages/test_picture.h"

namespace imago::develop {
namespace {

constexpr OutputFormat plain{.linear_light = true, .dither = false};
constexpr OutputFormat working{.space = OutputSpace::rec2020, .linear_light = true, .dither = false};

Settings linear_look() {
  Settings settings;
  settings.look.display = static_cast<std::int32_t>(DisplayCurve::linear);
  return settings;
}

Mask mask_of(float exposure_ev) {
  Mask mask;
  mask.exposure_ev = exposure_ev;
  return mask;
}

Settings every_tool() {
  Settings settings;
  settings.white_balance.temperature_k = 5000;
  settings.exposure.ev = 0.4f;
  settings.tone = {.contrast = 60, .highlights = -70, .shadows = 60, .whites = 40, .blacks = -30};
  settings.saturation = {.vibrance = 50, .saturation = 20};
  settings.hsl = {.hue_green = -20, .saturation_blue = 30, .luminance_orange = 15};
  settings.point_color.list = {{.hue_shift = 40, .variance = -20}};
  settings.calibration = {.red_hue = 20, .green_saturation = 15, .blue_hue = -30};
  settings.grading = {.shadows_luminance = -20, .highlights_luminance = 15};
  settings.curve.rgb = {{0, 0}, {0.4f, 0.3f}, {1, 1}};
  settings.curve.lights = 20;
  settings.curve.refine_saturation = 60;
  settings.vignette = {.amount = -30};
  settings.grain = {.amount = 25};
  settings.masks.list = {mask_of(1), mask_of(0), mask_of(-2), mask_of(0.5f), mask_of(3)};
  return settings;
}

// Every setting anywhere in its range.
Settings random_settings(std::uint64_t seed) {
  Settings settings;
  for (const Tool& tool : tools) {
    random_fields(tool.fields, reinterpret_cast<char*>(&settings) + tool.offset, seed * 100 + tool.offset);
  }
  return settings;
}

struct Scene {
  Rgb32f image;
  Plane base;
  std::vector<std::uint32_t> masks;  // two words a pixel

  Scene(Rgb32f picture) : image(std::move(picture)), base(image.width, image.height) {
    for (std::size_t i = 0; i < base.pixels.size(); ++i) {
      base.pixels[i] = -8 + 12 * random_unit(i);
      masks.push_back(static_cast<std::uint32_t>(mix64(i)));
      masks.push_back(static_cast<std::uint32_t>(mix64(i) >> 32));
    }
  }
};

template <typename Sample>
std::vector<Sample> finish(const FinishPlan& plan, const Scene& scene, RowRange rows) {
  std::vector<Sample> out(static_cast<std::size_t>(rows.count()) * scene.image.row_samples());
  const auto first = static_cast<std::size_t>(rows.begin) * static_cast<std::size_t>(scene.image.width) * 2;
  finish_rows(plan, {&scene.image, &scene.base, scene.masks.data() + first, 2}, rows, out.data());
  return out;
}

template <typename Sample>
std::vector<Sample> finish(const FinishPlan& plan, const Scene& scene) {
  return finish<Sample>(plan, scene, {0, scene.image.height});
}

Rgb32f grey_ramp(int width) {
  Rgb32f ramp(width, 1);
  for (int x = 0; x < width; ++x) {
    std::fill_n(ramp.at(x, 0), 3, std::exp2(-14 + 18 * static_cast<float>(x) / static_cast<float>(width)));
  }
  return ramp;
}

TEST(Finish, WithoutALookEveryBitIsKept) {
  const Scene scene(noise_picture(301, 7, 1));
  const std::vector<float> out = finish<float>(plan_finish(linear_look(), working), scene);
  EXPECT_TRUE(std::equal(out.begin(), out.end(), scene.image.pixels.begin()));
}

TEST(Finish, OneStopDoublesLinearLight) {
  const Scene scene(noise_picture(130, 3, 2));
  Settings settings = linear_look();
  settings.exposure.ev = -1;
  const std::vector<float> out = finish<float>(plan_finish(settings, working), scene);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(2 * out[i], scene.image.pixels[i]);
}

TEST(Finish, GreysStayGreyAndNeverSwapInEverySpace) {
  const Scene scene(grey_ramp(2000));
  Settings settings = every_tool();
  settings.masks = {};
  settings.tone = {};
  settings.white_balance = {};
  settings.vignette = {};
  settings.grain = {};
  for (std::size_t space = 0; space < std::size(output_spaces); ++space) {
    const OutputFormat format{.space = static_cast<OutputSpace>(space), .dither = false};
    const std::vector<std::uint16_t> out = finish<std::uint16_t>(plan_finish(settings, format), scene);
    for (std::size_t i = 0; i < out.size(); i += 3) {
      ASSERT_EQ(out[i], out[i + 1]);
      ASSERT_EQ(out[i], out[i + 2]);
      if (i > 0) {
        ASSERT_GE(out[i], out[i - 3]) << i;
      }
    }
    EXPECT_LT(out.front(), 400);  // Adobe RGB has no straight toe
    EXPECT_GT(out.back(), 65400);
  }
}

TEST(Finish, DitherKeepsGreysGrey) {
  const Scene scene(grey_ramp(3000));
  const std::vector<std::uint8_t> out = finish<std::uint8_t>(plan_finish({}, {}), scene);
  for (std::size_t i = 0; i < out.size(); i += 3) {
    ASSERT_EQ(out[i], out[i + 1]);
    ASSERT_EQ(out[i], out[i + 2]);
  }
}

TEST(Finish, AllSampleFormatsComeFromTheSameValues) {
  const Scene scene(scene_picture(200, 20, 3));
  const FinishPlan plan = plan_finish(every_tool(), {.dither = false});
  const std::vector<float> floats = finish<float>(plan, scene);
  const std::vector<std::uint16_t> wide = finish<std::uint16_t>(plan, scene);
  const std::vector<std::uint8_t> narrow = finish<std::uint8_t>(plan, scene);
  for (std::size_t i = 0; i < floats.size(); ++i) {
    ASSERT_EQ(wide[i], static_cast<int>(std::floor(floats[i] * 65535 + 0.5f)));
    ASSERT_EQ(narrow[i], static_cast<int>(std::floor(floats[i] * 255 + 0.5f)));
  }
}

TEST(Finish, AnyInputGivesFiniteOutput) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> odd = {std::nanf(""), inf, -inf, 0, -0.0f, 1e-40f, -1e-40f, 1e30f, -1e30f, -1, 1, 0.18f};
  Rgb32f picture(static_cast<int>(odd.size() * odd.size()), static_cast<int>(odd.size()));
  for (std::size_t i = 0; i < picture.pixels.size() / 3; ++i) {
    picture.pixels[3 * i] = odd[i % 12];
    picture.pixels[3 * i + 1] = odd[i / 12 % 12];
    picture.pixels[3 * i + 2] = odd[i / 144];
  }
  Scene scene(std::move(picture));
  for (std::size_t i = 0; i < scene.base.pixels.size(); ++i) scene.base.pixels[i] = odd[(i * 7) % 12];
  Settings strong = every_tool();
  strong.exposure.ev = 5;
  strong.masks.list.assign(8, mask_of(5));
  std::vector<Settings> all = {Settings(), linear_look(), every_tool(), strong};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    all.push_back(random_settings(seed));
    all.back().look.display = static_cast<std::int32_t>(seed % 2);
  }
  for (const Settings& settings : all) {
    for (std::size_t space = 0; space < std::size(output_spaces); ++space) {
      const OutputFormat format{.space = static_cast<OutputSpace>(space), .dither = false};
      for (const float value : finish<float>(plan_finish(settings, format), scene)) {
        ASSERT_TRUE(value >= 0 && value <= 1) << value;
      }
    }
  }
}

TEST(Finish, AToolOfOklabAloneRunsInOklab) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const Tool& tool : tools) {
      Settings settings;
      random_fields(tool.fields, reinterpret_cast<char*>(&settings) + tool.offset, seed);
      settings.black_white.enabled = tool.name == "black_white" ? 1 : 0;
      const FinishParams params = plan_finish(settings, {}).params;
      bool inside = false, expected = false;
      const auto look_at = [&](const auto& listed) {
        if (listed.name == "from_oklab") inside = false;
        expected = expected || (inside && (params.*listed.params).enabled != 0);
        if (listed.name == "to_oklab") inside = true;
      };
      std::apply([&](const auto&... listed) { (look_at(listed), ...); }, finish_tools);
      EXPECT_EQ(params.to_oklab.enabled != 0, expected) << tool.name;
      EXPECT_EQ(params.from_oklab.enabled != 0, expected) << tool.name;
    }
  }
}

TEST(Finish, MasksAddTheirStops) {
  Rgb32f picture(1, 1);
  std::fill_n(picture.pixels.data(), 3, 0.05f);
  Scene scene(std::move(picture));
  scene.masks = {0x00ff00ffu, 0x000000ffu};  // masks 0, 2 and 4 in full
  Settings settings = linear_look();
  settings.masks.list = {mask_of(1), mask_of(5), mask_of(0.5f), mask_of(5), mask_of(1.5f)};
  EXPECT_NEAR(finish<float>(plan_finish(settings, working), scene)[0], 0.4f, 1e-6f);
}

TEST(Finish, StripsAndWindowsChangeNothing) {
  const Scene scene(scene_picture(300, 40, 5));
  const FinishPlan plan = plan_finish(every_tool(), {});
  const std::vector<std::uint8_t> whole = finish<std::uint8_t>(plan, scene);
  for (const RowRange rows : {RowRange{0, 1}, {7, 20}, {39, 40}}) {
    const std::vector<std::uint8_t> strip = finish<std::uint8_t>(plan, scene, rows);
    EXPECT_TRUE(std::equal(strip.begin(), strip.end(), whole.begin() + rows.begin * 900));
  }
  // A window from (37, 11): 200 x 20.
  Rgb32f part(200, 20);
  for (int y = 0; y < 20; ++y) std::copy_n(scene.image.at(37, 11 + y), 600, part.row(y));
  Scene window(std::move(part));
  for (int y = 0; y < 20; ++y) {
    std::copy_n(scene.base.at(37, 11 + y), 200, window.base.row(y));
    std::copy_n(scene.masks.data() + 2 * ((11 + y) * 300 + 37), 400, window.masks.data() + 2 * y * 200);
  }
  const std::vector<std::uint8_t> cut =
      finish<std::uint8_t>(plan_finish(every_tool(), {}, true, {.origin_x = 37, .origin_y = 11}), window);
  for (int y = 0; y < 20; ++y) {
    ASSERT_TRUE(
        std::equal(cut.begin() + y * 600, cut.begin() + (y + 1) * 600, whole.begin() + ((11 + y) * 300 + 37) * 3));
  }
}

void expect_same_bits(const FinishPlan& plan) {
  Chunk fast = {};
  for (int i = 0; i < chunk_pixels; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    fast.colours.red[i] = 2 * random_unit(index) - 0.2f;
    fast.colours.green[i] = 2 * random_unit(index + 1000) - 0.2f;
    fast.colours.blue[i] = 2 * random_unit(index + 2000) - 0.2f;
    fast.base_log2[i] = -8 + 10 * random_unit(index + 3000);
    fast.local_ev[i] = random_unit(index + 4000);
  }
  fast.curve_table = plan.curve_table.data();
  fast.lut_table = plan.lut_table.data();
  Chunk baseline = fast;
  run_tools(plan.params, fast);
  run_tools_baseline(plan.params, baseline);
  for (int i = 0; i < chunk_pixels; ++i) {
    ASSERT_EQ(fast.colours.red[i], baseline.colours.red[i]);
    ASSERT_EQ(fast.colours.green[i], baseline.colours.green[i]);
    ASSERT_EQ(fast.colours.blue[i], baseline.colours.blue[i]);
  }
}

TEST(Finish, FastAndBaselineCodeGiveTheSameBits) {
  for (std::uint64_t seed = 0; seed <= 40; ++seed) {
    expect_same_bits(plan_finish(seed == 0 ? every_tool() : random_settings(seed), {}));
  }
}

TEST(Finish, AFinishedPictureKeepsItsLook) {
  const FinishPlan plan = plan_finish({}, {}, false);
  EXPECT_EQ(plan.params.display.enabled, 0u);
  EXPECT_EQ(plan.params.gamut.enabled, 0u);
  EXPECT_FALSE(plan.needs_base());
  EXPECT_FALSE(plan.needs_masks());
}

TEST(Finish, OneLookInEverySpace) {
  // Muted colours through a strong curve: the same light whatever the space, brought back to the working space.
  Rgb32f picture(3, 1);
  std::copy_n(std::initializer_list<float>{0.2f, 0.17f, 0.14f, 0.05f, 0.06f, 0.055f, 0.3f, 0.32f, 0.36f}.begin(), 9,
              picture.pixels.data());
  const Scene scene(std::move(picture));
  Settings settings;
  settings.curve.rgb = {{0, 0}, {0.3f, 0.15f}, {0.7f, 0.85f}, {1, 1}};
  const std::vector<float> expected = finish<float>(plan_finish(settings, working), scene);
  for (const OutputSpace space : {OutputSpace::srgb, OutputSpace::p3, OutputSpace::adobe_rgb, OutputSpace::prophoto}) {
    const std::vector<float> out = finish<float>(plan_finish(settings, {.space = space, .linear_light = true}), scene);
    const color::Matrix3 back = color::rgb_from_rgb(color::rec2020_primaries, primaries_of(space));
    for (std::size_t i = 0; i < 9; i += 3) {
      color::Vector3 encoded{};
      for (std::size_t c = 0; c < 3; ++c) encoded[c] = static_cast<double>(out[i + c]);
      const color::Vector3 v = back * encoded;
      for (std::size_t c = 0; c < 3; ++c) ASSERT_NEAR(v[c], expected[i + c], 2e-6) << static_cast<int>(space);
    }
  }
}

TEST(Finish, SrgbCodesOfMidGreyAreKnown) {
  Rgb32f picture(1, 1);
  std::fill_n(picture.pixels.data(), 3, 0.18f);
  const Scene scene(std::move(picture));
  EXPECT_EQ(finish<std::uint8_t>(plan_finish(linear_look(), {.dither = false}), scene)[0], 118);
  EXPECT_NEAR(finish<float>(plan_finish({}, plain), scene)[0], display_grey, 1e-6);
}

}  // namespace
}  // namespace imago::develop
