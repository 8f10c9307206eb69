// Whole renders of raws of the analytic scene, on the CPU unless said otherwise, and the edits beside a photo.
#include "develop/develop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <span>

#include "base/parallel.h"
#include "color/delta_e.h"
#include "image/resample.h"
#include "pictures/scene_photo.h"
#include "scene/scene.h"

namespace imago::develop {
namespace {

using testing::HasSubstr;

struct Render {
  Developed developed;
  std::vector<std::byte> bytes;

  template <typename Sample>
  std::span<const Sample> samples() const {
    return {reinterpret_cast<const Sample*>(bytes.data()), bytes.size() / sizeof(Sample)};
  }
  const float* at(int x, int y) const {
    return samples<float>().data() +
           (static_cast<std::size_t>(y) * static_cast<std::size_t>(developed.width) + static_cast<std::size_t>(x)) * 3;
  }
};

// `cache` null: the photo's source is used up.
Render render(Photo&& photo, const RenderRequest& request, io::SampleType samples = io::SampleType::f32,
              StageCache* cache = nullptr, Backend backend = Backend::cpu) {
  Render out;
  int next_row = 0;
  out.developed = develop(photo, request, samples, backend, cache, [&](RowRange rows, std::span<const std::byte> part) {
    EXPECT_EQ(rows.begin, next_row);
    next_row = rows.end;
    out.bytes.insert(out.bytes.end(), part.begin(), part.end());
  });
  EXPECT_EQ(next_row, out.developed.height);
  return out;
}

bool same_bits(const Render& a, const Render& b) {
  return a.developed.width == b.developed.width && a.developed.height == b.developed.height && a.bytes == b.bytes;
}

double mean_difference(const Render& a, const Render& b) {
  const auto x = a.samples<float>(), y = b.samples<float>();
  EXPECT_EQ(x.size(), y.size());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i]));
  return sum / static_cast<double>(x.size());
}

RenderRequest linear_look() {
  RenderRequest request;
  request.settings.look.display = static_cast<std::int32_t>(DisplayCurve::linear);
  return request;
}

RenderRequest every_tool() {
  RenderRequest request;
  Settings& settings = request.settings;
  settings.geometry.straighten_deg = 4;
  settings.geometry.crop_left = 0.1f;
  settings.exposure.ev = 0.6f;
  settings.tone = {.highlights = -60, .shadows = 50};
  settings.curve.rgb = {{0, 0}, {0.3f, 0.24f}, {1, 1}};
  settings.masks.list.resize(2);
  settings.masks.list[0].exposure_ev = 1;
  settings.masks.list[1] = {.start_x = 0.2f, .end_x = 0.9f, .exposure_ev = -0.7f};
  return request;
}

// --- Colours ---------------------------------------------------------------------------------------------------------

struct Place {
  int x, y;
};

Place patch_place(const scene::Camera& camera, int index) {
  const auto camera_from_world = geometry::transposed(camera.pose.world_from_camera);
  const scene::Vector at = camera_from_world * (scene::chart_patch_centre(index) - camera.pose.position);
  return {static_cast<int>(camera.focal_length_px * at.x / at.z + 0.5 * camera.width),
          static_cast<int>(camera.focal_length_px * at.y / at.z + 0.5 * camera.height)};
}

// Of linear Rec.2020, over the middle of a patch.
color::Vector3 mean_around(const Place& at, int radius, const auto& pixel_at) {
  color::Vector3 mean{};
  for (int y = at.y - radius; y <= at.y + radius; ++y) {
    for (int x = at.x - radius; x <= at.x + radius; ++x) {
      for (std::size_t k = 0; k < 3; ++k) mean[k] += static_cast<double>(pixel_at(x, y)[k]);
    }
  }
  for (double& value : mean) value /= (2 * radius + 1) * (2 * radius + 1);
  return mean;
}

color::Lab lab_of(const color::Vector3& rec2020) {
  return color::lab_from_xyz(color::xyz_from_working * rec2020, color::xyz_from_xy(color::d65));
}

