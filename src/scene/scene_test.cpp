#include "scene/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "base/error.h"
#include "base/parallel.h"
#include "color/matrix.h"
#include "geometry/cube_face.h"
#include "geometry/sphere.h"
#include "scene/band_limited.h"
#include "scene/pano.h"
#include "scene/photo.h"
#include "scene/raw.h"
#include "scene/stroke_text.h"

namespace imago::scene {
namespace {

void expect_near(Rgb a, Rgb b, float tolerance, int index = 0) {
  EXPECT_NEAR(a.r, b.r, tolerance) << index;
  EXPECT_NEAR(a.g, b.g, tolerance) << index;
  EXPECT_NEAR(a.b, b.b, tolerance) << index;
}

Rgb seen_at(const Vector& point, const Vector& from = {}) {
  return radiance({from, geometry::normalized(point - from), 1e-4});
}

template <typename Sample, int channels>
bool equal(const Image<Sample, channels>& a, const Image<Sample, channels>& b) {
  return a.width == b.width && a.height == b.height && std::equal(a.pixels.begin(), a.pixels.end(), b.pixels.begin());
}

RawRequest small_raw() {
  RawRequest request;
  request.camera = front_camera(192, 128);
  request.exposure = 0.7;
  return request;
}

TEST(Scene, ChartPatchesAreSeenWithTheirExactValuesFromAnyPlace) {
  const std::array<Rgb, 24> patches = chart_patches();
  for (int i = 0; i < 24; ++i) {
    for (const Vector& eye : {Vector{0, 0, 0}, Vector{0.6, -0.3, 0.4}, Vector{-0.5, 0.2, -0.8}}) {
      expect_near(seen_at(chart_patch_centre(i), eye), patches[static_cast<std::size_t>(i)], 1e-6f, i);
    }
  }
}

TEST(Scene, PrimariesEqualTheColorLibrarys) {
  const color::Matrix3 exact = color::rgb_from_rgb(color::rec2020_primaries, color::srgb_primaries);
  const Rgb red = from_rec709(1, 0, 0), green = from_rec709(0, 1, 0), blue = from_rec709(0, 0, 1);
  const float ours[9] = {red.r, green.r, blue.r, red.g, green.g, blue.g, red.b, green.b, blue.b};
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(static_cast<double>(ours[k]), exact.m[k], 2e-6) << k;
}

TEST(Scene, LightIsFiniteAndNotNegativeInEveryDirection) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 40000; ++i) {
    const Vector d = geometry::normalized(Vector{normal(random), normal(random), normal(random)});
    const Rgb light =
        radiance({{0.1 * normal(random), 0.1 * normal(random), 0.1 * normal(random)}, d, i % 2 == 0 ? 1e-5 : 0.02});
    ASSERT_TRUE(light.r >= 0 && light.g >= 0 && light.b >= 0 && light.r < 1000 && light.g < 1000 && light.b < 1000)
        << d.x << ' ' << d.y << ' ' << d.z;
  }
  for (const Vector& d : {Vector{0, 1, 0}, Vector{0, -1, 0}, Vector{1, 0, 0}, Vector{0, 0, -1}, Vector{0, 0, 1}}) {
    EXPECT_TRUE(std::isfinite(radiance({{}, d, 1e-3}).g));
  }
}

TEST(Scene, HoldsHighlightsAndColorsBeyondRec709) {
  const Rgb32f picture = photograph(front_camera(600, 400));
  float brightest = 0, most_negative_red = 0;
  for (std::size_t i = 0; i < picture.pixels.size(); i += 3) {
    const float r = picture.pixels[i], g = picture.pixels[i + 1], b = picture.pixels[i + 2];
    brightest = std::max({brightest, r, g, b});
    most_negative_red = std::min(most_negative_red, 1.660491f * r - 0.587641f * g - 0.07285f * b);
  }
  EXPECT_GT(brightest, 10);
  EXPECT_LT(most_negative_red, -0.5f);
}

TEST(Scene, NearThingsMoveMoreThanFarOnesWhenTheCameraMoves) {
  const Vector far{0.3, -0.35, 0.8};  // mountains: the sky is at infinity
  const Ray here{{0, 0, 0}, geometry::normalized(far), 1e-4}, there{{0.3, 0, 0}, geometry::normalized(far), 1e-4};
  EXPECT_EQ(radiance(here), radiance(there));
  const Vector patch = chart_patch_centre(0);
  const Rgb moved = radiance({{0.3, 0, 0}, geometry::normalized(patch), 1e-4});
  EXPECT_GT(std::abs(moved.g - chart_patches()[0].g), 0.01f);
}

