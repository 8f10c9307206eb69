#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/cube_face.h"
#include "pano/equirect_coordinates.h"
#include "pano/panorama.h"

namespace imago::pano {
namespace {

using geometry::Vec3;

constexpr double right_angle = std::numbers::pi / 2;

std::vector<std::array<double, 9>> cube_rotations() {
  std::vector<std::array<double, 9>> rotations;
  for (geometry::CubeFace face : geometry::cube_faces) rotations.push_back(geometry::pano_from_face(face));
  return rotations;
}

// A smooth function of direction, 20 … 235 in each channel.
std::array<double, 3> smooth_color(const Vec3<double>& d) {
  return {128 + 60 * std::sin(3 * d.x) + 40 * d.y, 128 + 80 * std::cos(2 * d.z + d.x), 128 + 100 * d.y * d.x};
}

template <typename Color>
PaddedPanorama panorama_of(int width, Color&& color) {
  PaddedPanorama panorama(width, width / 2);
  for (int y = 0; y < panorama.height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double theta = 2 * std::numbers::pi * ((x + 0.5) / width - 0.5);
      const double phi = std::numbers::pi * (0.5 - (y + 0.5) / panorama.height);
      const auto rgb =
          color(Vec3<double>{std::cos(phi) * std::sin(theta), -std::sin(phi), std::cos(phi) * std::cos(theta)});
      std::uint8_t* out = panorama.row(y) + 4 * x;
      for (std::size_t k = 0; k < 3; ++k)
        out[k] = static_cast<std::uint8_t>(std::lround(std::clamp(rgb[k], 0.0, 255.0)));
      out[3] = 255;
    }
  }
  surround(panorama);
  return panorama;
}

Vec3<double> direction_of(geometry::CubeFace face, int size, double fov, int i, int j) {
  const double focal = geometry::face_focal_px(fov, size);
  const auto ray = geometry::face_ray_from_position<double>({i + 0.5, j + 0.5}, focal, size);
  return geometry::normalized(geometry::pano_from_face(face) * ray);
}

std::vector<Rgba8> sample_all(const FacesPlan& plan, const PaddedPanorama& panorama) {
  const PanoramaLevels levels = build_levels(plan, panorama);
  std::vector<Rgba8> faces;
  for (const FacePlan& face : plan.faces) {
    faces.emplace_back(face.size, face.size);
    sample_face(plan, face, levels, faces.back());
  }
  return faces;
}

bool same_pixels(const Rgba8& a, const Rgba8& b) {
  return a.pixels.size() == b.pixels.size() && std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size()) == 0;
}

TEST(EquirectCoordinates, TurnsAreWithinTwoTenMillionthsOfARadianOfAtan2) {
  for (int i = 0; i <= 20000; ++i) {
    const double angle = (i / 10000.0 - 1) * std::numbers::pi;
    const auto y = static_cast<float>(std::sin(angle) * 3);
    const auto x = static_cast<float>(std::cos(angle) * 3);
    const double exact = std::atan2(static_cast<double>(y), static_cast<double>(x));
    ASSERT_NEAR(static_cast<double>(turns_atan2(y, x)) * 2 * std::numbers::pi, exact, 4e-7) << i;
  }
  EXPECT_EQ(turns_atan2(0.0f, 0.0f), 0.0f);
}

TEST(KernelTable, WeightsOfEveryPhaseSumToOneExactly) {
  for (Filter filter : {Filter::aniso, Filter::bilinear, Filter::cubic, Filter::lanczos}) {
    const KernelTable table = kernel_table(filter);
    for (std::size_t row = 0; row < table.weights.size(); row += tap_count) {
      int sum = 0;
      for (int tap = 0; tap < tap_count; ++tap) sum += table.weights[row + static_cast<std::size_t>(tap)];
      ASSERT_EQ(sum, weight_one);
    }
  }
}

class EveryFilter : public testing::TestWithParam<Filter> {};
INSTANTIATE_TEST_SUITE_P(Faces, EveryFilter,
                         testing::Values(Filter::aniso, Filter::bilinear, Filter::cubic, Filter::lanczos));