// A camera that is a 3 × 3 of the scene's light can be developed exactly; what is left is 14 bits and the demosaic's
// neighbours of patch edges.
TEST(DevelopedScene, ShowsTheChartsColoursWithTheLinearLook) {
  scene::RawRequest wanted;
  wanted.camera = scene::front_camera(600, 400);
  wanted.exposure = 0.8;
  const scene::SceneRaw raw = scene::photograph_raw(wanted);
  RenderRequest request = linear_look();
  request.format = {.space = OutputSpace::rec2020, .linear_light = true};
  const Render developed = render(photo_of(raw), request);
  double sum = 0, worst = 0;
  for (int i = 0; i < 24; ++i) {
    const Place at = patch_place(wanted.camera, i);
    const color::Vector3 shown = mean_around(at, 3, [&](int x, int y) { return developed.at(x, y); });
    const color::Vector3 truth = mean_around(at, 3, [&](int x, int y) { return raw.truth.at(x, y); });
    const double difference = color::delta_e_2000(lab_of(shown), lab_of(truth));
    const scene::Rgb patch = scene::chart_patches()[static_cast<std::size_t>(i)] * 0.8f;
    EXPECT_NEAR(truth[1], static_cast<double>(patch.g), 0.01) << "the test looks beside patch " << i;
    sum += difference;
    worst = std::max(worst, difference);
  }
  std::printf("CIEDE2000 of the chart: mean %.3f, max %.3f\n", sum / 24, worst);
  EXPECT_LT(sum / 24, 0.2);
  EXPECT_LT(worst, 0.6);
}

TEST(DevelopedScene, IsTwiceAsBrightAStopUp) {
  RenderRequest request = linear_look();
  request.format = {.space = OutputSpace::rec2020, .linear_light = true};
  const Render plain = render(scene_photo({.exposure = 0.1}), request);
  request.settings.exposure.ev = 1;
  const Render brighter = render(scene_photo({.exposure = 0.1}), request);
  for (std::size_t i = 0; i < plain.samples<float>().size(); ++i) {
    const float twice = 2 * plain.samples<float>()[i];
    if (twice < 0.9f) {
      ASSERT_NEAR(brighter.samples<float>()[i], twice, 1e-5f);
    }
  }
}

// --- Geometry --------------------------------------------------------------------------------------------------------

TEST(DevelopedScene, ComesBackAfterFourQuarterTurns) {
  RenderRequest request;
  const Render upright = render(scene_photo({}), request);
  const int width = upright.developed.width, height = upright.developed.height;
  for (int turns = 1; turns < 4; ++turns) {
    request.settings.geometry.quarter_turns = turns;
    const Render turned = render(scene_photo({}), request);
    ASSERT_EQ(turned.developed.width, turns == 2 ? width : height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        // Clockwise: the top left corner goes to the top right.
        const Place at = turns == 1   ? Place{height - 1 - y, x}
                         : turns == 2 ? Place{width - 1 - x, height - 1 - y}
                                      : Place{y, width - 1 - x};
        ASSERT_EQ(std::memcmp(turned.at(at.x, at.y), upright.at(x, y), 3 * sizeof(float)), 0)
            << turns << " turns, pixel " << x << ' ' << y;
      }
    }
  }
}

TEST(DevelopedScene, StandsUprightForEveryOrientation) {
  const Render upright = render(scene_photo({.softness = 4}), {});
  for (int orientation = 2; orientation <= 8; ++orientation) {
    const Render other = render(scene_photo({.orientation = orientation, .softness = 4}), {});
    ASSERT_EQ(other.developed.width, upright.developed.width);
    // The filter array lies otherwise on the picture, so the demosaic guesses otherwise. A wrong turn gives over 0.1.
    EXPECT_LT(mean_difference(upright, other), 0.015) << "orientation " << orientation;
  }
}

TEST(DevelopedScene, StandsUprightBitForBitWhereNothingIsInterpolated) {
  const Render upright = render(scene_photo({.exposure = 0.15, .linear = true}), {});
  for (int orientation = 2; orientation <= 8; ++orientation) {
    EXPECT_TRUE(
        same_bits(render(scene_photo({.exposure = 0.15, .orientation = orientation, .linear = true}), {}), upright))
        << "orientation " << orientation;
  }
}

