#include "develop/stages/planes/planes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "develop/stages/planes/log_luminance.h"
#include "develop/stages/test_picture.h"

namespace imago::develop {
namespace {

double exact_stops(const float* rgb) {
  const double y = 0.2627 * static_cast<double>(rgb[0]) + 0.6780 * static_cast<double>(rgb[1]) +
                   0.0593 * static_cast<double>(rgb[2]);
  return std::log2(std::clamp(y, std::exp2(-14.0), std::exp2(16.0)));
}

using Grid = std::vector<std::vector<double>>;

// Weighted mean over the window, straight from its definition.
Grid window_mean(const PlanesPlan& plan, const Grid& in) {
  const int height = static_cast<int>(in.size()), width = static_cast<int>(in[0].size());
  Grid out = in;
  const auto weight = [&plan](int distance) {
    return std::abs(distance) <= plan.radius       ? 1.0
           : std::abs(distance) == plan.radius + 1 ? static_cast<double>(plan.edge)
                                                   : 0.0;
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0, weights = 0;
      for (int j = 0; j < height; ++j) {
        for (int i = 0; i < width; ++i) {
          const double w = weight(j - y) * weight(i - x);
          sum += w * in[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
          weights += w;
        }
      }
      out[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = sum / weights;
    }
  }
  return out;
}

template <typename Function>
Grid each(const Grid& a, const Grid& b, Function function) {
  Grid out = a;
  for (std::size_t y = 0; y < a.size(); ++y) {
    for (std::size_t x = 0; x < a[y].size(); ++x) out[y][x] = function(a[y][x], b[y][x]);
  }
  return out;
}

double bilinear(const Grid& grid, double x, double y) {
  const auto at = [&grid](double i, double j) {
    const auto row = static_cast<std::size_t>(std::clamp(j, 0.0, static_cast<double>(grid.size() - 1)));
    return grid[row][static_cast<std::size_t>(std::clamp(i, 0.0, static_cast<double>(grid[0].size() - 1)))];
  };
  const double i = std::floor(x), j = std::floor(y), t = x - i, u = y - j;
  return (at(i, j) * (1 - t) + at(i + 1, j) * t) * (1 - u) + (at(i, j + 1) * (1 - t) + at(i + 1, j + 1) * t) * u;
}

// The whole filter in double precision, without a shift and without a fast box.
Plane direct_base(const PlanesPlan& plan, const Rgb32f& scene) {
  Grid blocks(static_cast<std::size_t>(plan.grid_height),
              std::vector<double>(static_cast<std::size_t>(plan.grid_width)));
  for (int by = 0; by < plan.grid_height; ++by) {
    for (int bx = 0; bx < plan.grid_width; ++bx) {
      double sum = 0;
      int count = 0;
      for (int y = by * plan.step; y < std::min((by + 1) * plan.step, plan.height); ++y) {
        for (int x = bx * plan.step; x < std::min((bx + 1) * plan.step, plan.width); ++x, ++count) {
          sum += exact_stops(scene.at(x, y));
        }
      }
      blocks[static_cast<std::size_t>(by)][static_cast<std::size_t>(bx)] = sum / count;
    }
  }
  const Grid mean = window_mean(plan, blocks);
  const Grid square = window_mean(plan, each(blocks, blocks, [](double a, double b) { return a * b; }));
  const double epsilon = static_cast<double>(plan.epsilon);
  const Grid a = each(mean, square, [epsilon](double m, double s) { return (s - m * m) / (s - m * m + epsilon); });
  const Grid b = each(mean, a, [](double m, double factor) { return (1 - factor) * m; });
  const Grid mean_a = window_mean(plan, a), mean_b = window_mean(plan, b);
  Plane out(plan.width, plan.height);
  for (int y = 0; y < plan.height; ++y) {
    for (int x = 0; x < plan.width; ++x) {
      const double gx = (x + 0.5) / plan.step - 0.5, gy = (y + 0.5) / plan.step - 0.5;
      *out.at(x, y) =
          static_cast<float>(bilinear(mean_a, gx, gy) * exact_stops(scene.at(x, y)) + bilinear(mean_b, gx, gy));
    }
  }
  return out;
}

double largest_difference(const Plane& a, const Plane& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a.pixels[i]) - static_cast<double>(b.pixels[i])));
  }
  return largest;
}

TEST(Planes, TheBaseLayerIsTheGuidedFilterOfItsDefinition) {
  for (const auto& [width, height, diagonal] :
       {std::tuple{1, 1, 900.0}, {1, 7, 300.0}, {17, 13, 300.0}, {61, 47, 1500.0}, {90, 35, 3000.0}, {40, 30, 50.0}}) {
    const PlanesPlan plan = plan_planes(width, height, diagonal);
    const Rgb32f scene = scene_picture(width, height, 1);
    // 1e-5 stops: f32 values around 10 stops carry 5e-7 each.
    EXPECT_LT(largest_difference(base_layer(plan, scene), direct_base(plan, scene)), 1e-5) << width << "x" << height;
  }
}

