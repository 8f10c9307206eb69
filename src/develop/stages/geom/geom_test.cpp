#include "develop/stages/geom/geom.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "base/parallel.h"
#include "develop/stages/test_picture.h"

namespace imago::develop {
namespace {

using geometry::Position;

Rgb32f framed(const Rgb32f& source, const Geometry& geometry, int orientation = 1,
              GeomFilter filter = GeomFilter::bicubic) {
  return run_geom(plan_geom(geometry, orientation, source.width, source.height, filter), copy_of(source));
}

// The red channel of a picture whose pixels are numbered, as text: one digit a pixel, rows apart by '/'.
std::string digits(const Rgb32f& picture) {
  std::string text;
  for (int y = 0; y < picture.height; ++y) {
    if (y > 0) text += '/';
    for (int x = 0; x < picture.width; ++x) text += static_cast<char>('0' + static_cast<int>(picture.at(x, y)[0]));
  }
  return text;
}

Rgb32f numbered(int width, int height) {
  Rgb32f picture(width, height);
  for (int i = 0; i < width * height; ++i) {
    for (int c = 0; c < 3; ++c) picture.pixels[static_cast<std::size_t>(i * 3 + c)] = static_cast<float>(i + c * 100);
  }
  return picture;
}

TEST(Geom, DefaultSettingsCopyNothing) {
  Rgb32f source = noise_picture(17, 13, 1);
  const float* pixels = source.pixels.data();
  const GeomPlan plan = plan_geom({}, 1, 17, 13);
  EXPECT_TRUE(plan.is_identity);
  EXPECT_EQ(run_geom(plan, std::move(source)).pixels.data(), pixels);
  EXPECT_EQ(key(plan, 42), 42u);
}

// By hand from the EXIF table: value 6 means that row 0 of the file is the right side of the picture, and so on.
TEST(Geom, EachOrientationOfANumberedPictureIsTheOneOfTheExifTable) {
  const Rgb32f source = numbered(3, 2);  // 012/345
  const char* expected[] = {"012/345", "210/543", "543/210", "345/012", "03/14/25", "30/41/52", "52/41/30", "25/14/03"};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    EXPECT_EQ(digits(framed(source, {}, orientation)), expected[orientation - 1]) << "orientation " << orientation;
  }
  EXPECT_EQ(digits(framed(source, {}, 0)), expected[0]);
  EXPECT_EQ(digits(framed(source, {}, 9)), expected[0]);
}

TEST(Geom, AQuarterTurnIsClockwiseAndFourAreTheIdentity) {
  const Rgb32f source = noise_picture(31, 18, 2);
  EXPECT_EQ(digits(framed(numbered(3, 2), {.quarter_turns = 1})), "30/41/52");
  Rgb32f turned = copy_of(source);
  for (int i = 0; i < 4; ++i) turned = framed(turned, {.quarter_turns = 1});
  EXPECT_TRUE(same_bits(turned, source));
  EXPECT_TRUE(same_bits(framed(framed(source, {.quarter_turns = 3}), {.quarter_turns = 1}), source));
  EXPECT_TRUE(
      same_bits(framed(source, {.quarter_turns = 2}), framed(source, {.flip_horizontal = 1, .flip_vertical = 1})));
}

TEST(Geom, FlipsMirrorTheFinishedPicture) {
  const Rgb32f source = numbered(3, 2);
  EXPECT_EQ(digits(framed(source, {.flip_horizontal = 1})), "210/543");
  EXPECT_EQ(digits(framed(source, {.flip_vertical = 1})), "345/012");
  EXPECT_EQ(digits(framed(source, {.quarter_turns = 1, .flip_horizontal = 1})), "03/14/25");
}

TEST(Geom, ACropIsExactAndCarriedAlongByTurns) {
  const Rgb32f source = noise_picture(40, 30, 3);
  const Geometry crop{.crop_left = 0.25f, .crop_top = 0.1f, .crop_right = 0.75f, .crop_bottom = 0.9f};
  const Rgb32f cropped = framed(source, crop);
  ASSERT_EQ(cropped.width, 20);
  ASSERT_EQ(cropped.height, 24);
  for (int y = 0; y < 24; ++y) {
    ASSERT_EQ(std::memcmp(cropped.row(y), source.at(10, y + 3), 20 * 3 * sizeof(float)), 0) << y;
  }
  Geometry both = crop;
  both.quarter_turns = 1;
  EXPECT_TRUE(same_bits(framed(source, both), framed(cropped, {.quarter_turns = 1})));
}

TEST(Geom, ACropKeepsAtLeastOnePixelWhateverItSays) {
  const float nan = std::nanf("");
  for (const Geometry& geometry :
       {Geometry{.crop_left = 1, .crop_right = 0}, Geometry{.crop_left = 0.5f, .crop_right = 0.5f},
        Geometry{.crop_left = 5, .crop_top = -3, .crop_right = 9, .crop_bottom = -2},
        Geometry{.crop_left = nan, .crop_top = nan, .crop_right = nan, .crop_bottom = nan, .straighten_deg = nan}}) {
    const GeomPlan plan = plan_geom(geometry, 6, 7, 5);
    EXPECT_GE(plan.output_width, 1);
    EXPECT_GE(plan.output_height, 1);
    EXPECT_LE(plan.output_width, 5);
    EXPECT_LE(plan.output_height, 7);
    const Rgb32f out = run_geom(plan, noise_picture(7, 5, 4));
    EXPECT_EQ(out.width, plan.output_width);
  }
}

// A smooth function of position, known everywhere.
double analytic(double x, double y) { return 0.5 + 0.25 * std::sin(x * 0.21) + 0.2 * std::cos(y * 0.17 + x * 0.05); }

TEST(Geom, StraightenFollowsAnAnalyticFunction) {
  constexpr int width = 300, height = 200;
  Rgb32f source(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) source.at(x, y)[c] = static_cast<float>(analytic(x + 0.5, y + 0.5));
    }
  }
  for (const float angle : {-44.0f, -7.3f, 0.01f, 3.0f, 45.0f}) {
    const GeomPlan plan = plan_geom({.straighten_deg = angle}, 1, width, height);
    const Rgb32f turned = run_geom(plan, copy_of(source));
    double squares = 0;
    int count = 0, blank = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        // Turning the picture clockwise by a: content at p comes from R(-a) p, y pointing down.
        const double a = static_cast<double>(angle) * std::numbers::pi / 180, dx = x + 0.5 - 150, dy = y + 0.5 - 100;
        const double sx = 150 + std::cos(a) * dx + std::sin(a) * dy, sy = 100 - std::sin(a) * dx + std::cos(a) * dy;
        if (sx < 0 || sy < 0 || sx >= width || sy >= height) {
          EXPECT_EQ(turned.at(x, y)[0], 0.0f);
          EXPECT_FALSE(covers(plan, x, y));
          ++blank;
        } else if (sx > 2 && sy > 2 && sx < width - 2 && sy < height - 2) {
          const double d = static_cast<double>(turned.at(x, y)[1]) - analytic(sx, sy);
          squares += d * d;
          ++count;
        }
      }
    }
    // Catmull-Rom at 0.21 rad per pixel: error of third order, -80 dB.
    EXPECT_GT(-10 * std::log10(squares / count), 80) << angle;
    EXPECT_GT(blank, std::abs(angle) > 1 ? 100 : -1) << angle;
  }
}