TEST(DevelopedScene, CropsToTheVeryPixelsOfTheWholePicture) {
  RenderRequest request;
  request.settings.exposure.ev = 0.5f;
  request.settings.curve.rgb = {{0, 0}, {0.4f, 0.5f}, {1, 1}};
  const Render whole = render(scene_photo({}), request);
  Geometry& geometry = request.settings.geometry;
  geometry.crop_left = 0.25f;
  geometry.crop_top = 0.5f;
  geometry.crop_right = 0.75f;
  geometry.crop_bottom = 0.875f;
  const Render crop = render(scene_photo({}), request);
  const int left = whole.developed.width / 4, top = whole.developed.height / 2;
  ASSERT_EQ(crop.developed.width, whole.developed.width / 2);
  ASSERT_EQ(crop.developed.height, whole.developed.height * 3 / 8);
  for (int y = 0; y < crop.developed.height; ++y) {
    ASSERT_EQ(std::memcmp(crop.at(0, y), whole.at(left, top + y),
                          static_cast<std::size_t>(crop.developed.width) * 3 * sizeof(float)),
              0)
        << "row " << y;
  }
}

TEST(DevelopedScene, MirrorsBitForBit) {
  RenderRequest request;
  const Render plain = render(scene_photo({}), request);
  request.settings.geometry.flip_horizontal = 1;
  const Render flipped = render(scene_photo({}), request);
  const int width = plain.developed.width;
  for (int y = 0; y < plain.developed.height; ++y) {
    for (int x = 0; x < width; ++x) {
      ASSERT_EQ(std::memcmp(plain.at(x, y), flipped.at(width - 1 - x, y), 3 * sizeof(float)), 0);
    }
  }
}

// --- The same picture on every way ----------------------------------------------------------------------------------

TEST(Develop, GivesFromTheCacheWhatAFreshRenderGives) {
  for (const io::SampleType type : {io::SampleType::u8, io::SampleType::f32}) {
    RenderRequest request = every_tool();
    Photo photo = scene_photo({});
    StageCache cache;
    const auto expect_fresh = [&](const char* what) {
      EXPECT_TRUE(same_bits(render(std::move(photo), request, type, &cache), render(scene_photo({}), request, type)))
          << what;
    };
    Settings& settings = request.settings;
    expect_fresh("first");
    expect_fresh("again");
    settings.exposure.ev = -0.4f;
    expect_fresh("exposure");
    settings.tone.shadows = -30;
    expect_fresh("shadows");
    settings.tone = {};
    expect_fresh("no tone");
    settings.tone.highlights = 80;
    expect_fresh("tone again");
    settings.curve.blue = {{0, 0.1f}, {1, 0.9f}};
    expect_fresh("curve");
    settings.masks.list[1].end_x = 0.6f;
    expect_fresh("mask moved");
    settings.masks.list[0].exposure_ev = -2;
    expect_fresh("mask exposure");
    settings.masks.list.pop_back();
    expect_fresh("one mask less");
    settings.geometry.straighten_deg = -2;
    expect_fresh("straighten");
    request.long_edge_px = 70;
    expect_fresh("smaller");
    settings.geometry = {};
    request.long_edge_px = 0;
    expect_fresh("no geometry");
    request.is_draft = true;
    request.long_edge_px = 50;
    expect_fresh("draft");
  }
}

TEST(Develop, GivesTheSameBitsForAnyNumberOfThreads) {
  const int before = thread_count();
  const scene::SceneRaw raw = scene_raw({.width = 90, .height = 530});  // three strips
  std::vector<Render> renders;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    renders.push_back(render(photo_of(raw), every_tool(), io::SampleType::u8));
  }
  set_thread_count(before);
  EXPECT_TRUE(same_bits(renders[1], renders[0]));
  EXPECT_TRUE(same_bits(renders[2], renders[0]));
}

