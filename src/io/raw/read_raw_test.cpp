#include "io/raw/read_raw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/byte_source.h"
#include "io/dng/dng_writer.h"
#include "io/image_file.h"
#include "io/test_files.h"

namespace imago::io {
namespace {

using testing::HasSubstr;

constexpr RawMatrix sony_d65 = {0.7374, -0.2389, -0.0551, -0.5435, 1.3162, 0.2519, -0.1006, 0.1795, 0.6552};
constexpr RawMatrix sony_a = {0.6640, -0.1847, -0.0503, -0.5238, 1.3010, 0.2474, -0.0993, 0.1673, 0.6527};

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

TEST(ReadRaw, SamplesAreThoseOfTheFile) {
  const auto samples = counting_samples(131 * 97);
  const RawImage raw = read_raw(write_dng(small_mosaic(samples, 131, 97)), "own.dng");
  ASSERT_EQ(raw.width, 131);
  ASSERT_EQ(raw.height, 97);
  ASSERT_EQ(raw.layout, RawLayout::bayer);
  EXPECT_TRUE(std::equal(samples.begin(), samples.end(), raw.samples.begin(), raw.samples.end()));
  EXPECT_EQ(raw.black.per_channel[0], 512);
  EXPECT_EQ(raw.white[1], 16300);
  EXPECT_EQ(raw.neutral_source, NeutralSource::as_shot_neutral);
  EXPECT_NEAR(raw.neutral[0], 0.48, 1e-6);
  EXPECT_NEAR(raw.neutral[2], 0.64, 1e-6);
  ASSERT_EQ(raw.calibrations.size(), 2u);
  EXPECT_EQ(raw.calibrations[0].illuminant, 17);
  EXPECT_NEAR(raw.calibrations[1].color_matrix[4], 1.3162, 1e-6);
}

TEST(ReadRaw, ThePatternIsKnownFromTheMosaicsOwnCornerWhateverTheBorder) {
  const auto samples = counting_samples(140 * 100);
  const std::array<std::array<std::uint8_t, 4>, 4> phases = {{{0, 1, 1, 2}, {1, 0, 2, 1}, {1, 2, 0, 1}, {2, 1, 1, 0}}};
  for (const auto& phase : phases) {
    for (const auto& [left, top] : {std::pair{0, 0}, {1, 0}, {0, 1}, {3, 5}}) {
      Dng dng = small_mosaic(samples, 140, 100);
      dng.cfa = phase;
      dng.active_area = {left, top, 120, 80};
      const RawImage raw = read_raw(write_dng(dng), "own.dng");
      EXPECT_EQ(raw.active_area, (Rect{left, top, 120, 80}));
      for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
          EXPECT_EQ(raw.cfa.color(left + x, top + y), phase[static_cast<std::size_t>(y % 2 * 2 + x % 2)])
              << left << ' ' << top;
        }
      }
    }
  }
}

// The writer's 2 × 2 pattern replaced by one of 6 × 6: the two CFA tags of the first directory rewritten, the colours
// appended to the file.
std::vector<std::byte> with_xtrans_pattern(std::vector<std::byte> file, const std::array<std::uint8_t, 36>& colors) {
  const auto put = [&](std::size_t at, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) file[at + static_cast<std::size_t>(i)] = static_cast<std::byte>(value >> (8 * i));
  };
  const auto entry = [&](std::uint16_t tag) {
    for (std::size_t at = 8; at + 12 < file.size(); at += 2) {
      if (std::to_integer<int>(file[at]) + 256 * std::to_integer<int>(file[at + 1]) == tag) return at;
    }
    throw std::runtime_error("tag not found");
  };
  const std::size_t dimensions = entry(33421), pattern = entry(33422);
  put(dimensions + 8, 6 + (6 << 16), 4);
  put(pattern + 4, 36, 4);
  put(pattern + 8, static_cast<std::uint32_t>(file.size()), 4);
  for (const std::uint8_t color : colors) file.push_back(static_cast<std::byte>(color));
  return file;
}