TEST(Scene, TextHasTheMeanInkOfItsLettersWhenPixelsAreLarge) {
  double fine = 0, coarse = 0;
  constexpr int steps = 400;
  for (int j = 0; j < steps; ++j) {
    for (int i = 0; i < steps; ++i) {
      const float x = 5.7f * (static_cast<float>(i) + 0.5f) / steps, y = (static_cast<float>(j) + 0.5f) / steps;
      fine += static_cast<double>(text_coverage("IMAGOS", x, y, 0.002f));
      coarse += static_cast<double>(text_coverage("IMAGOS", x, y, 0.3f));
    }
  }
  EXPECT_NEAR(fine / (steps * steps), 0.28, 0.06);
  EXPECT_NEAR(coarse / (steps * steps), fine / (steps * steps), 0.08);
}

TEST(BandLimited, CosineIsRightToTwoMillionths) {
  for (int i = -3000; i < 3000; ++i) {
    const double t = i * 0.00137;
    EXPECT_NEAR(static_cast<double>(cos_turns(t)), std::cos(2 * std::numbers::pi * t), 2e-6);
  }
}

TEST(BandLimited, LinesKeepTheirInkUnderAnyPixel) {
  for (float width : {0.01f, 0.5f, 4.0f}) {
    double ink = 0;
    for (int i = -8000; i < 8000; ++i) {
      ink += static_cast<double>(line_coverage(std::abs(static_cast<float>(i) * 0.001f), 0.25f, width)) * 0.001;
    }
    EXPECT_NEAR(ink, 0.5, 0.01) << width;
  }
}

TEST(Panorama, PixelsAreTheLightOfTheirDirections) {
  PanoramaView view;
  view.width = 256;
  view.height = 128;
  const Rgb32f image = panorama(view);
  for (int y = 3; y < 128; y += 17) {
    for (int x = 1; x < 256; x += 13) {
      const Vector d = geometry::direction_from_equirect<double>({x + 0.5, y + 0.5}, 256, 128);
      const Rgb light = radiance({{}, d, 2 * std::numbers::pi / 256});
      EXPECT_EQ((Rgb{image.at(x, y)[0], image.at(x, y)[1], image.at(x, y)[2]}), light);
    }
  }
}

TEST(Panorama, ATurnedPoseIsAShiftedPanorama) {
  PanoramaView view;
  view.width = 128;
  view.height = 64;
  const Rgb32f straight = panorama(view);
  view.pose.world_from_camera = geometry::pano_from_face(geometry::CubeFace::right);
  const Rgb32f turned = panorama(view);
  double difference = 0;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 128; ++x) {
      difference += static_cast<double>(std::abs(turned.at(x, y)[1] - straight.at((x + 32) % 128, y)[1]));
    }
  }
  EXPECT_LT(difference / (128 * 64), 1e-5);  // rounding of directions alone
}

TEST(Panorama, EncodingRoundsToTheNearestCode) {
  for (double off : {-0.48, 0.0, 0.48}) {
    Rgb32f linear(256, 1);
    for (int i = 0; i < 256; ++i) {
      const double encoded = std::clamp((i + off) / 255.0, 0.0, 1.0);
      const double light = encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
      for (int c = 0; c < 3; ++c) linear.at(i, 0)[c] = static_cast<float>(light);
    }
    const Rgb8 codes = encoded_srgb(linear);
    for (int i = 0; i < 256; ++i) {
      for (int c = 0; c < 3; ++c) EXPECT_EQ(codes.at(i, 0)[c], i) << off;
    }
  }
}

