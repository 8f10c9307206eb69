// A small photo and its renders, for tests of what happens when the GPU fails on the way.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "develop/develop.h"
#include "develop/stages/test_picture.h"

namespace imago::develop {

inline Photo small_photo() {
  Photo photo;
  photo.name = "small.dng";
  photo.source = scene_picture(160, 120, 1);
  photo.orientation = 6;
  photo.key = 1;
  return photo;
}

// Every stage has work to do.
inline RenderRequest heavy_request() {
  RenderRequest request;
  request.long_edge_px = 100;
  request.settings.geometry.straighten_deg = 3;
  request.settings.tone = {.highlights = -60, .shadows = 50};
  request.settings.masks.list.resize(1);
  request.settings.masks.list[0].exposure_ev = 1;
  return request;
}

struct Render {
  Developed developed;
  std::vector<std::byte> pixels;
};

inline Render render(Backend backend) {
  Photo photo = small_photo();
  Render out;
  out.developed = develop(photo, heavy_request(), io::SampleType::u8, backend, nullptr,
                          [&](RowRange, std::span<const std::byte> rows) {
                            out.pixels.insert(out.pixels.end(), rows.begin(), rows.end());
                          });
  return out;
}

class NeedsGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::available()) return;
    const char* required = std::getenv("GPU_REQUIRED");
    if (required != nullptr && std::string(required) == "1") FAIL() << gpu::unavailable_reason();
    GTEST_SKIP() << "SKIPPED: " << gpu::unavailable_reason();
  }
  void TearDown() override { gpu::reset_failures(); }
};

}  // namespace imago::develop