TEST(ReadRaw, AnXTransPatternIsKnownFromTheMosaicsOwnCorner) {
  const std::array<std::uint8_t, 36> colors = {1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1,
                                               1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 0, 1};
  const auto samples = counting_samples(140 * 100);
  for (const auto& [left, top] : {std::pair{0, 0}, {2, 0}, {4, 2}, {1, 3}}) {
    Dng dng = small_mosaic(samples, 140, 100);
    dng.active_area = {left, top, 120, 80};
    const RawImage raw = read_raw(with_xtrans_pattern(write_dng(dng), colors), "xtrans.dng");
    ASSERT_EQ(raw.layout, RawLayout::xtrans);
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 12; ++x) {
        EXPECT_EQ(raw.cfa.color(left + x, top + y), colors[static_cast<std::size_t>(y % 6 * 6 + x % 6)])
            << left << ' ' << top;
      }
    }
  }
}

TEST(ReadRaw, BlackLevelsOfEachFilterArriveWhateverTheBorder) {
  const auto samples = counting_samples(140 * 100);
  for (const auto& [left, top] : {std::pair{0, 0}, {1, 0}, {4, 3}}) {
    Dng dng = small_mosaic(samples, 140, 100);
    dng.black = {500, 510.5, 520, 530};
    dng.active_area = {left, top, 120, 80};
    const RawImage raw = read_raw(write_dng(dng), "own.dng");
    for (int y = 0; y < 2; ++y) {
      for (int x = 0; x < 2; ++x) {
        const auto channel = static_cast<std::size_t>(raw.cfa.channel(left + x, top + y));
        float black = raw.black.per_channel[channel];
        if (!raw.black.pattern.empty()) {
          black += raw.black.pattern[static_cast<std::size_t>(y % raw.black.pattern_height * raw.black.pattern_width +
                                                              x % raw.black.pattern_width)];
        }
        EXPECT_FLOAT_EQ(black, static_cast<float>(dng.black[static_cast<std::size_t>(y * 2 + x)]));
      }
    }
  }
}

TEST(ReadRaw, CropOrientationAndExposureArrive) {
  const auto samples = counting_samples(140 * 100);
  Dng dng = small_mosaic(samples, 140, 100);
  dng.active_area = {4, 2, 130, 90};
  dng.default_crop = {3, 5, 120, 80};
  dng.orientation = 7;
  dng.baseline_exposure_ev = -0.35;
  dng.noise = {{.scale = 1e-4, .offset = 2e-7}};
  dng.time = "2026-05-31 14:03:07";
  dng.iso = 800;
  dng.shutter_s = 0.01;
  const RawImage raw = read_raw(write_dng(dng), "own.dng");
  EXPECT_EQ(raw.default_crop, (Rect{3, 5, 120, 80}));
  EXPECT_EQ(raw.info.width, 120);
  EXPECT_EQ(raw.info.orientation, 7);
  EXPECT_NEAR(raw.baseline_exposure_ev, -0.35, 1e-6);
  ASSERT_EQ(raw.noise.size(), 1u);
  EXPECT_DOUBLE_EQ(raw.noise[0].scale, 1e-4);
  EXPECT_EQ(raw.info.time, "2026-05-31 14:03:07");
  EXPECT_DOUBLE_EQ(raw.info.iso, 800);
  EXPECT_NEAR(raw.info.shutter_s, 0.01, 1e-6);
}

TEST(ReadRaw, ALinearRawHasThreeSamplesAPixel) {
  const auto samples = counting_samples(60 * 40 * 3);
  Dng dng = small_mosaic(samples, 60, 40);
  dng.photometric = DngPhotometric::linear;
  const RawImage raw = read_raw(write_dng(dng), "own.dng");
  ASSERT_EQ(raw.layout, RawLayout::linear);
  EXPECT_TRUE(std::equal(samples.begin(), samples.end(), raw.samples.begin(), raw.samples.end()));
}

TEST(ReadRaw, ClippedCodesBelowWhiteAreFound) {
  auto samples = counting_samples(256 * 256);
  // Saturation at 16000 although the file says 16300, as some cameras do at some ISO.
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<std::uint16_t>(i % 5 == 0 ? 16000 : 512 + i * 37 % 12000);
  const RawImage raw = read_raw(write_dng(small_mosaic(samples, 256, 256)), "own.dng");
  EXPECT_EQ(raw.white[0], 16300);
  for (const float clip : raw.clip) {
    EXPECT_LE(clip, 16000);
    EXPECT_GT(clip, 15990);
  }
}

