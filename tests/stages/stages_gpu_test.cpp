// Each spatial stage on the GPU against its CPU twin, in linear floats: odd sizes, bindings far smaller than the
// pictures, all orientations. Tolerances stand in the stages' headers; lavapipe does not fuse, so most bits agree
// there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>
#include <tuple>

#include "base/parallel.h"
#include "develop/stages/geom/geom.h"
#include "develop/stages/masks/masks.h"
#include "develop/stages/planes/planes.h"
#include "develop/stages/resize/resize.h"
#include "develop/stages/test_picture.h"
#include "gpu/gpu.h"

namespace imago::develop {
namespace {

class StagesOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::available()) return;
    const char* required = std::getenv("GPU_REQUIRED");
    if (required != nullptr && std::string(required) == "1") FAIL() << gpu::unavailable_reason();
    GTEST_SKIP() << "SKIPPED: " << gpu::unavailable_reason();
  }
};

int upload(PassList& list, const Rgb32f& picture) {
  const int buffer =
      list.add_buffer({.width = picture.width, .height = picture.height, .channels = 3, .name = "upload"});
  list.uploads.push_back({buffer, std::as_bytes(std::span(picture.pixels.data(), picture.pixels.size()))});
  return buffer;
}

template <typename Picture>
Picture download(const PassList& list, int buffer, std::uint64_t binding_bytes = 0) {
  const PassBuffer& shape = list.buffers[static_cast<std::size_t>(buffer)];
  Picture out(shape.width, shape.height);
  std::memset(out.pixels.data(), 0x7f, out.pixels.size() * 4);
  const gpu::Readback wanted{.buffer = buffer,
                             .destination = std::as_writable_bytes(std::span(out.pixels.data(), out.pixels.size()))};
  const gpu::RunResult result =
      gpu::run(list, {&wanted, 1}, {.use_cache = false, .binding_bytes_limit = binding_bytes});
  if (!result.ok()) ADD_FAILURE() << result.fallback->reason;
  return out;
}

struct Difference {
  double largest = 0, mean = 0;
  std::size_t differing = 0;
};

template <typename Picture>
Difference difference(const Picture& a, const Picture& b) {
  Difference out;
  if (a.pixels.size() != b.pixels.size()) {
    out.largest = INFINITY;
    return out;
  }
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    const double d = std::abs(static_cast<double>(a.pixels[i]) - static_cast<double>(b.pixels[i]));
    out.largest = d <= out.largest ? out.largest : d;  // NaN counts
    out.mean += d / static_cast<double>(a.pixels.size());
    if (d != 0) ++out.differing;
  }
  return out;
}

template <typename Picture>
void expect_equal(const Picture& gpu_result, const Picture& cpu_result, double tolerance, const std::string& label) {
  const Difference d = difference(gpu_result, cpu_result);
  std::printf("  %-34s max %.2e mean %.2e differing %zu of %zu\n", label.c_str(), d.largest, d.mean, d.differing,
              cpu_result.pixels.size());
  EXPECT_LE(d.largest, tolerance) << label;
}

constexpr std::pair<int, int> sizes[] = {{1, 1}, {1, 7}, {17, 13}, {301, 203}};

TEST_F(StagesOnGpu, GeomCopiesBitForBit) {
  for (const auto& [width, height] : sizes) {
    const Rgb32f source = noise_picture(width, height, 1);
    for (int orientation = 1; orientation <= 8; ++orientation) {
      const Geometry geometry{.crop_left = 0.2f, .crop_bottom = 0.7f, .quarter_turns = 1};
      const GeomPlan plan = plan_geom(geometry, orientation, width, height);
      const Rgb32f expected = run_geom(plan, copy_of(source));
      PassList list;
      const int output = add_geom(plan, list, upload(list, source));
      EXPECT_TRUE(same_bits(download<Rgb32f>(list, output), expected)) << width << "x" << height << " " << orientation;
      EXPECT_TRUE(same_bits(download<Rgb32f>(list, output, 64 * 1024), expected)) << "banded " << orientation;
    }
  }
}

TEST_F(StagesOnGpu, GeomResamplesAtTheSamePlaces) {
  for (const auto& [width, height] : sizes) {
    const Rgb32f source = noise_picture(width, height, 2);
    // A small angle is cut into bands of output rows; with a quarter turn or a large angle the pass gathers.
    const std::tuple<float, int, GeomFilter> cases[] = {{-11.5f, 6, GeomFilter::bicubic},
                                                        {44.0f, 3, GeomFilter::bicubic},
                                                        {2.5f, 1, GeomFilter::bicubic},
                                                        {-2.5f, 4, GeomFilter::bilinear}};
    for (const auto& [angle, orientation, filter] : cases) {
      const Geometry geometry{.crop_left = 0.05f, .straighten_deg = angle, .flip_vertical = 1};
      const GeomPlan plan = plan_geom(geometry, orientation, width, height, filter);
      const Rgb32f expected = run_geom(plan, copy_of(source));
      PassList list;
      const int output = add_geom(plan, list, upload(list, source));
      const std::string label = std::to_string(width) + " at " + std::to_string(angle);
      // 16 products of values below one, each rounded or fused.
      expect_equal(download<Rgb32f>(list, output), expected, 1e-6, "geom " + label);
      expect_equal(download<Rgb32f>(list, output, 192 * 1024), expected, 1e-6, "geom banded " + label);
    }
  }
}

