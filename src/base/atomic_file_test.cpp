#include "base/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "base/error.h"

namespace imago {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("imago-atomic-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    target_ = folder_ / "out.jpg";
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string failure(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::io);
      return error.what();
    }
    return "no error";
  }

  fs::path folder_;
  fs::path target_;
};

TEST_F(AtomicFileTest, TargetAppearsOnCommitAndNothingElseStays) {
  AtomicFile file(target_);
  file.write("hello ");
  file.write("world");
  EXPECT_FALSE(fs::exists(target_));
  file.commit();
  EXPECT_EQ(content(target_), "hello world");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, WithoutCommitTheOldContentStays) {
  write_file_atomically(target_, "old");
  {
    AtomicFile file(target_);
    file.write("new");
    EXPECT_EQ(entries(), 2u);
  }
  EXPECT_EQ(content(target_), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, WhatAnEncoderWroteUnderTheTemporaryNameIsCommitted) {
  AtomicFile file(target_);
  std::ofstream(file.temporary_path()) << "by name";
  file.commit();
  EXPECT_EQ(content(target_), "by name");
}

TEST_F(AtomicFileTest, PermissionsAndLinksOfTheTargetSurvive) {
  write_file_atomically(target_, "old");
  fs::permissions(target_, fs::perms::owner_read | fs::perms::owner_write);
  const fs::path link = folder_ / "link.jpg";
  fs::create_symlink("out.jpg", link);
  write_file_atomically(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(target_), "new");
  EXPECT_EQ(fs::status(target_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, AFullDiskIsAnErrorThatLeavesNothingBehind) {
  write_file_atomically(target_, "old");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 4096, .rlim_max = before.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = failure([&] { write_file_atomically(target_, std::string(100000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(message, "cannot write " + target_.string() + ": File too large");
  EXPECT_EQ(content(target_), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, FoldersThatAreMissingOrUnfitAreNamedWithTheReason) {
  const fs::path missing = folder_ / "no" / "out.jpg";
  EXPECT_EQ(failure([&] { AtomicFile file(missing); }),
            "cannot write " + missing.string() + ": No such file or directory");
  write_file_atomically(target_, "a file");
  EXPECT_THAT(failure([&] { AtomicFile file(target_ / "out.jpg"); }), EndsWith("Not a directory"));
  EXPECT_THAT(failure([&] { AtomicFile file(folder_); }), EndsWith("Is a directory"));
  EXPECT_THAT(failure([] { AtomicFile file("/dev/null"); }), HasSubstr("not a regular file"));
}

TEST_F(AtomicFileTest, AReadOnlyFolderIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "SKIPPED: root may write anywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(failure([&] { AtomicFile file(target_); }), EndsWith("Permission denied"));
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(AtomicFileTest, ABareNameIsWrittenInTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  write_file_atomically("bare.txt", "x");
  fs::current_path(before);
  EXPECT_EQ(content(folder_ / "bare.txt"), "x");
}

}  // namespace
}  // namespace imago