TEST(ReadRaw, AnOrdinaryTailOfHighlightsIsNotTakenForClipping) {
  const auto samples = counting_samples(256 * 256);  // evenly spread up to 15511
  const RawImage raw = read_raw(write_dng(small_mosaic(samples, 256, 256)), "own.dng");
  for (const float clip : raw.clip) EXPECT_GT(clip, 16280);
}

TEST(ReadRaw, APictureOfOneValueIsNoPicture) {
  for (const int value : {0, 512, 16300}) {
    const std::vector<std::uint16_t> samples(64 * 64, static_cast<std::uint16_t>(value));
    try {
      read_raw(write_dng(small_mosaic(samples, 64, 64)), "flat.dng");
      ADD_FAILURE() << value;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "flat.dng: no image data: every sample has the same value");
    }
  }
}

TEST(ReadRaw, RowsThatWereNeverWrittenAreNoticed) {
  auto samples = counting_samples(128 * 512);
  std::fill(samples.begin() + 128 * 400, samples.end(), std::uint16_t{0});
  try {
    read_raw(write_dng(small_mosaic(samples, 128, 512)), "half.dng");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("half.dng: truncated raw data"));
  }
}

TEST(ReadRaw, ATruncatedFileComesInPartWhenDamageIsBorne) {
  const auto samples = counting_samples(131 * 96);
  const auto bytes = write_dng(small_mosaic(samples, 131, 96));
  const std::size_t cut = bytes.size() - 131 * 24 * 2;  // the last 24 rows, where the strip ends the file
  EXPECT_THROW(read_raw(std::span(bytes).first(cut), "cut.dng"), Error);
  const RawImage raw = read_raw(std::span(bytes).first(cut), "cut.dng", {.allow_damaged = true});
  ASSERT_EQ(raw.warnings.size(), 1u);
  EXPECT_EQ(raw.warnings[0], "damaged: about 25 % of the picture is missing (rows 72 to 95 of 96)");
  EXPECT_TRUE(std::equal(samples.begin(), samples.begin() + 131 * 72, raw.samples.begin()));
  EXPECT_EQ(raw.samples[131 * 90], 0);
  EXPECT_TRUE(read_raw(bytes, "whole.dng", {.allow_damaged = true}).warnings.empty());
}

TEST(ReadRaw, AFrameThatIsNotThereIsTheCallersMistake) {
  const auto samples = counting_samples(131 * 97);
  try {
    read_raw(write_dng(small_mosaic(samples, 131, 97)), "own.dng", {.frame = 3});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_STREQ(error.what(), "own.dng: holds one picture: --frame 0 is the only one");
  }
}

TEST(ReadRaw, EveryTruncationOfADngIsRefused) {
  const auto samples = counting_samples(131 * 97);
  const auto bytes = write_dng(small_mosaic(samples, 131, 97));
  with_damaged_copies(bytes, 400, [&](std::span<const std::byte> damaged) {
    try {
      read_raw(damaged, "damaged.dng");
      EXPECT_EQ(damaged.size(), bytes.size()) << "a truncated file was taken for a picture";
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind == ErrorKind::input || error.kind == ErrorKind::memory) << error.what();
      EXPECT_THAT(error.what(), testing::StartsWith("damaged.dng: "));
    }
  });
}

TEST(ReadRaw, ProbingGivesWhatReadingGives) {
  const std::filesystem::path folder = sample_folder("raw");
  if (folder.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw)";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const RawInfo probed = probe_info(entry.path());
    const RawInfo read = read_raw(entry.path()).info;
    EXPECT_EQ(probed.width, read.width) << entry.path();
    EXPECT_EQ(probed.height, read.height) << entry.path();
    EXPECT_EQ(probed.layout, read.layout) << entry.path();
    EXPECT_EQ(probed.orientation, read.orientation) << entry.path();
    EXPECT_EQ(probed.model, read.model) << entry.path();
    EXPECT_EQ(probed.time, read.time) << entry.path();
  }
}

