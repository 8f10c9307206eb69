#include "base/log.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "base/error.h"

namespace imago {
namespace {

class Log : public ::testing::Test {
 protected:
  void SetUp() override {
    set_log_receiver([this](LogLevel level, std::string_view text) { messages_.emplace_back(level, text); });
  }
  void TearDown() override {
    set_log_receiver({});
    set_log_level(LogLevel::off);
    unsetenv("RUST_LOG");
  }
  std::vector<std::pair<LogLevel, std::string>> messages_;
};

TEST_F(Log, IsSilentUntilItIsStarted) {
  log_error("nobody hears this");
  EXPECT_TRUE(messages_.empty());
}

TEST_F(Log, PassesMessagesUpToItsLevel) {
  start_log("warn");
  log_error("{} of {}", 1, 2);
  log_warn("careful");
  log_info("hidden");
  ASSERT_EQ(messages_.size(), 2u);
  EXPECT_EQ(messages_[0], (std::pair{LogLevel::error, std::string("1 of 2")}));
  EXPECT_EQ(messages_[1].first, LogLevel::warn);
}

TEST_F(Log, TheFlagBeatsTheEnvironmentWhichBeatsTheDefault) {
  start_log();
  EXPECT_EQ(log_level(), LogLevel::info);
  setenv("RUST_LOG", "wgpu=error,imago=debug", 1);
  start_log();
  EXPECT_EQ(log_level(), LogLevel::debug);
  setenv("RUST_LOG", "trace", 1);
  start_log("", LogLevel::warn);
  EXPECT_EQ(log_level(), LogLevel::trace);
  start_log("off");
  EXPECT_EQ(log_level(), LogLevel::off);
  setenv("RUST_LOG", "loud", 1);
  start_log("", LogLevel::warn);
  EXPECT_EQ(log_level(), LogLevel::warn);
}

TEST_F(Log, AnUnknownLevelIsAUsageError) {
  try {
    start_log("loud");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_STREQ(error.what(), "--log-level loud is not one of off, error, warn, info, debug, trace");
  }
}

}  // namespace
}  // namespace imago
