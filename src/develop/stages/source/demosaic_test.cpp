#include "develop/stages/source/demosaic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/parallel.h"

namespace imago::develop {
namespace {

constexpr std::array<float, 9> identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};
constexpr BayerPhase phases[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};

using Color = std::array<double, 3>;
using ColorAt = std::function<Color(double x, double y)>;

std::size_t color_of(BayerPhase phase, int x, int y) {
  const bool red_column = ((x + phase.red_x) & 1) == 0;
  const bool red_row = ((y + phase.red_y) & 1) == 0;
  return red_row == red_column ? (red_row ? 0 : 2) : 1;
}

Plane mosaic_of(int width, int height, BayerPhase phase, const ColorAt& light) {
  Plane mosaic(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) mosaic.row(y)[x] = static_cast<float>(light(x, y)[color_of(phase, x, y)]);
  }
  return mosaic;
}

double largest_error(const Rgb32f& picture, Rect crop, const ColorAt& truth, int border) {
  double largest = 0;
  for (int y = border; y < picture.height - border; ++y) {
    for (int x = border; x < picture.width - border; ++x) {
      const Color expected = truth(crop.x + x, crop.y + y);
      for (std::size_t c = 0; c < 3; ++c) {
        largest = std::max(largest, std::fabs(static_cast<double>(picture.at(x, y)[c]) - expected[c]));
      }
    }
  }
  return largest;
}

double psnr(const Rgb32f& picture, const ColorAt& truth, int border) {
  double sum = 0;
  std::size_t count = 0;
  for (int y = border; y < picture.height - border; ++y) {
    for (int x = border; x < picture.width - border; ++x) {
      const Color expected = truth(x, y);
      for (std::size_t c = 0; c < 3; ++c) {
        const double error = static_cast<double>(picture.at(x, y)[c]) - expected[c];
        sum += error * error;
        ++count;
      }
    }
  }
  return -10 * std::log10(sum / static_cast<double>(count));
}

// Encoding and decoding a square root in f32 costs a few units of the last place.
constexpr double rounding = 3e-6;

TEST(Demosaic, AConstantIsExactInEveryPhaseUpToTheEdges) {
  const auto light = [](double, double) { return Color{0.7, 0.3, 0.05}; };
  for (const BayerPhase phase : phases) {
    for (const auto& [width, height] : {std::pair{40, 30}, {41, 31}, {3, 3}, {2, 9}, {1200, 20}}) {
      const Rect all{0, 0, width, height};
      const Rgb32f picture = demosaic_bayer(mosaic_of(width, height, phase, light), phase, all, identity);
      EXPECT_LT(largest_error(picture, all, light, 0), rounding) << width << " × " << height;
    }
  }
}

TEST(Demosaic, ASampleKeepsItsOwnValue) {
  const auto light = [](double x, double y) {
    return Color{0.5 + 0.3 * std::sin(x), 0.4 + 0.2 * std::cos(y * x), 0.3};
  };
  for (const BayerPhase phase : phases) {
    const Plane mosaic = mosaic_of(50, 40, phase, light);
    const Rgb32f picture = demosaic_bayer(mosaic, phase, {0, 0, 50, 40}, identity);
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 50; ++x) {
        const std::size_t c = color_of(phase, x, y);
        ASSERT_NEAR(picture.at(x, y)[c], mosaic.row(y)[x], rounding) << x << ", " << y;
      }
    }
  }
}

// Grey: the differences between the colours are zero everywhere, whatever the detail.
TEST(Demosaic, ASmoothGreyGradientIsExactInsideAndStaysGrey) {
  const auto light = [](double x, double y) {
    const double v = 0.1 + 0.004 * x + 0.003 * y;
    return Color{v, v, v};
  };
  for (const BayerPhase phase : phases) {
    const Rgb32f picture = demosaic_bayer(mosaic_of(96, 80, phase, light), phase, {0, 0, 96, 80}, identity);
    // The ramp is straight in light and slightly bent on the square roots that are interpolated.
    EXPECT_LT(largest_error(picture, {0, 0, 96, 80}, light, 12), 2e-5);
  }
}