TEST(Photo, DistortionIsUndoneToABillionthOfAPixel) {
  Camera camera = front_camera(600, 400);
  camera.lens.distortion = {-0.12, 0.03, -0.004};
  const double unit = 0.5 * std::hypot(600, 400);
  for (double y = 0.5; y < 400; y += 57) {
    for (double x = 0.5; x < 600; x += 61) {
      const auto ideal = ideal_from_distorted(camera, {x, y});
      const double ux = (ideal.x - 300) / unit, uy = (ideal.y - 200) / unit, r2 = ux * ux + uy * uy;
      const double scale = 1 + r2 * (-0.12 + r2 * (0.03 - r2 * 0.004));
      EXPECT_NEAR(300 + ux * scale * unit, x, 1e-9);
      EXPECT_NEAR(200 + uy * scale * unit, y, 1e-9);
    }
  }
}

TEST(Photo, FringesMagnifyRedAndBlueAlone) {
  Camera camera = front_camera(120, 80);
  const Rgb32f plain = photograph(camera);
  camera.lens.red_scale = 1.01;
  const Rgb32f fringed = photograph(camera);
  int red_changes = 0;
  for (std::size_t i = 0; i < plain.pixels.size(); i += 3) {
    EXPECT_EQ(plain.pixels[i + 1], fringed.pixels[i + 1]);
    EXPECT_EQ(plain.pixels[i + 2], fringed.pixels[i + 2]);
    red_changes += plain.pixels[i] != fringed.pixels[i] ? 1 : 0;
  }
  EXPECT_GT(red_changes, 120 * 80 / 4);
}

TEST(Raw, SamplesAreTheTruthSeenThroughTheMatrixAndTheFilter) {
  for (const char* phase : {"RGGB", "GRBG", "GBRG", "BGGR"}) {
    RawRequest request = small_raw();
    request.cfa = cfa_from_name(phase);
    const SceneRaw raw = photograph_raw(request);
    const SensorColor color = sensor_color(request.sensor);
    for (int y = 0; y < 128; ++y) {
      for (int x = 0; x < 192; ++x) {
        const float* truth = raw.truth.at(x, y);
        const std::size_t c = request.cfa[static_cast<std::size_t>(y % 2 * 2 + x % 2)];
        double signal = 0;
        for (std::size_t k = 0; k < 3; ++k)
          signal += color.camera_from_rec2020[c * 3 + k] * static_cast<double>(truth[k]);
        const double code = 512 + std::clamp(signal, 0.0, 1.0) * (16300 - 512);
        ASSERT_NEAR(raw.samples[static_cast<std::size_t>(y * 192 + x)], code, 0.5001) << phase << ' ' << x << ' ' << y;
      }
    }
  }
}

TEST(Raw, TheNeutralIsTheAnswerToWhiteAndTheMatrixInverts) {
  const SensorColor color = sensor_color(sony_a7_iii());
  for (std::size_t c = 0; c < 3; ++c) {
    const double white =
        color.camera_from_rec2020[c * 3] + color.camera_from_rec2020[c * 3 + 1] + color.camera_from_rec2020[c * 3 + 2];
    EXPECT_NEAR(white, color.neutral[c], 1e-12);
  }
  EXPECT_EQ(color.neutral[1], 1);
  // By hand from the matrix and D65's XYZ (0.9505, 1, 1.0891).
  EXPECT_NEAR(color.neutral[0], 0.3743, 1e-4);
  EXPECT_NEAR(color.neutral[2], 0.7426, 1e-4);
}

TEST(Raw, NoiseHasTheStatedVarianceAndNoBias) {
  RawRequest request = small_raw();
  request.camera = front_camera(384, 256);
  request.exposure = 0.4;
  const SceneRaw clean = photograph_raw(request);
  request.iso = 6400;
  const SceneRaw noisy = photograph_raw(request);
  ASSERT_EQ(noisy.dng.noise.size(), 3u);
  double sum = 0, sum2 = 0;
  int count = 0;
  for (std::size_t i = 0; i < clean.samples.size(); ++i) {
    const double signal = (clean.samples[i] - 512.0) / (16300 - 512);
    if (signal < 0.02 || signal > 0.8) continue;
    const std::size_t y = i / 384, x = i % 384;
    const io::RawNoise& model = noisy.dng.noise[request.cfa[y % 2 * 2 + x % 2]];
    const double z = (noisy.samples[i] - static_cast<double>(clean.samples[i])) / (16300 - 512) /
                     std::sqrt(model.scale * signal + model.offset);
    sum += z;
    sum2 += z * z;
    ++count;
  }
  ASSERT_GT(count, 50000);
  EXPECT_NEAR(sum / count, 0, 0.015);  // three and a half standard errors of the mean
  EXPECT_NEAR(sum2 / count, 1, 0.02);
}