TEST(Develop, SamplesOfEveryTypeAgree) {
  RenderRequest request = every_tool();
  request.format.dither = false;
  const Render floats = render(scene_photo({}), request), words = render(scene_photo({}), request, io::SampleType::u16),
               bytes = render(scene_photo({}), request, io::SampleType::u8);
  request.format.dither = true;
  const Render dithered = render(scene_photo({}), request, io::SampleType::u8);
  double sum = 0;
  for (std::size_t i = 0; i < floats.samples<float>().size(); ++i) {
    const double value = static_cast<double>(floats.samples<float>()[i]);
    ASSERT_TRUE(value >= 0 && value <= 1);
    ASSERT_NEAR(words.samples<std::uint16_t>()[i], value * 65535, 0.51);
    ASSERT_NEAR(bytes.samples<std::uint8_t>()[i], value * 255, 0.501);
    ASSERT_NEAR(dithered.samples<std::uint8_t>()[i], value * 255, 1.0);
    sum += dithered.samples<std::uint8_t>()[i] - value * 255;
  }
  EXPECT_NEAR(sum / static_cast<double>(floats.samples<float>().size()), 0, 0.01) << "dither shifts the mean";
}

TEST(Develop, ExportsSmallWhatAPreviewShows) {
  RenderRequest request = linear_look();
  request.format.linear_light = true;
  const Render whole = render(scene_photo({.exposure = 0.3}), request);
  request.long_edge_px = 60;
  const Render small = render(scene_photo({.exposure = 0.3}), request);
  ASSERT_EQ(small.developed.width, 60);
  ASSERT_EQ(small.developed.height, 40);
  Rgb32f picture(whole.developed.width, whole.developed.height);
  std::memcpy(picture.pixels.data(), whole.bytes.data(), whole.bytes.size());
  const ResizePlan plan = plan_resize(picture.width, picture.height, 60, 40, false);
  const Rgb32f reduced = resample(picture, plan.columns, plan.rows);
  double sum = 0;
  for (std::size_t i = 0; i < reduced.pixels.size(); ++i) {
    sum += std::abs(static_cast<double>(reduced.pixels[i]) - static_cast<double>(small.samples<float>()[i]));
  }
  // Only pixels beyond sRGB's gamut differ: they are mapped after the resize, not before.
  EXPECT_LT(sum / static_cast<double>(reduced.pixels.size()), 0.002);
}

TEST(Develop, EndsWhenCancelledWhileRowsArrive) {
  Photo photo = photo_of(scene_raw({.width = 90, .height = 1100}));
  const CancelToken cancel;
  int rows_seen = 0;
  EXPECT_THROW(develop(
                   photo, {}, io::SampleType::u8, Backend::cpu, nullptr,
                   [&](RowRange rows, std::span<const std::byte>) {
                     rows_seen = rows.end;
                     cancel.cancel();
                   },
                   cancel),
               Cancelled);
  EXPECT_LT(rows_seen, 1100);
}

TEST(Develop, PassesOnWhatTheSinkThrows) {
  EXPECT_THROW(
      {
        Photo photo = scene_photo({});
        develop(photo, {}, io::SampleType::u8, Backend::cpu, nullptr,
                [](RowRange, std::span<const std::byte>) { throw Error(ErrorKind::io, "the disk is full"); });
      },
      Error);
}

// The GPU's all-black answer is taken for a failure; the CPU then says that the picture is black.
TEST(Develop, ABlackPictureStaysBlackWhoeverRenders) {
  const auto black = [] {
    Photo photo;
    photo.name = "black.dng";
    photo.source = Rgb32f(80, 60);
    std::fill(photo.source.pixels.begin(), photo.source.pixels.end(), 0.0f);
    photo.key = 7;
    return photo;
  };
  RenderRequest request;
  request.format.dither = false;
  for (const io::SampleType type : {io::SampleType::u8, io::SampleType::u16, io::SampleType::f32}) {
    const Render automatic = render(black(), request, type, nullptr, Backend::automatic);
    EXPECT_TRUE(same_bits(automatic, render(black(), request, type)));
    EXPECT_EQ(std::count(automatic.bytes.begin(), automatic.bytes.end(), std::byte{0}),
              static_cast<std::ptrdiff_t>(automatic.bytes.size()));
    if (gpu::available()) {
      EXPECT_EQ(automatic.developed.backend, Backend::cpu);
      EXPECT_THAT(automatic.developed.gpu_fallback, HasSubstr("black"));
    }
  }
  const char* required = std::getenv("GPU_REQUIRED");
  if (required != nullptr && std::string_view(required) == "1") {
    EXPECT_TRUE(gpu::available()) << gpu::unavailable_reason();
  }
}

}  // namespace
}  // namespace imago::develop
