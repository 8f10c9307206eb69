#include "io/dng/dng_writer.h"

#include <gtest/gtest.h>
#include <libraw/libraw.h>

#include <memory>

#include "base/error.h"

namespace imago::io {
namespace {

constexpr RawMatrix sony_d65 = {0.7374, -0.2389, -0.0551, -0.5435, 1.3162, 0.2519, -0.1006, 0.1795, 0.6552};
constexpr RawMatrix sony_a = {0.6640, -0.1847, -0.0503, -0.5238, 1.3010, 0.2474, -0.0993, 0.1673, 0.6527};

// Every sample differs from its neighbours, so that a shifted row or column shows.
std::vector<std::uint16_t> counting_samples(std::size_t count) {
  std::vector<std::uint16_t> samples(count);
  for (std::size_t i = 0; i < count; ++i) samples[i] = static_cast<std::uint16_t>(512 + i * 37 % 15000);
  return samples;
}

Dng small_mosaic(const std::vector<std::uint16_t>& samples, int width, int height) {
  Dng dng;
  dng.width = width;
  dng.height = height;
  dng.samples = samples;
  dng.black = {512, 512, 512, 512};
  dng.white = 16300;
  dng.make = "Imago";
  dng.model = "Analytic scene";
  dng.calibrations = {{.illuminant = 17, .cct_kelvin = 2856, .color_matrix = sony_a, .forward_matrix = {}},
                      {.illuminant = 21, .cct_kelvin = 6504, .color_matrix = sony_d65, .forward_matrix = {}}};
  dng.as_shot_neutral = {0.48, 1, 0.64};
  return dng;
}

// LibRaw is large: on the heap.
std::unique_ptr<LibRaw> opened(std::vector<std::byte>& file) {
  auto raw = std::make_unique<LibRaw>();
  EXPECT_EQ(raw->open_buffer(file.data(), file.size()), LIBRAW_SUCCESS);
  EXPECT_EQ(raw->unpack(), LIBRAW_SUCCESS);
  return raw;
}

TEST(DngWriter, SamplesComeBackThroughLibRaw) {
  const auto samples = counting_samples(131 * 97);
  auto file = write_dng(small_mosaic(samples, 131, 97));
  const auto raw = opened(file);
  ASSERT_EQ(raw->imgdata.sizes.raw_width, 131);
  ASSERT_EQ(raw->imgdata.sizes.raw_height, 97);
  ASSERT_NE(raw->imgdata.rawdata.raw_image, nullptr);
  const std::size_t pitch = raw->imgdata.sizes.raw_pitch / 2;
  for (std::size_t y = 0; y < 97; ++y) {
    for (std::size_t x = 0; x < 131; ++x) {
      ASSERT_EQ(raw->imgdata.rawdata.raw_image[y * pitch + x], samples[y * 131 + x]) << x << ' ' << y;
    }
  }
}

TEST(DngWriter, LevelsMatricesAndNeutralSurvive) {
  const auto samples = counting_samples(64 * 64);
  auto dng = small_mosaic(samples, 64, 64);
  dng.baseline_exposure_ev = -0.35;
  auto file = write_dng(dng);
  const auto raw = opened(file);
  const auto& levels = raw->imgdata.color.dng_levels;
  EXPECT_EQ(levels.dng_black, 512u);
  EXPECT_EQ(levels.dng_whitelevel[0], 16300u);
  EXPECT_NEAR(levels.baseline_exposure, -0.35f, 1e-6f);
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(static_cast<double>(levels.asshotneutral[c]), dng.as_shot_neutral[static_cast<std::size_t>(c)], 1e-6);
  }
  const RawMatrix* matrices[] = {&sony_a, &sony_d65};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(raw->imgdata.color.dng_color[i].illuminant, i == 0 ? 17 : 21);
    for (int k = 0; k < 9; ++k) {
      EXPECT_NEAR(static_cast<double>(raw->imgdata.color.dng_color[i].colormatrix[k / 3][k % 3]),
                  (*matrices[i])[static_cast<std::size_t>(k)], 1e-6);
    }
  }
}

TEST(DngWriter, BlackOfEachFilterPositionSurvives) {
  const auto samples = counting_samples(64 * 64);
  auto dng = small_mosaic(samples, 64, 64);
  dng.black = {500, 510, 520, 530};
  auto file = write_dng(dng);
  const auto raw = opened(file);
  // LibRaw hands a repeating black over as a base and a table of width, height and excesses from index 4 on.
  const auto& levels = raw->imgdata.color.dng_levels;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto y = static_cast<int>(i / 2);
    const auto x = static_cast<int>(i % 2);
    const unsigned base = levels.dng_black + levels.dng_cblack[raw->COLOR(y, x)];
    const unsigned table = levels.dng_cblack[4] > 0 ? levels.dng_cblack[6 + i] : 0;
    EXPECT_EQ(base + table, static_cast<unsigned>(dng.black[i])) << i;
  }
}

TEST(DngWriter, EveryFilterPhaseIsReadBackFromTheActiveArea) {
  const std::array<std::array<std::uint8_t, 4>, 4> phases = {{{0, 1, 1, 2}, {1, 0, 2, 1}, {1, 2, 0, 1}, {2, 1, 1, 0}}};
  const auto samples = counting_samples(80 * 60);
  for (const auto& phase : phases) {
    for (const Rect& active : {Rect{}, Rect{8, 4, 64, 48}, Rect{7, 5, 65, 49}}) {
      auto dng = small_mosaic(samples, 80, 60);
      dng.cfa = phase;
      dng.active_area = active;
      auto file = write_dng(dng);
      const auto raw = opened(file);
      for (int i = 0; i < 4; ++i) {
        const int color = raw->COLOR(active.y + i / 2, active.x + i % 2);  // LibRaw counts from the stored corner
        EXPECT_EQ(color == 3 ? 1 : color, phase[static_cast<std::size_t>(i)]) << i << " active.x " << active.x;
      }
    }
  }
}