TEST(Planes, LogLuminanceIsClampedAndFinite) {
  const float inf = INFINITY, nan = std::nanf("");
  EXPECT_EQ(log_luminance(0, 0, 0), -14.0f);
  EXPECT_EQ(log_luminance(-5, -1, 0), -14.0f);
  EXPECT_EQ(log_luminance(nan, 1, 1), -14.0f);
  EXPECT_EQ(log_luminance(inf, 1, 1), 16.0f);
  EXPECT_NEAR(log_luminance(0.25f, 0.25f, 0.25f), -2.0f, 1e-6f);
  EXPECT_EQ(mean_units(-14.0f), 0u);
  EXPECT_EQ(mean_units(16.0f), 30720u);
  EXPECT_EQ(stops_from_units(30720), 16.0f);
}

TEST(Planes, ExposureOnlyShiftsTheBaseLayer) {
  const Rgb32f scene = scene_picture(120, 90, 2);
  Rgb32f brighter = copy_of(scene);
  for (float& value : brighter.pixels) value *= 8.0f;
  const PlanesPlan plan = plan_planes(120, 90, 1200);
  const Plane a = base_layer(plan, scene);
  Plane b = base_layer(plan, brighter);
  for (float& value : b.pixels) value -= 3.0f;
  EXPECT_LT(largest_difference(a, b), 1e-5);
}

TEST(Planes, AreasAreSmoothedAndStrongEdgesStay) {
  const int size = 160;
  Rgb32f scene(size, size);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const float detail = (x / 2 + y / 2) % 2 == 0 ? 1.1f : 0.9f;
      for (int c = 0; c < 3; ++c) scene.at(x, y)[c] = detail * (x < size / 2 ? 0.01f : 0.64f);
    }
  }
  const Plane base = base_layer(plan_planes(size, size, 1600), scene);
  // Away from the edge the checker of +-0.14 stops is gone; across it the full 6 stops are there within 8 pixels.
  EXPECT_NEAR(*base.at(20, 80), std::log2(0.01f), 0.03f);
  EXPECT_NEAR(*base.at(140, 80), std::log2(0.64f), 0.03f);
  EXPECT_GT(*base.at(88, 80) - *base.at(71, 80), 5.4f);
}

// Lengths follow the frame: the base of a half-size picture is the half-size base.
TEST(Planes, APreviewHasTheBaseOfTheExport) {
  constexpr int width = 480, height = 360;
  Rgb32f large(width, height), small(width / 2, height / 2);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float stops = 3.0f * std::sin(static_cast<float>(x) * 0.02f) + (y > 200 ? 4.0f : 0.0f);
      for (int c = 0; c < 3; ++c) large.at(x, y)[c] = std::exp2(stops - 5.0f);
    }
  }
  for (int y = 0; y < height / 2; ++y) {
    for (int x = 0; x < width / 2; ++x) {
      for (int c = 0; c < 3; ++c) {
        small.at(x, y)[c] = (large.at(2 * x, 2 * y)[c] + large.at(2 * x + 1, 2 * y)[c] + large.at(2 * x, 2 * y + 1)[c] +
                             large.at(2 * x + 1, 2 * y + 1)[c]) /
                            4;
      }
    }
  }
  const Plane a = base_layer(plan_planes(width, height, 2400), large);
  const Plane b = base_layer(plan_planes(width / 2, height / 2, 1200), small);
  double sum = 0;
  for (int y = 0; y < height / 2; ++y) {
    for (int x = 0; x < width / 2; ++x) {
      const float mean =
          (*a.at(2 * x, 2 * y) + *a.at(2 * x + 1, 2 * y) + *a.at(2 * x, 2 * y + 1) + *a.at(2 * x + 1, 2 * y + 1)) / 4;
      sum += static_cast<double>(std::abs(mean - *b.at(x, y)));
    }
  }
  EXPECT_LT(4 * sum / (width * height), 0.02);  // stops
}

TEST(Planes, FlipsCommuteWhereBlocksFitTheFrame) {
  const Rgb32f scene = scene_picture(120, 60, 3);
  Rgb32f flipped(120, 60);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 120; ++x) std::copy_n(scene.at(119 - x, y), 3, flipped.at(x, y));
  }
  const PlanesPlan plan = plan_planes(120, 60, 900);  // step 2
  ASSERT_EQ(120 % plan.step, 0);
  const Plane a = base_layer(plan, scene), b = base_layer(plan, flipped);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 120; ++x) ASSERT_NEAR(*a.at(x, y), *b.at(119 - x, y), 1e-5f);
  }
}

TEST(Planes, OddValuesGiveFiniteOutput) {
  Rgb32f scene = scene_picture(30, 20, 4);
  scene.at(3, 3)[0] = std::nanf("");
  scene.at(9, 9)[1] = INFINITY;
  scene.at(20, 10)[2] = -INFINITY;
  for (const float value : base_layer(plan_planes(30, 20, 600), scene).pixels) {
    ASSERT_TRUE(value >= -15.0f && value <= 17.0f) << value;
  }
}

TEST(Planes, ThreadsChangeNothing) {
  const Rgb32f scene = scene_picture(301, 203, 5);
  const PlanesPlan plan = plan_planes(301, 203, 2000);
  const int threads = thread_count();
  set_thread_count(1);
  const Plane one = base_layer(plan, scene);
  set_thread_count(4);
  EXPECT_TRUE(same_bits(base_layer(plan, scene), one));
  set_thread_count(threads);
}

}  // namespace
}  // namespace imago::develop