TEST_F(StagesOnGpu, ResizeSumsAsTheCpuDoes) {
  for (const auto& [width, height] : sizes) {
    const Rgb32f source = noise_picture(width, height, 3);
    for (const auto& [to_width, to_height] : {std::pair{1, 1}, {150, 97}, {31, 301}, {400, 20}, {width, 50}}) {
      const ResizePlan plan = plan_resize(width, height, to_width, to_height);
      if (plan.is_identity()) continue;
      const Rgb32f expected = run_resize(plan, copy_of(source));
      PassList list;
      const int output = add_resize(plan, list, upload(list, source));
      const std::string label =
          std::to_string(width) + " -> " + std::to_string(to_width) + "x" + std::to_string(to_height);
      expect_equal(download<Rgb32f>(list, output), expected, 1e-6, "resize " + label);
      expect_equal(download<Rgb32f>(list, output, 512 * 1024), expected, 1e-6, "resize banded " + label);
    }
  }
}

TEST_F(StagesOnGpu, TheBaseLayerIsTheSame) {
  for (const auto& [width, height] : sizes) {
    const Rgb32f scene = scene_picture(width, height, 4);
    for (const double diagonal : {50.0, 900.0, 4000.0}) {
      const PlanesPlan plan = plan_planes(width, height, diagonal);
      const Plane expected = base_layer(plan, scene);
      PassList list;
      const int output = add_planes(plan, list, upload(list, scene));
      const std::string label = std::to_string(width) + " step " + std::to_string(plan.step);
      expect_equal(download<Plane>(list, output), expected, 2e-5, "planes " + label);
      expect_equal(download<Plane>(list, output, 256 * 1024), expected, 2e-5, "planes banded " + label);
    }
  }
}

Rgb32f grey(int width, int height, float value) {
  Rgb32f picture(width, height);
  std::fill(picture.pixels.begin(), picture.pixels.end(), value);
  return picture;
}

TEST_F(StagesOnGpu, TheFrameMeanHasTheSameBits) {
  // A scene; a sum over 2^32; a level just above half a unit, where rounding shows.
  const std::pair<Rgb32f, double> cases[] = {{scene_picture(301, 203, 5), 900.0},
                                             {grey(600, 400, 60000.0f), 50.0},
                                             {grey(40, 30, std::exp2(-14.0f + 5000.55f / 1024)), 900.0}};
  for (const auto& [scene, diagonal] : cases) {
    const PlanesPlan plan = plan_planes(scene.width, scene.height, diagonal);
    PassList list;
    add_planes(plan, list, upload(list, scene));
    int mean = -1;
    for (std::size_t i = 0; i < list.buffers.size(); ++i) {
      if (list.buffers[i].name == "log_mean") mean = static_cast<int>(i);
    }
    ASSERT_GE(mean, 0);
    EXPECT_EQ(download<Plane>(list, mean).pixels[0], frame_mean(plan, scene));
  }
}

TEST_F(StagesOnGpu, MasksAreTheSameBytes) {
  for (const auto& [width, height] : sizes) {
    Masks masks;
    for (int i = 0; i < 7; ++i) {
      masks.list.push_back({.start_x = 0.1f * static_cast<float>(i),
                            .start_y = 0.3f,
                            .end_x = 0.6f,
                            .end_y = 0.9f,
                            .invert = i % 2 == 0 ? 0u : 1u});
      const GeomPlan geom = plan_geom({.straighten_deg = 4}, 6, width, height);
      const MasksPlan plan =
          plan_masks(masks, sensor_from_output(geom), width, height, geom.output_width, geom.output_height);
      const int words = plan.words_per_pixel();
      Image<std::uint32_t, 1> expected(plan.width * words, plan.height);
      mask_rows(plan, {0, plan.height}, expected.pixels.data());
      PassList list;
      const int output = add_masks(plan, list);
      std::vector<std::uint32_t> result(expected.pixels.size(), 0x7f7f7f7f);
      const gpu::Readback wanted{.buffer = output, .destination = std::as_writable_bytes(std::span(result))};
      const gpu::RunResult run = gpu::run(list, {&wanted, 1}, {.use_cache = false});
      ASSERT_TRUE(run.ok()) << run.fallback->reason;
      std::size_t differing = 0;
      for (std::size_t at = 0; at < result.size(); ++at) {
        for (int byte = 0; byte < 4; ++byte) {
          const int a = static_cast<int>((result[at] >> (8 * byte)) & 255u);
          const int b = static_cast<int>((expected.pixels[at] >> (8 * byte)) & 255u);
          EXPECT_LE(std::abs(a - b), 1);
          differing += a != b ? 1 : 0;
        }
      }
      // Four in a million at full size; the bound leaves room for pictures of few pixels.
      EXPECT_LE(differing, 1 + result.size() * 4 / 10000);
    }
  }
}

TEST_F(StagesOnGpu, AChainOfStagesRunsInOneList) {
  const Rgb32f source = scene_picture(640, 427, 6);
  const GeomPlan geom = plan_geom({.crop_right = 0.9f, .straighten_deg = 3}, 8, 640, 427);
  const ResizePlan resize = plan_resize(geom.output_width, geom.output_height, 211, 300);
  const PlanesPlan planes = plan_planes(211, 300, 900);
  const Plane expected = base_layer(planes, run_resize(resize, run_geom(geom, copy_of(source))));
  PassList list;
  const int output = add_planes(planes, list, add_resize(resize, list, add_geom(geom, list, upload(list, source))));
  const Plane result = download<Plane>(list, output, 512 * 1024);
  expect_equal(result, expected, 2e-5, "geom + resize + planes");
}

}  // namespace
}  // namespace imago::develop
