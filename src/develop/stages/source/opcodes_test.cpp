#include "develop/stages/source/opcodes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace imago::develop {
namespace {

SourcePlan mosaic_plan(int width, int height) {
  SourcePlan plan;
  plan.layout = io::RawLayout::bayer;
  plan.active = plan.window = plan.crop = {0, 0, width, height};
  plan.cfa = {2, 2, {0, 1, 3, 2}};
  plan.gains = {2, 1, 1.5f};
  plan.clip = {2, 1, 1.5f};
  return plan;
}

Plane filled(const SourcePlan& plan, float light) {
  Plane mosaic(plan.window.width, plan.window.height);
  for (int y = 0; y < mosaic.height; ++y) {
    for (int x = 0; x < mosaic.width; ++x) {
      mosaic.row(y)[x] =
          light * plan.gains[static_cast<std::size_t>(plan.cfa.color(plan.window.x + x, plan.window.y + y))];
    }
  }
  return mosaic;
}

io::GainMap ramp_map(std::int64_t width, std::int64_t height) {
  io::GainMap map;
  map.area = {0, 0, height, width, 0, 1, 1, 1};
  map.rows = 2;
  map.columns = 2;
  map.gains = {1, 3, 2, 4};  // 1 + 2 x + y
  return map;
}

TEST(Opcodes, AGainMapIsInterpolatedAtPixelCentres) {
  const SourcePlan plan = mosaic_plan(40, 30);
  Plane mosaic = filled(plan, 0.1f);
  apply_mosaic_opcodes(std::vector<io::DngOpcode>{ramp_map(40, 30)}, plan, mosaic);
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) {
      const double gain = 1 + 2 * (x + 0.5) / 40 + (y + 0.5) / 30;
      const double expected =
          0.1 * gain * static_cast<double>(plan.gains[static_cast<std::size_t>(plan.cfa.color(x, y))]);
      EXPECT_NEAR(mosaic.row(y)[x], expected, 2e-6 * expected);
    }
  }
}

TEST(Opcodes, TheWindowOfACropGetsWhatTheWholePictureGets) {
  SourcePlan whole = mosaic_plan(60, 50);
  whole.active = {4, 6, 60, 50};
  whole.window = whole.active;
  SourcePlan part = whole;
  part.window = {17, 19, 30, 20};
  Plane all = filled(whole, 0.1f), some = filled(part, 0.1f);
  std::vector<io::DngOpcode> opcodes{ramp_map(60, 50)};
  std::get<io::GainMap>(opcodes[0]).area = {1, 3, 44, 51, 0, 1, 2, 3};
  io::RowColumnTerm term;
  term.kind = io::RowColumnTerm::Kind::delta_per_column;
  term.area = {5, 2, 40, 60, 0, 1, 3, 2};
  for (int i = 0; i < 29; ++i) term.amounts.push_back(0.001f * static_cast<float>(i));
  opcodes.emplace_back(term);
  opcodes.emplace_back(io::FixVignetteRadial{{0.3, 0.1, 0, 0, 0}, 0.45, 0.55});
  apply_mosaic_opcodes(opcodes, whole, all);
  apply_mosaic_opcodes(opcodes, part, some);
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 30; ++x) EXPECT_EQ(some.row(y)[x], all.row(y + 13)[x + 13]);
  }
}

TEST(Opcodes, FourMapsOneAFilterLeaveEachOthersSamplesAlone) {
  const SourcePlan plan = mosaic_plan(16, 12);
  std::vector<io::DngOpcode> opcodes;
  for (int phase = 0; phase < 4; ++phase) {
    io::GainMap map;
    map.area = {phase / 2, phase % 2, 12, 16, 0, 1, 2, 2};
    map.gains = {static_cast<float>(phase + 1)};
    opcodes.emplace_back(map);
  }
  Plane mosaic = filled(plan, 0.1f);
  apply_mosaic_opcodes(opcodes, plan, mosaic);
  const Plane before = filled(plan, 0.1f);
  for (int y = 0; y < 12; ++y) {
    for (int x = 0; x < 16; ++x) EXPECT_NEAR(mosaic.row(y)[x] / before.row(y)[x], y % 2 * 2 + x % 2 + 1, 1e-5);
  }
}

