#include "develop/calibration.h"

#include <gtest/gtest.h>

#include <fstream>

#include "develop/synthetic_photo.h"
#include "io/test_files.h"

namespace imago::develop {
namespace {

const gpu::AdapterInfo adapter{"Some iGPU", "IntegratedGpu", "Vulkan", "1.2"};
const RenderSpeed speed{4, 5, 40, 20};

TEST(Calibration, MeasuresOnceAndFindsTheAnswerAgain) {
  const io::TemporaryFolder folder;
  const std::filesystem::path file = folder.path / "cache" / "gpu-speed.json";
  int measured = 0;
  const auto measure = [&]() -> std::optional<RenderSpeed> {
    ++measured;
    return speed;
  };
  for (int start = 0; start < 2; ++start) EXPECT_EQ(kept_speed(file, adapter, measure)->gpu_heavy_ns, 20);
  EXPECT_EQ(measured, 1);
  gpu::AdapterInfo updated = adapter;
  updated.driver = "1.3";
  kept_speed(file, updated, measure);
  EXPECT_EQ(measured, 2) << "a new driver may be faster";
}

TEST(Calibration, AnUnreadableFileOnlyCostsMeasuringAgain) {
  const io::TemporaryFolder folder;
  const std::filesystem::path file = folder.path / "gpu-speed.json";
  for (const char* text : {"", "{", "[]", R"({"key": 1})", R"({"key": {}, "cpuLightNs": "fast"})"}) {
    std::ofstream(file) << text;
    EXPECT_EQ(kept_speed(file, adapter, [] { return std::optional(speed); })->cpu_light_ns, 4) << text;
  }
  EXPECT_EQ(kept_speed({}, adapter, [] { return std::optional(speed); })->cpu_light_ns, 4);
  EXPECT_FALSE(kept_speed({}, adapter, [] { return std::optional<RenderSpeed>(); }));
}

TEST(Calibration, EachKindOfRenderGoesWhereItIsFaster) {
  const Photo photo = synthetic_photo(64, 48);
  RenderRequest heavy;
  heavy.settings.tone.shadows = 30;
  EXPECT_FALSE(is_gpu_faster(speed, plan(photo, {})));
  EXPECT_TRUE(is_gpu_faster(speed, plan(photo, heavy)));
}

TEST(Calibration, SpeedsAreMeasuredWhereThereIsAGpu) {
  if (!gpu::available()) GTEST_SKIP() << "SKIPPED: " << gpu::unavailable_reason();
  const std::optional<RenderSpeed> measured = measure_speed();
  ASSERT_TRUE(measured);
  EXPECT_GT(measured->cpu_light_ns, 0);
  EXPECT_GT(measured->gpu_heavy_ns, 0);
}

}  // namespace
}  // namespace imago::develop