TEST(Raw, EveryOrientationDevelopsToTheSameUprightPicture) {
  const SceneRaw upright = photograph_raw(small_raw());
  for (int orientation = 2; orientation <= 8; ++orientation) {
    RawRequest request = small_raw();
    request.orientation = orientation;
    const SceneRaw raw = photograph_raw(request);
    EXPECT_TRUE(equal(raw.truth, upright.truth)) << orientation;
    EXPECT_EQ(raw.dng.width, orientation >= 5 ? 128 : 192);
    EXPECT_EQ(raw.dng.orientation, orientation);
  }
  // Orientation 6: the picture is turned clockwise for viewing, so its top left pixel is the stored bottom left one.
  RawRequest request = small_raw();
  request.orientation = 6;
  request.linear = true;
  const SceneRaw turned = photograph_raw(request);
  request.orientation = 1;
  const SceneRaw straight = photograph_raw(request);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(straight.samples[c], turned.samples[(191 * 128) * 3 + c]);
    EXPECT_EQ(straight.samples[191 * 3 + c], turned.samples[c]);
  }
}

TEST(Raw, BordersHoldDarkPixelsAndMoveNothing) {
  RawRequest request = small_raw();
  const SceneRaw plain = photograph_raw(request);
  request.border = {13, 7, 5, 9};
  const SceneRaw bordered = photograph_raw(request);
  EXPECT_TRUE(equal(plain.truth, bordered.truth));
  EXPECT_EQ(bordered.dng.width, 192 + 18);
  EXPECT_EQ(bordered.dng.active_area, (Rect{6, 3, 192 + 18 - 6 - 2, 128 + 16 - 3 - 4}));
  EXPECT_EQ(bordered.dng.default_crop, (Rect{7, 4, 192, 128}));
  EXPECT_EQ(bordered.samples[0], 512);
  // Crop origin (7, 4) of the active area: an odd column, so the filter under the crop is shifted by one.
  EXPECT_NO_THROW(io::write_dng(bordered.dng));
}

TEST(Raw, BytesDoNotDependOnTheNumberOfThreads) {
  RawRequest request = small_raw();
  request.iso = 3200;
  const int threads = thread_count();
  set_thread_count(1);
  const SceneRaw one = photograph_raw(request);
  set_thread_count(5);
  const SceneRaw five = photograph_raw(request);
  set_thread_count(threads);
  EXPECT_EQ(one.samples, five.samples);
  EXPECT_TRUE(equal(one.truth, five.truth));
}

TEST(Raw, LinearRawsHoldThreeSamplesFromZeroToFullScale) {
  RawRequest request = small_raw();
  request.linear = true;
  const SceneRaw raw = photograph_raw(request);
  EXPECT_EQ(raw.dng.black[0], 0);
  EXPECT_EQ(raw.dng.white, 65535);
  const SensorColor color = sensor_color(request.sensor);
  for (std::size_t i = 0; i < raw.samples.size(); ++i) {
    const float* truth = &raw.truth.pixels[i / 3 * 3];
    double signal = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      signal += color.camera_from_rec2020[i % 3 * 3 + k] * static_cast<double>(truth[k]);
    }
    ASSERT_NEAR(raw.samples[i], std::clamp(signal, 0.0, 1.0) * 65535, 0.5001) << i;
  }
}

TEST(Raw, BurntOutAreasAreFlatWhateverTheNoise) {
  RawRequest request = small_raw();
  request.exposure = 50;
  request.iso = 6400;
  const SceneRaw raw = photograph_raw(request);
  EXPECT_EQ(*std::max_element(raw.samples.begin(), raw.samples.end()), 16300);
  EXPECT_GT(std::count(raw.samples.begin(), raw.samples.end(), 16300), 192 * 128 / 2);
}

TEST(Raw, UnknownFilterPhasesAreRefused) {
  EXPECT_EQ(cfa_from_name("gbrg"), (std::array<std::uint8_t, 4>{1, 2, 0, 1}));
  for (const char* name : {"", "RGB", "RGGR", "RBGG", "GGRB", "XGGB"}) EXPECT_THROW(cfa_from_name(name), Error) << name;
}

}  // namespace
}  // namespace imago::scene