TEST(Opcodes, BurntCornersStayWhiteUnderAMapOfColouredGains) {
  const SourcePlan plan = mosaic_plan(16, 12);
  std::vector<io::DngOpcode> opcodes;
  for (int phase = 0; phase < 4; ++phase) {
    io::GainMap map;
    map.area = {phase / 2, phase % 2, 12, 16, 0, 1, 2, 2};
    map.gains = {phase == 0 ? 2.5f : phase == 3 ? 1.7f : 2.0f};
    opcodes.emplace_back(map);
  }
  for (const float light : {1.0f, 1.02f, 0.7f}) {  // clipped, above it by a code, lifted over it
    Plane mosaic = filled(plan, light);
    apply_mosaic_opcodes(opcodes, plan, mosaic);
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 16; ++x) {
        EXPECT_FLOAT_EQ(mosaic.row(y)[x],
                        std::max(light, 1.0f) * plan.clip[static_cast<std::size_t>(plan.cfa.color(x, y))]);
      }
    }
  }
}

TEST(Opcodes, TablesAndPolynomialsSeeLightBeforeWhiteBalance) {
  const SourcePlan plan = mosaic_plan(8, 6);
  io::MapPolynomial square;
  square.area = {0, 0, 6, 8, 0, 1, 1, 1};
  square.coefficients = {0, 0, 1};
  io::MapTable half;
  half.area = square.area;
  for (int i = 0; i < 65536; ++i) half.table.push_back(static_cast<std::uint16_t>(i / 2));
  Plane mosaic = filled(plan, 0.5f);
  apply_mosaic_opcodes(std::vector<io::DngOpcode>{square, half}, plan, mosaic);
  const Plane expected = filled(plan, 0.125f);
  for (std::size_t i = 0; i < mosaic.pixels.size(); ++i) EXPECT_NEAR(mosaic.pixels[i], expected.pixels[i], 3e-5f);
}

TEST(Opcodes, ThreeColoursHaveTheirOwnMapsAndKeepTheirHighlights) {
  SourcePlan plan = mosaic_plan(8, 6);
  plan.layout = io::RawLayout::linear;
  Rgb32f picture(8, 6);
  for (int i = 0; i < 48; ++i) {
    for (int c = 0; c < 3; ++c) picture.pixels[static_cast<std::size_t>(3 * i + c)] = c == 0 ? 3.0f : 0.2f;
  }
  io::GainMap map;
  map.area = {0, 0, 6, 8, 0, 3, 1, 1};
  map.planes = 3;
  map.gains = {2, 3, 4};
  io::RowColumnTerm scale;
  scale.kind = io::RowColumnTerm::Kind::scale_per_row;
  scale.area = {0, 0, 6, 8, 1, 1, 1, 1};
  scale.amounts = {1, 2, 3, 4, 5, 6};
  apply_picture_opcodes(std::vector<io::DngOpcode>{map, scale}, plan, plan.crop, picture);
  for (int y = 0; y < 6; ++y) {
    EXPECT_FLOAT_EQ(picture.at(3, y)[0], 6);
    EXPECT_FLOAT_EQ(picture.at(3, y)[1], 0.6f * static_cast<float>(y + 1));
    EXPECT_FLOAT_EQ(picture.at(3, y)[2], 0.8f);
  }
}

TEST(Opcodes, TheVignetteIsMeasuredToTheFarthestCorner) {
  const SourcePlan plan = mosaic_plan(41, 31);
  Rgb32f picture(41, 31);
  std::fill(picture.pixels.begin(), picture.pixels.end(), 1.0f);
  apply_picture_opcodes(std::vector<io::DngOpcode>{io::FixVignetteRadial{{1, 0, 0, 0, 0}, 0.5, 0.5}}, plan, plan.crop,
                        picture);
  EXPECT_FLOAT_EQ(picture.at(20, 15)[1], 1);
  const double corner = (20.0 * 20 + 15.0 * 15) / (20.5 * 20.5 + 15.5 * 15.5);
  EXPECT_NEAR(picture.at(0, 0)[1], 1 + corner, 1e-6);
  EXPECT_NEAR(picture.at(40, 30)[2], 1 + corner, 1e-6);
}

TEST(Opcodes, AreasOutsideAndHugeValuesGiveFinitePictures) {
  const SourcePlan plan = mosaic_plan(8, 6);
  io::GainMap far = ramp_map(8, 6);
  far.area = {4000000000, 4000000000, 4294967295, 4294967295, 0, 1, 1, 1};
  io::GainMap huge = ramp_map(8, 6);
  huge.area.column_pitch = 4294967295u;
  huge.gains = {3e38f, -3e38f, 3e38f, 3e38f};
  huge.spacing_v = 1e-300;
  Plane mosaic = filled(plan, 0.9f);
  mosaic.row(1)[1] = -0.2f;
  apply_mosaic_opcodes(std::vector<io::DngOpcode>{far, huge}, plan, mosaic);
  for (const float v : mosaic.pixels) EXPECT_TRUE(std::isfinite(v));
  EXPECT_EQ(mosaic.row(1)[1], -0.2f);
}

}  // namespace
}  // namespace imago::develop