TEST(DngWriter, RectanglesAndOrientationSurvive) {
  const auto samples = counting_samples(80 * 60);
  auto dng = small_mosaic(samples, 80, 60);
  dng.active_area = {8, 4, 64, 48};
  dng.default_crop = {2, 4, 60, 42};                      // LibRaw moves odd origins to the next even pixel
  const int libraw_flip[] = {0, 0, 1, 3, 2, 4, 6, 7, 5};  // LibRaw's code for EXIF 1…8
  for (int orientation = 1; orientation <= 8; ++orientation) {
    dng.orientation = orientation;
    auto file = write_dng(dng);
    const auto raw = opened(file);
    const auto& sizes = raw->imgdata.sizes;
    EXPECT_EQ(sizes.flip, libraw_flip[orientation]) << orientation;
    EXPECT_EQ(sizes.left_margin, 8);
    EXPECT_EQ(sizes.top_margin, 4);
    EXPECT_EQ(sizes.width, 64);
    EXPECT_EQ(sizes.height, 48);
    const auto& crop = sizes.raw_inset_crops[0];
    EXPECT_EQ(crop.cleft, 2 + 8);
    EXPECT_EQ(crop.ctop, 4 + 4);
    EXPECT_EQ(crop.cwidth, 60);
    EXPECT_EQ(crop.cheight, 42);
  }
}

TEST(DngWriter, LinearRawsKeepThreeSamplesAPixel) {
  const auto samples = counting_samples(53 * 41 * 3);
  auto dng = small_mosaic(samples, 53, 41);
  dng.photometric = DngPhotometric::linear;
  dng.black = {};
  dng.white = 60000;
  auto file = write_dng(dng);
  const auto raw = opened(file);
  ASSERT_EQ(raw->imgdata.idata.filters, 0u);
  ASSERT_NE(raw->imgdata.rawdata.color4_image, nullptr);
  const std::size_t pitch = raw->imgdata.sizes.raw_pitch / 8;
  for (std::size_t y = 0; y < 41; ++y) {
    for (std::size_t x = 0; x < 53; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_EQ(raw->imgdata.rawdata.color4_image[y * pitch + x][c], samples[(y * 53 + x) * 3 + c]);
      }
    }
  }
}

TEST(DngWriter, ExposureFactsAndNamesSurvive) {
  const auto samples = counting_samples(64 * 64);
  auto dng = small_mosaic(samples, 64, 64);
  dng.iso = 6400;
  dng.shutter_s = 1.0 / 250;
  dng.aperture_f = 5.6;
  dng.focal_length_mm = 35;
  dng.lens = "Ideal 35mm";
  dng.time = "2026-05-31 14:03:07";
  auto file = write_dng(dng);
  const auto raw = opened(file);
  const auto& other = raw->imgdata.other;
  EXPECT_EQ(other.iso_speed, 6400.0f);
  EXPECT_NEAR(other.shutter, 0.004f, 1e-7f);
  EXPECT_NEAR(other.aperture, 5.6f, 1e-6f);
  EXPECT_EQ(other.focal_len, 35.0f);
  EXPECT_STREQ(raw->imgdata.idata.make, "Imago");
  EXPECT_STREQ(raw->imgdata.idata.model, "Analytic scene");
  EXPECT_STREQ(raw->imgdata.lens.Lens, "Ideal 35mm");
  EXPECT_GT(other.timestamp, 0);
}

TEST(DngWriter, APreviewLeadsAndTheRawIsStillFound) {
  const auto samples = counting_samples(64 * 48);
  auto dng = small_mosaic(samples, 64, 48);
  Rgb8 preview(17, 11);
  std::fill(preview.pixels.begin(), preview.pixels.end(), std::uint8_t{200});
  dng.preview = &preview;
  auto file = write_dng(dng);
  const auto raw = opened(file);
  EXPECT_EQ(raw->imgdata.sizes.raw_width, 64);
  EXPECT_EQ(raw->imgdata.rawdata.raw_image[63], samples[63]);
  EXPECT_EQ(raw->imgdata.thumbnail.twidth, 17);
  EXPECT_EQ(raw->imgdata.thumbnail.theight, 11);
  ASSERT_EQ(raw->unpack_thumb(), LIBRAW_SUCCESS);
  EXPECT_EQ(static_cast<unsigned char>(raw->imgdata.thumbnail.thumb[5]), 200);
}

TEST(DngWriter, EqualInputGivesEqualBytes) {
  const auto samples = counting_samples(64 * 48);
  EXPECT_EQ(write_dng(small_mosaic(samples, 64, 48)), write_dng(small_mosaic(samples, 64, 48)));
}

TEST(DngWriter, ImpossibleRequestsAreRefused) {
  const auto samples = counting_samples(64 * 48);
  const Dng good = small_mosaic(samples, 64, 48);
  auto dng = good;
  dng.width = 65;
  EXPECT_THROW(write_dng(dng), Error);
  dng = good;
  dng.active_area = {1, 0, 64, 48};
  EXPECT_THROW(write_dng(dng), Error);
  dng = good;
  dng.orientation = 9;
  EXPECT_THROW(write_dng(dng), Error);
  dng = good;
  dng.calibrations.clear();
  EXPECT_THROW(write_dng(dng), Error);
  dng = good;
  dng.as_shot_neutral[1] = 0;
  EXPECT_THROW(write_dng(dng), Error);
}

}  // namespace
}  // namespace imago::io
