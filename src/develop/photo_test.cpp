// What opening a photo does beyond the stages: profiles given by the user, pixels that are not square, damage.
#include "develop/photo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "color/icc.h"
#include "io/test_files.h"
#include "io/test_tiff.h"

namespace imago::develop {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int width = 64, height = 48;

// An even grey under the light that the file names, to a few parts in a thousand: no two rows of one colour are alike.
io::TestTiff grey_dng(double level) {
  const double neutral[] = {0.48, 1, 0.64};
  std::vector<std::uint16_t> samples;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int color = x % 2 + y % 2;
      samples.push_back(
          static_cast<std::uint16_t>(std::lround(16383 * neutral[color] * (level + 1e-4 * x + 1e-4 * (y % 5)))));
    }
  }
  return io::test_dng(width, height, 1, samples).shorts(50717, {16383});
}

std::filesystem::path written(const io::TemporaryFolder& folder, const char* name,
                              const std::vector<std::byte>& bytes) {
  write_file_atomically(folder.path / name, bytes);
  return folder.path / name;
}

TEST(OpenPhoto, PixelsThatAreNotSquareAreStretched) {
  const io::TemporaryFolder folder;
  const auto size_with = [&](double horizontal, double vertical) {
    const Photo photo =
        open_photo(written(folder, "a.dng", grey_dng(0.2).rationals(50718, {horizontal, vertical}, false).file()), {});
    EXPECT_NEAR(photo.source.at(photo.source.width / 2, photo.source.height / 2)[1], 0.2 + 1e-4 * 32, 2e-3);
    return std::pair(photo.source.width, photo.source.height);
  };
  EXPECT_EQ(size_with(1, 1), std::pair(width, height));
  EXPECT_EQ(size_with(2, 1), std::pair(2 * width, height));
  EXPECT_EQ(size_with(1, 1.5), std::pair(width, 72));
}

TEST(OpenPhoto, AnIccProfileTakesWhiteBalancedSamples) {
  const io::TemporaryFolder folder;
  const auto raw = written(folder, "a.dng", grey_dng(0.3).rationals(50730, {1}).file());
  const auto icc =
      written(folder, "camera.icc", color::icc_profile(color::srgb_primaries, color::Transfer::linear, "Camera"));
  const Photo own = open_photo(raw, {});
  const Photo through = open_photo(raw, {}, {.camera_profile = icc});
  EXPECT_NE(own.key, through.key);
  for (int c = 0; c < 3; ++c) {
    // white is white in any profile; the baseline exposure counts
    EXPECT_NEAR(through.source.at(30, 20)[c], 2 * (0.3 + 1e-4 * 30), 2e-3);
    EXPECT_NEAR(own.source.at(30, 20)[c], 2 * (0.3 + 1e-4 * 30), 2e-3);
  }
}

TEST(OpenPhoto, ADcpFileBringsItsLook) {
  const io::TemporaryFolder folder;
  const auto raw = written(folder, "a.dng", grey_dng(0.3).file());
  const auto dcp = written(folder, "a.dcp",
                           io::TestTiff()
                               .text(50708, "Imago Test")
                               .rationals(50721, {0.7, -0.2, 0, -0.5, 1.3, 0.2, -0.1, 0.2, 0.6})
                               .shorts(50778, {21})
                               .longs(50937, {1, 2, 1})
                               .floats(50938, {0, 1, 0.5f, 0, 1, 0.5f})  // half of the light
                               .floats(50940, {0, 0, 0.3f, 0.6f, 1, 1})
                               .rationals(51109, {1})
                               .file(0x4352));
  const Photo photo = open_photo(raw, {}, {.camera_profile = dcp});
  EXPECT_THAT(photo.warnings, IsEmpty());
  EXPECT_EQ(photo.look.tone_curve.size(), 3u);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(photo.source.at(30, 20)[c], 0.3 + 1e-4 * 30, 2e-3);  // halved, doubled
}

TEST(OpenPhoto, AWrongProfileIsRefusedByItsName) {
  const io::TemporaryFolder folder;
  const auto raw = written(folder, "a.dng", grey_dng(0.3).file());
  const auto wrong = written(folder, "b.dcp", std::vector<std::byte>(200));
  try {
    open_photo(raw, {}, {.camera_profile = wrong});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("b.dcp: is no camera profile"));
  }
  EXPECT_THROW(open_photo(raw, {}, {.camera_profile = folder.path / "none.dcp"}), Error);
}

TEST(OpenPhoto, DamageIsBorneWhenItIsAskedFor) {
  const io::TemporaryFolder folder;
  std::vector<std::byte> bytes = grey_dng(0.3).file();
  bytes.resize(bytes.size() - width * 12 * 2);
  const auto raw = written(folder, "a.dng", bytes);
  EXPECT_THROW(open_photo(raw, {}), Error);
  const Photo photo = open_photo(raw, {}, {.raw = {.allow_damaged = true}});
  EXPECT_THAT(photo.warnings, ElementsAre(HasSubstr("about 25 % of the picture is missing (rows 36 to 47 of 48)")));
  EXPECT_NEAR(photo.source.at(30, 10)[1], 0.3 + 1e-4 * 30, 2e-3);
}

}  // namespace
}  // namespace imago::develop