TEST(Geom, OutputAndSensorPositionsAreInverseAndFollowThePicture) {
  const Geometry geometry{.crop_left = 0.1f,
                          .crop_top = 0.2f,
                          .crop_right = 0.8f,
                          .crop_bottom = 0.9f,
                          .straighten_deg = 5,
                          .quarter_turns = 1,
                          .flip_vertical = 1};
  const GeomPlan plan = plan_geom(geometry, 8, 600, 400);
  const Position<double> at{123.4, 56.7};
  const Position<double> there = apply(sensor_from_output(plan), at);
  const Position<double> back = apply(output_from_sensor(plan), there);
  EXPECT_NEAR(back.x, at.x, 1e-9);
  EXPECT_NEAR(back.y, at.y, 1e-9);
  // Orientation 6 puts the sensor's left bottom on top left.
  const Position<double> corner = apply(sensor_from_output(plan_geom({}, 6, 600, 400)), Position<double>{0, 0});
  EXPECT_EQ(corner, (Position<double>{0, 1}));
}

TEST(Geom, FixedPointPositionsAgreeWithDoublesOverTheLargestFrame) {
  const GeomPlan plan = plan_geom({.straighten_deg = 12.34f}, 5, 65000, 40000);
  const FixedAffine& map = plan.fixed_source_from_output;
  for (const auto& [x, y] : {std::pair{0, 0}, {39999, 0}, {0, 64999}, {39999, 64999}, {20000, 31000}}) {
    const Position<double> at = apply(plan.source_from_output, Position<double>{x + 0.5, y + 0.5});
    EXPECT_NEAR(static_cast<double>(map.x_origin + x * map.x_from_x + y * map.x_from_y) * 0x1p-32, at.x, 0x1p-16);
    EXPECT_NEAR(static_cast<double>(map.y_origin + x * map.y_from_x + y * map.y_from_y) * 0x1p-32, at.y, 0x1p-16);
  }
}