// The bound: half a level of rounding in the source, half in the result, and what the kernel adds (bilinear's second
// difference on this function is below 0.2 level at 1024 px). Coarse levels round once more a halving.
TEST_P(EveryFilter, FacesOfASmoothSphereEqualItWithinTwoLevels) {
  const PaddedPanorama panorama = panorama_of(1024, smooth_color);
  for (int size : {256, 96, 700}) {
    const FacesPlan plan = plan_faces(1024, 512, cube_rotations(), 96 * std::numbers::pi / 180, size, GetParam());
    const std::vector<Rgba8> faces = sample_all(plan, panorama);
    for (geometry::CubeFace face : geometry::cube_faces) {
      double worst = 0;
      for (int j = 0; j < size; ++j) {
        for (int i = 0; i < size; ++i) {
          const auto rgb = smooth_color(direction_of(face, size, 96 * std::numbers::pi / 180, i, j));
          const std::uint8_t* pixel = faces[static_cast<std::size_t>(face)].at(i, j);
          for (std::size_t k = 0; k < 3; ++k) worst = std::max(worst, std::abs(rgb[k] - pixel[k]));
          ASSERT_EQ(pixel[3], 255);
        }
      }
      EXPECT_LT(worst, GetParam() == Filter::aniso ? 2.0 : 1.5) << geometry::name_of(face) << " at " << size;
    }
  }
}

TEST_P(EveryFilter, AConstantPanoramaGivesConstantFaces) {
  for (int value : {0, 1, 127, 254, 255}) {
    const PaddedPanorama panorama = panorama_of(64, [&](const Vec3<double>&) {
      return std::array<double, 3>{static_cast<double>(value), static_cast<double>(value), static_cast<double>(value)};
    });
    const FacesPlan plan = plan_faces(64, 32, cube_rotations(), right_angle, 33, GetParam());
    for (const Rgba8& face : sample_all(plan, panorama)) {
      for (int i = 0; i < 33 * 33; ++i) ASSERT_EQ(face.pixels[static_cast<std::size_t>(4 * i)], value);
    }
  }
}

TEST_P(EveryFilter, VectorAndPlainFormsGiveTheSameBits) {
  std::uint32_t state = 1;
  const PaddedPanorama panorama = panorama_of(512, [&](const Vec3<double>&) {
    state = state * 1664525u + 1013904223u;
    return std::array<double, 3>{static_cast<double>(state >> 24), static_cast<double>((state >> 16) & 255u),
                                 static_cast<double>((state >> 8) & 255u)};
  });
  const FacesPlan plan = plan_faces(512, 256, cube_rotations(), 1.7, 121, GetParam());
  const PanoramaLevels levels = build_levels(plan, panorama);
  for (const FacePlan& face : plan.faces) {
    Rgba8 fast(121, 121);
    Rgba8 plain(121, 121);
    sample_face(plan, face, levels, fast);
    sample_face_plain(plan, face, levels, plain);
    EXPECT_TRUE(same_pixels(fast, plain));
  }
}

TEST(Faces, LookWhereTheyAreNamed) {
  // Red grows to the right (+X), green downwards (+Y), blue ahead (+Z).
  const PaddedPanorama panorama = panorama_of(512, [](const Vec3<double>& d) {
    return std::array<double, 3>{128 + 100 * d.x, 128 + 100 * d.y, 128 + 100 * d.z};
  });
  const FacesPlan plan = plan_faces(512, 256, cube_rotations(), right_angle, 64, Filter::bilinear);
  const std::vector<Rgba8> faces = sample_all(plan, panorama);
  const std::array<std::array<int, 3>, 6> middle = {
      {{128, 128, 228}, {228, 128, 128}, {128, 128, 28}, {28, 128, 128}, {128, 28, 128}, {128, 228, 128}}};
  for (std::size_t face = 0; face < 6; ++face) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(faces[face].at(32, 32)[k], middle[face][k], 2) << face;
  }
  // The bottom edge of `up` and the top edge of `down` look ahead.
  EXPECT_GT(faces[4].at(32, 63)[2], 190);
  EXPECT_GT(faces[5].at(32, 0)[2], 190);
}

TEST(Faces, NothingShowsWhereThePanoramaEndsMeet) {
  const PaddedPanorama panorama = panorama_of(1024, smooth_color);
  const FacesPlan plan = plan_faces(1024, 512, cube_rotations(), right_angle, 256, Filter::lanczos);
  const Rgba8 back = std::move(sample_all(plan, panorama)[static_cast<std::size_t>(geometry::CubeFace::back)]);
  for (int y = 0; y < 256; ++y) {
    for (int x = 1; x < 256; ++x) ASSERT_LE(std::abs(back.at(x, y)[0] - back.at(x - 1, y)[0]), 3) << x << ' ' << y;
  }
}

