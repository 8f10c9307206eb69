#include "io/sidecar/sidecar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/byte_source.h"
#include "io/metadata/exiv2_guard.h"
#include "io/test_files.h"

namespace imago::io {
namespace {

std::map<std::string, std::string> properties(const std::filesystem::path& path) {
  const auto bytes = read_file(path);
  prepare_exiv2();
  Exiv2::XmpData xmp;
  EXPECT_EQ(Exiv2::XmpParser::decode(xmp, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())), 0);
  std::map<std::string, std::string> all;
  for (const Exiv2::Xmpdatum& datum : xmp) all[datum.key()] = datum.toString();
  return all;
}

TEST(Sidecar, ComesBackAsWritten) {
  TemporaryFolder folder;
  const auto photo = folder.path / "räw 1.dng";
  Sidecar sidecar;
  sidecar.process_version = 1;
  sidecar.settings = R"({"exposure":{"ev":0.7},"masks":{"text":"<&>\"'ü"}})";
  sidecar.rating = -1;
  sidecar.label = "Red";
  sidecar.keywords = {"sea", "Küste", "a, b"};
  EXPECT_TRUE(write_sidecar(photo, sidecar).empty());
  EXPECT_TRUE(std::filesystem::exists(folder.path / "räw 1.dng.xmp"));
  for (int pass = 0; pass < 2; ++pass) {
    const auto back = read_sidecar(photo);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->process_version, 1);
    EXPECT_EQ(back->settings, sidecar.settings);
    EXPECT_EQ(back->rating, -1);
    EXPECT_EQ(back->label, "Red");
    EXPECT_EQ(back->keywords, sidecar.keywords);
    write_sidecar(photo, *back);  // the second pass reads a rewritten one
  }
}

TEST(Sidecar, IsAbsentWhenThereIsNone) {
  TemporaryFolder folder;
  EXPECT_FALSE(read_sidecar(folder.path / "a.dng"));
}

TEST(Sidecar, WhatOtherProgramsWroteSurvives) {
  const auto samples = sample_folder("xmp");
  if (samples.empty()) GTEST_SKIP() << "SKIPPED: samples not found (xmp)";
  for (const auto& entry : std::filesystem::directory_iterator(samples)) {
    TemporaryFolder folder;
    const auto photo = folder.path / "photo.dng";
    std::filesystem::copy_file(entry.path(), sidecar_path(photo));
    auto before = properties(sidecar_path(photo));
    auto sidecar = read_sidecar(photo);
    ASSERT_TRUE(sidecar);
    EXPECT_TRUE(sidecar->warnings.empty());
    sidecar->process_version = 1;
    sidecar->settings = "{}";
    write_sidecar(photo, *sidecar);
    auto after = properties(sidecar_path(photo));
    EXPECT_EQ(after["Xmp.imago.settings"], "{}");
    EXPECT_EQ(after.erase("Xmp.imago.settings") + after.erase("Xmp.imago.processVersion"), 2u);
    EXPECT_GT(before.size(), 5u);
    EXPECT_EQ(after, before) << entry.path();
  }
}

TEST(Sidecar, ABrokenOneIsKeptAsideAndNamed) {
  TemporaryFolder folder;
  const auto photo = folder.path / "a.dng";
  for (int n = 1; n <= 2; ++n) {
    write_file_atomically(sidecar_path(photo), std::string_view("<x:xmpmeta><rdf:RDF>torn"));
    const auto sidecar = read_sidecar(photo);
    ASSERT_TRUE(sidecar);
    ASSERT_EQ(sidecar->warnings.size(), 1u);
    EXPECT_THAT(sidecar->warnings[0], testing::HasSubstr("a.dng.xmp.broken-" + std::to_string(n)));
    EXPECT_TRUE(std::filesystem::exists(folder.path / ("a.dng.xmp.broken-" + std::to_string(n))));
    EXPECT_FALSE(std::filesystem::exists(sidecar_path(photo)));
  }
  write_file_atomically(sidecar_path(photo), std::string_view("no xmp"));
  EXPECT_EQ(write_sidecar(photo, {.process_version = 1, .settings = "{}"}).size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(folder.path / "a.dng.xmp.broken-3"));
  EXPECT_EQ(read_sidecar(photo)->settings, "{}");
}

TEST(Sidecar, DamagedBytesNeverCrash) {
  const auto samples = sample_folder("xmp");
  if (samples.empty()) GTEST_SKIP() << "SKIPPED: samples not found (xmp)";
  TemporaryFolder folder;
  const auto photo = folder.path / "a.dng";
  const auto bytes = read_file(samples / "mei_digikam-example.xmp");
  with_damaged_copies(bytes, 100, [&](std::span<const std::byte> damaged) {
    write_file_atomically(sidecar_path(photo), damaged);
    try {
      read_sidecar(photo);
    } catch (const Error&) {
    }
  });
}

TEST(Sidecar, ThreadsDoNotDisturbEachOther) {
  TemporaryFolder folder;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&folder, t] {
      const auto photo = folder.path / (std::to_string(t) + ".dng");
      for (int i = 0; i < 20; ++i) {
        write_sidecar(photo, {.process_version = 1, .settings = std::to_string(t * 100 + i), .rating = i % 6});
        const auto back = read_sidecar(photo);
        EXPECT_EQ(back->settings, std::to_string(t * 100 + i));
        EXPECT_EQ(back->rating, i % 6);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Sidecar, AFolderThatIsMissingIsAnOutputError) {
  try {
    write_sidecar("/nowhere/a.dng", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::io);
  }
}

}  // namespace
}  // namespace imago::io
