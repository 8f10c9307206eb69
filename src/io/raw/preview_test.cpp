#include "io/raw/preview.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "io/dng/dng_writer.h"
#include "io/picture_reader.h"
#include "io/test_files.h"

namespace imago::io {
namespace {

// Red to the right, green downwards.
Rgb8 ramp(int width, int height) {
  Rgb8 image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.at(x, y)[0] = static_cast<std::uint8_t>(255 * x / (width - 1));
      image.at(x, y)[1] = static_cast<std::uint8_t>(255 * y / (height - 1));
      image.at(x, y)[2] = 40;
    }
  }
  return image;
}

std::vector<std::byte> dng_with_preview(const Rgb8* preview, int orientation) {
  std::vector<std::uint16_t> samples(240 * 160);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<std::uint16_t>(100 + i % 4000);
  Dng dng;
  dng.width = 240;
  dng.height = 160;
  dng.samples = samples;
  dng.make = "Imago";
  dng.model = "Analytic scene";
  dng.calibrations = {{.color_matrix = {0.7374, -0.2389, -0.0551, -0.5435, 1.3162, 0.2519, -0.1006, 0.1795, 0.6552},
                       .forward_matrix = {}}};
  dng.orientation = orientation;
  dng.preview = preview;
  return write_dng(dng);
}

TEST(Preview, IsTurnedUpright) {
  const Rgb8 image = ramp(96, 64);
  // Where the picture's brightest red corner, stored top right, comes to lie.
  const struct {
    int orientation;
    bool right, bottom;
  } corners[] = {{1, true, false}, {2, false, false}, {3, false, true}, {4, true, true},
                 {5, false, true}, {6, true, true},   {7, true, false}, {8, false, false}};
  for (const auto& [orientation, right, bottom] : corners) {
    const auto preview = read_preview(dng_with_preview(&image, orientation), "own.dng");
    ASSERT_TRUE(preview) << orientation;
    EXPECT_EQ(preview->width, 96);
    const Picture upright = read_picture(upright_jpeg(*preview, "own.dng"), "own.jpg");
    EXPECT_EQ(upright.info.width, orientation >= 5 ? 64 : 96);
    EXPECT_EQ(upright.info.orientation, 1);
    const std::uint8_t* pixel =
        upright.rgb8.at(right ? upright.info.width - 4 : 3, bottom ? upright.info.height - 4 : 3);
    EXPECT_GT(pixel[0], 225) << orientation;
    EXPECT_LT(pixel[1], 40) << orientation;
  }
}

TEST(Preview, AFileWithoutOneHasNone) { EXPECT_FALSE(read_preview(dng_with_preview(nullptr, 1), "own.dng")); }

TEST(Preview, OfDamagedFilesIsAnErrorOrNothing) {
  const Rgb8 image = ramp(96, 64);
  with_damaged_copies(dng_with_preview(&image, 6), 200, [&](std::span<const std::byte> damaged) {
    try {
      const auto preview = read_preview(damaged, "damaged.dng");
      if (preview) upright_jpeg(*preview, "damaged.dng");
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind == ErrorKind::input || error.kind == ErrorKind::memory) << error.what();
    }
  });
}

TEST(Preview, OfTheSamplesIsTheLargestOfTheFile) {
  const std::filesystem::path folder = sample_folder("raw");
  if (folder.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw)";
  const auto canon = read_preview(folder / "photoprism_canon_eos_6d.dng");  // 256 and 1024 wide
  ASSERT_TRUE(canon);
  EXPECT_EQ(canon->width, 1024);
  const auto crw = read_preview(folder / "imagemeta_CRW.CRW");
  ASSERT_TRUE(crw);
  EXPECT_EQ(crw->width, 1440);
  EXPECT_EQ(upright_jpeg(*crw, "x"), crw->jpeg);  // the file's own bytes
  // No Foveon is decoded here, but its preview can be seen.
  EXPECT_NO_THROW(read_preview(folder / "broken/exiftool_SigmaDP2.x3f"));
}

}  // namespace
}  // namespace imago::io