struct Expected {
  int width, height;
  RawLayout layout;
  const char* model;
  float black, white;
  NeutralSource neutral_source;
  std::array<double, 3> neutral;  // 0: not checked
  std::size_t calibrations;
  bool gps;
};

TEST(ReadRaw, TheSamplesReadWithTheirKnownValues) {
  const std::filesystem::path folder = sample_folder("raw");
  if (folder.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw)";
  // Sizes, levels and neutrals as exiftool prints them; white of two GoPros as known_saturation corrects it; the CRW's
  // neutral is read off its own JPEG (3230 K: candles and lamps).
  using enum NeutralSource;
  const std::map<std::string, Expected> expected = {
      {"RAW_KODAK_DC50.KDC", {768, 512, RawLayout::bayer, "DC50", 0, 16383, gray_world, {}, 0, false}},
      {"colorchart.dng",
       {1734,
        1156,
        RawLayout::bayer,
        "EOS Kiss X4",
        2056,
        15000,
        as_shot_neutral,
        {1 / 2.477, 1, 1.462 / 2.477},
        1,
        false}},
      {"gopro_Fusion_GPFR7066.dng",
       {3104, 3000, RawLayout::bayer, "FUSION", 0, 15530, as_shot_neutral, {0.493494, 1, 0.606815}, 2, true}},
      {"gopro_Hero6_GOPR0024.dng",
       {4000, 3000, RawLayout::bayer, "HERO6 Black", 0, 15530, as_shot_neutral, {0.522449, 1, 0.571429}, 2, true}},
      {"gopro_Hero8.dng",
       {4000, 3000, RawLayout::bayer, "HERO8 Black", 0, 16383, as_shot_neutral, {0.489484, 1, 0.684492}, 2, true}},
      {"imagemeta_CRW.CRW", {2160, 1440, RawLayout::bayer, "EOS D30", 127, 4095, preview, {0.871, 1, 0.550}, 1, false}},
      {"photoprism_canon_eos_6d.dng",
       {1224,
        816,
        RawLayout::linear,
        "EOS 6D",
        0,
        65535,
        as_shot_neutral,
        {1 / 0.996616, 1, 0.995727 / 0.996616},
        2,
        false}},
  };
  for (const auto& [name, want] : expected) {
    SCOPED_TRACE(name);
    ASSERT_EQ(sniff(folder / name), InputKind::raw);
    const RawImage raw = read_raw(folder / name);
    EXPECT_EQ(raw.default_crop.width, want.width);
    EXPECT_EQ(raw.default_crop.height, want.height);
    EXPECT_EQ(raw.layout, want.layout);
    EXPECT_EQ(raw.info.model, want.model);
    EXPECT_EQ(raw.black.per_channel[0], want.black);
    EXPECT_EQ(raw.white[0], want.white);
    EXPECT_EQ(raw.neutral_source, want.neutral_source);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_GT(raw.neutral[c], 0.2);
      EXPECT_LT(raw.neutral[c], 2);
      if (want.neutral[c] > 0) {
        EXPECT_NEAR(raw.neutral[c], want.neutral[c], 1e-3);
      }
      EXPECT_LE(raw.clip[c], 1.06f * raw.white[c]);  // a GoPro's red saturates after green
      EXPECT_GT(raw.clip[c], 0.85f * raw.white[c]);
    }
    EXPECT_EQ(raw.calibrations.size(), want.calibrations);
    EXPECT_EQ(raw.info.gps.has_value(), want.gps);
    EXPECT_EQ(raw.samples.size(), static_cast<std::size_t>(raw.width) * static_cast<std::size_t>(raw.height) *
                                      static_cast<std::size_t>(raw.channels()));
  }
}