TEST(Demosaic, AVerticalAndAHorizontalEdgeHaveNoZipper) {
  for (const bool across : {false, true}) {
    const auto light = [&](double x, double y) {
      const double v = (across ? y : x) < 40.5 ? 0.1 : 0.8;
      return Color{v, v, v};
    };
    for (const BayerPhase phase : phases) {
      const Rgb32f picture = demosaic_bayer(mosaic_of(80, 80, phase, light), phase, {0, 0, 80, 80}, identity);
      // Along the edge every row looks like the one two rows on, and its neighbour hardly different.
      double zipper = 0;
      for (int along = 20; along < 60; ++along) {
        for (int beside = 36; beside < 46; ++beside) {
          for (std::size_t c = 0; c < 3; ++c) {
            const float here = across ? picture.at(along, beside)[c] : picture.at(beside, along)[c];
            const float next = across ? picture.at(along + 1, beside)[c] : picture.at(beside, along + 1)[c];
            zipper = std::max(zipper, static_cast<double>(std::fabs(here - next)));
          }
        }
      }
      EXPECT_LT(zipper, 0.02);
    }
  }
}

// Sharp detail of one colour and a colour that varies slowly, as most scenes are.
TEST(Demosaic, FineDetailOfRealPicturesIsRecovered) {
  const auto light = [](double x, double y) {
    const double detail = 0.5 + 0.35 * std::sin(0.9 * x + 0.4 * y) * std::cos(0.5 * y - 0.2 * x);
    const double hue = 0.5 + 0.5 * std::sin(0.03 * x);
    return Color{detail * (0.4 + 0.4 * hue), detail * 0.7, detail * (0.8 - 0.4 * hue)};
  };
  double worst = 200;
  double best = 0;
  for (const BayerPhase phase : phases) {
    const double quality =
        psnr(demosaic_bayer(mosaic_of(200, 160, phase, light), phase, {0, 0, 200, 160}, identity), light, 12);
    worst = std::min(worst, quality);
    best = std::max(best, quality);
  }
  EXPECT_GT(worst, 37.5);  // 37.6: a step backwards shows
  EXPECT_LT(best - worst, 1.0) << "the phases differ";
}

TEST(Demosaic, TheMatrixActsOnEveryPixel) {
  const auto light = [](double, double) { return Color{0.5, 0.25, 0.125}; };
  const std::array<float, 9> matrix = {0, 1, 0, 2, 0, 0, 1, 1, 4};
  const Rgb32f picture = demosaic_bayer(mosaic_of(20, 20, {}, light), {}, {0, 0, 20, 20}, matrix);
  const auto turned = [](double, double) { return Color{0.25, 1.0, 1.25}; };
  EXPECT_LT(largest_error(picture, {0, 0, 20, 20}, turned, 0), 5 * rounding);
}

TEST(Demosaic, ACropHasTheBitsOfTheWholeAwayFromTheMargin) {
  const auto light = [](double x, double y) {
    return Color{0.5 + 0.4 * std::sin(x * 1.1), 0.5 + 0.4 * std::sin(y * 0.9 + x), 0.5 + 0.4 * std::cos(y)};
  };
  const Plane mosaic = mosaic_of(1150, 420, {1, 0}, light);
  const Rgb32f whole = demosaic_bayer(mosaic, {1, 0}, {0, 0, 1150, 420}, identity);
  for (const Rect crop : {Rect{17, 33, 1100, 350}, Rect{500, 160, 3, 5}, Rect{991, 159, 4, 4}}) {
    const Rgb32f part = demosaic_bayer(mosaic, {1, 0}, crop, identity);
    for (int y = 0; y < crop.height; ++y) {
      for (int x = 0; x < 3 * crop.width; ++x) {
        ASSERT_EQ(part.row(y)[x], whole.row(crop.y + y)[3 * crop.x + x]) << crop.x << ", " << crop.y << ": " << x;
      }
    }
  }
}

TEST(Demosaic, NegativeNoiseSurvives) {
  const auto light = [](double, double) { return Color{-0.01, -0.02, -0.005}; };
  const Rgb32f picture = demosaic_bayer(mosaic_of(20, 20, {}, light), {}, {0, 0, 20, 20}, identity);
  EXPECT_LT(largest_error(picture, {0, 0, 20, 20}, light, 0), rounding);
}

}  // namespace
}  // namespace imago::develop
