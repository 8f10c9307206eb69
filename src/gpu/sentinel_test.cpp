#include "gpu/sentinel.h"

#include <gtest/gtest.h>

#include <fstream>

namespace imago::gpu {
namespace {

namespace fs = std::filesystem;

class Sentinel : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("imago_sentinel_" + std::string(test->name()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  bool has(const char* marker) const { return fs::exists(folder_ / marker); }

  fs::path folder_;
};

TEST_F(Sentinel, SaysNothingWhereNothingHappened) {
  EXPECT_EQ(earlier_crash(folder_), "");
  EXPECT_EQ(earlier_crash(std::nullopt), "");
  clear_markers(folder_);
  EXPECT_FALSE(fs::exists(folder_)) << "reading makes no folder";
}

TEST_F(Sentinel, ALostDeviceIsToldUntilItIsCleared) {
  record_device_lost(folder_, "the driver reset the GPU");
  EXPECT_TRUE(has(lost_marker_name));
  for (int look = 0; look < 2; ++look) {
    EXPECT_TRUE(earlier_crash(folder_).starts_with("Imago stopped earlier because the GPU was lost: "));
  }
  clear_markers(folder_);
  EXPECT_EQ(earlier_crash(folder_), "");
}

TEST_F(Sentinel, WithoutAFolderNothingIsWritten) {
  record_device_lost(std::nullopt, "lost");
  arm_sentinel(std::nullopt);
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Sentinel, StandsWhileTheDriverWorksAndNotAfter) {
  const auto hook = driver_entry_marker(folder_);
  hook(true);
  EXPECT_TRUE(has(init_marker_name));
  hook(false);
  EXPECT_FALSE(has(init_marker_name));
  EXPECT_EQ(earlier_crash(folder_), "");
}

TEST_F(Sentinel, AProcessThatDiesInsideTheDriverLeavesItAndTheNextStartSaysWhatToDo) {
  driver_entry_marker(folder_)(true);  // and never comes back
  const std::string why = earlier_crash(folder_);
  EXPECT_TRUE(why.starts_with("an earlier start ended inside the GPU's driver: ")) << why;
  EXPECT_NE(why.find(init_marker_name), std::string::npos) << why;
  clear_markers(folder_);
  EXPECT_EQ(earlier_crash(folder_), "");
}

TEST_F(Sentinel, AFolderThatCannotBeMadeIsNoError) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  const auto hook = driver_entry_marker(folder_ / "file");
  hook(true);
  hook(false);
  EXPECT_EQ(earlier_crash(folder_ / "file"), "");
}

}  // namespace
}  // namespace imago::gpu