TEST(Geom, AConstantStaysWithinThreeUlpOnThePhoto) {
  Rgb32f source(50, 40);
  std::fill(source.pixels.begin(), source.pixels.end(), 0.7f);
  for (const GeomFilter filter : {GeomFilter::bicubic, GeomFilter::bilinear}) {
    const GeomPlan plan = plan_geom({.straighten_deg = 17}, 1, 50, 40, filter);
    const Rgb32f out = run_geom(plan, copy_of(source));
    for (int y = 0; y < out.height; ++y) {
      for (int x = 0; x < out.width; ++x) {
        EXPECT_NEAR(out.at(x, y)[2], covers(plan, x, y) ? 0.7f : 0.0f, 2e-7f);
      }
    }
  }
}

TEST(Geom, ThreadsAndBandsChangeNothing) {
  const Rgb32f source = noise_picture(123, 97, 5);
  const int threads = thread_count();
  for (const Geometry& geometry : {Geometry{.straighten_deg = -9}, Geometry{.quarter_turns = 1}}) {
    const GeomPlan plan = plan_geom(geometry, 7, 123, 97);
    set_thread_count(1);
    const Rgb32f whole = run_geom(plan, copy_of(source));
    set_thread_count(3);
    EXPECT_TRUE(same_bits(run_geom(plan, copy_of(source)), whole));
    for (const int band : {1, 7, 40}) {
      Rgb32f pieces(plan.output_width, plan.output_height);
      for (int y = 0; y < plan.output_height; y += band) {
        geom_rows(plan, source, {y, std::min(y + band, plan.output_height)}, pieces.row(y));
      }
      EXPECT_TRUE(same_bits(pieces, whole)) << band;
    }
  }
  set_thread_count(threads);
}

TEST(Geom, KeysDifferWhereThePictureDoes) {
  const auto of = [](const Geometry& geometry, int orientation) {
    return key(plan_geom(geometry, orientation, 60, 40), 1);
  };
  EXPECT_NE(of({.straighten_deg = 1}, 1), of({.straighten_deg = 1.0001f}, 1));
  EXPECT_NE(of({}, 2), of({}, 4));
  EXPECT_EQ(of({.flip_horizontal = 1}, 1), of({}, 2));  // the same picture by another way
  EXPECT_EQ(of({.straighten_deg = -0.0f}, 3), of({}, 3));
}

}  // namespace
}  // namespace imago::develop