TEST(ReadRaw, ALossyDngIsLinearAndItsOpcodesAreNotAppliedTwice) {
  const std::filesystem::path folder = sample_folder("raw");
  if (folder.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw)";
  const RawImage raw = read_raw(folder / "photoprism_canon_eos_6d.dng");
  EXPECT_TRUE(raw.opcodes[1].empty());  // MapPolynomial, done by LibRaw
  ASSERT_TRUE(raw.calibrations[1].forward_matrix);
  // rows of a ForwardMatrix add up to D50
  const RawMatrix& forward = *raw.calibrations[1].forward_matrix;
  EXPECT_NEAR(forward[0] + forward[1] + forward[2], 0.9642, 1e-3);
  EXPECT_NEAR(forward[6] + forward[7] + forward[8], 0.8251, 1e-3);
}

TEST(ReadRaw, EveryBrokenSampleGivesOneClearLine) {
  const std::filesystem::path folder = sample_folder("raw/broken");
  if (folder.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw/broken)";
  const std::map<std::string, std::string> expected = {
      {"exiftool_CanonRaw.cr2", "no raw picture found"},
      {"exiftool_CanonRaw.cr3", "truncated raw data"},
      {"exiftool_CanonRaw.crw", "truncated raw data"},
      {"exiftool_DNG.dng", "truncated raw data: only 1 of 140 tiles are in the file"},
      {"exiftool_FujiFilm.raf", "SuperCCD"},
      {"exiftool_KyoceraRaw.raw", "truncated raw data"},
      {"exiftool_Minolta.mrw", "truncated raw data"},
      {"exiftool_Nikon.nef", "damaged raw data"},
      {"exiftool_Panasonic.rw2", "truncated raw data"},
      {"exiftool_PhaseOne.iiq", "truncated raw data"},
      {"exiftool_Sigma.x3f", "Foveon"},
      {"exiftool_SigmaDP2.x3f", "Foveon"},
      {"exiv2_Canon-R6-pruned.CR3", "truncated raw data"},
      {"exiv2_IMG_1361.dng", "truncated raw data: the file ends before tile 1 of 64"},
      {"gopro_Hero6_GOPR0024.GPR", "VC-5"},
      {"mei_issue247_1.nef", "is a JPEG picture, not a raw file"},
      {"mei_issue247_2.nef", "is a JPEG picture, not a raw file"},
      {"mei_issue247_3.nef", "is a JPEG picture, not a raw file"},
      {"mei_issue247_4.nef", "is a JPEG picture, not a raw file"},
      {"nomexif_canon-r6.cr3", "truncated raw data"},
  };
  for (const auto& [name, message] : expected) {
    try {
      read_raw(folder / name);
      ADD_FAILURE() << name << " was taken for a picture";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input) << name;
      EXPECT_THAT(error.what(), testing::StartsWith(name + ": "));
      EXPECT_THAT(error.what(), HasSubstr(message));
      EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
    }
  }
}

TEST(ReadRaw, AnySampleCutInTheMiddleIsRefused) {
  const std::filesystem::path folder = sample_folder("raw");
  if (folder.empty()) GTEST_SKIP() << "SKIPPED: samples not found (raw)";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const auto bytes = read_file(entry.path());
    for (const double part : {0.5, 0.9}) {
      const std::span<const std::byte> cut(bytes.data(),
                                           static_cast<std::size_t>(part * static_cast<double>(bytes.size())));
      EXPECT_THROW(read_raw(cut, "cut"), Error) << entry.path() << ' ' << part;
    }
  }
}

TEST(ReadRaw, AMissingFileAndAFolderAreInputErrors) {
  EXPECT_THROW(read_raw("/nowhere/photo.dng"), Error);
  EXPECT_THROW(read_raw("/tmp"), Error);
  EXPECT_THROW(read_raw(std::span<const std::byte>{}, "empty.dng"), Error);
}

TEST(ReadRaw, NamesMayHoldAnything) {
  TemporaryFolder folder;
  const auto samples = counting_samples(64 * 48);
  for (const char* name : {"räw_写真_🎞.dng", "a b#%c.dng", "-o.dng"}) {
    const std::filesystem::path path = folder.path / name;
    write_file_atomically(path, write_dng(small_mosaic(samples, 64, 48)));
    EXPECT_EQ(read_raw(path).width, 64) << name;
    EXPECT_EQ(probe_info(path).width, 64) << name;
  }
}

}  // namespace
}  // namespace imago::io