TEST(Faces, ADarkRampNeverWrapsAround) {
  const PaddedPanorama panorama = panorama_of(256, [](const Vec3<double>& d) {
    const double value = d.x > 0 ? 0 : 255;
    return std::array<double, 3>{value, value, value};
  });
  for (Filter filter : {Filter::aniso, Filter::lanczos}) {
    const FacesPlan plan = plan_faces(256, 128, cube_rotations(), right_angle, 200, filter);
    const Rgba8 front = std::move(sample_all(plan, panorama)[0]);
    for (int y = 20; y < 180; ++y) {
      for (int x = 0; x < 200; ++x) {
        // Overshoot of the kernels is clamped: dark stays dark, bright stays bright.
        if (x < 80) {
          ASSERT_GT(front.at(x, y)[0], 225);
        }
        if (x > 120) {
          ASSERT_LT(front.at(x, y)[0], 30);
        }
      }
    }
  }
}

TEST(Faces, ThreadsChangeNothing) {
  const PaddedPanorama panorama = panorama_of(512, smooth_color);
  const FacesPlan plan = plan_faces(512, 256, cube_rotations(), 1.7, 150, Filter::aniso);
  const int threads = thread_count();
  set_thread_count(1);
  const std::vector<Rgba8> one = sample_all(plan, panorama);
  set_thread_count(3);
  const std::vector<Rgba8> three = sample_all(plan, panorama);
  set_thread_count(threads);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(same_pixels(one[i], three[i]));
}

TEST(Faces, OddAndTinyPanoramasAreSampledWithoutReadingOutside) {
  for (int width : {16, 17, 50, 101, 334}) {
    PaddedPanorama panorama(width, std::max(8, width / 2));
    std::fill(panorama.pixels.pixels.begin(), panorama.pixels.pixels.end(), std::uint8_t{90});
    surround(panorama);
    for (int size : {1, 7, 100}) {
      const FacesPlan plan = plan_faces(width, panorama.height, cube_rotations(), 1.9, size, Filter::aniso);
      for (const Rgba8& face : sample_all(plan, panorama)) {
        for (int i = 0; i < size * size; ++i) ASSERT_EQ(face.pixels[static_cast<std::size_t>(4 * i)], 90);
      }
    }
  }
}

// A spherical zone plate finer than a small face can show: what is left of it is alias.
TEST(Faces, TheDefaultFilterAliasesFarLessThanBilinear) {
  const PaddedPanorama panorama = panorama_of(2048, [](const Vec3<double>& d) {
    const double value = 128 + 100 * std::sin(900 * d.z * d.z);
    return std::array<double, 3>{value, value, value};
  });
  const auto alias_energy = [&](Filter filter) {
    const FacesPlan plan = plan_faces(2048, 1024, cube_rotations(), right_angle, 256, filter);
    const Rgba8 right = std::move(sample_all(plan, panorama)[1]);
    double energy = 0;
    int count = 0;
    for (int y = 0; y < 256; ++y) {
      for (int x = 0; x < 256; ++x) {
        const Vec3<double> d = direction_of(geometry::CubeFace::right, 256, right_angle, x, y);
        // Cycles a face pixel where the pattern turns fastest; above 0.6 nothing of it can be shown.
        const double cycles =
            900 * 2 * std::abs(d.z) * std::sqrt(1 - d.z * d.z) / (2 * std::numbers::pi) / 128 * d.x * d.x;
        if (cycles < 0.6) continue;
        energy += std::pow(right.at(x, y)[0] - 128.0, 2);
        ++count;
      }
    }
    return energy / count;
  };
  EXPECT_LT(alias_energy(Filter::aniso), alias_energy(Filter::bilinear) / 4);  // 6 dB
}

TEST(FaceSize, FollowsTheDensityOfAQuarterOfTheWidthAtNinetyDegrees) {
  EXPECT_EQ(automatic_face_size(7680, right_angle), 1920);
  EXPECT_EQ(automatic_face_size(7680, 96 * std::numbers::pi / 180), 2128);
  EXPECT_EQ(native_face_size(7680, right_angle), 2448);
}

TEST(PlanFaces, RefusesWhatItCannotSample) {
  EXPECT_THROW(plan_faces(0, 0, cube_rotations(), 1.5, 64, Filter::aniso), Error);
  EXPECT_THROW(plan_faces(512, 256, cube_rotations(), 3.2, 64, Filter::aniso), Error);
  EXPECT_THROW(plan_faces(512, 256, cube_rotations(), 1.5, 0, Filter::aniso), Error);
}

}  // namespace
}  // namespace imago::pano
