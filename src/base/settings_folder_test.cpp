#include "base/settings_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace imago {
namespace {

#ifdef __linux__
class SettingsFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("HOME", "/home/ada", 1);
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "IMAGO_NO_PREFS"}) unsetenv(name);
  }
  void TearDown() override {
    if (home_before_.empty())
      unsetenv("HOME");
    else
      setenv("HOME", home_before_.c_str(), 1);
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "IMAGO_NO_PREFS"}) unsetenv(name);
  }
  std::string home_before_ = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
};

TEST_F(SettingsFolder, LiesBelowHome) {
  EXPECT_EQ(settings_folder(), "/home/ada/.config/imago");
  EXPECT_EQ(cache_folder(), "/home/ada/.cache/imago");
}

TEST_F(SettingsFolder, FollowsXdgWhenThatIsAbsolute) {
  setenv("XDG_CONFIG_HOME", "/etc/ada", 1);
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(settings_folder(), "/etc/ada/imago");
  EXPECT_EQ(cache_folder(), "/home/ada/.cache/imago");
}

TEST_F(SettingsFolder, IsAbsentWhenPreferencesAreOffOrThereIsNoHome) {
  setenv("IMAGO_NO_PREFS", "1", 1);
  EXPECT_EQ(settings_folder(), std::nullopt);
  EXPECT_NE(cache_folder(), std::nullopt);
  unsetenv("IMAGO_NO_PREFS");
  unsetenv("HOME");
  EXPECT_EQ(settings_folder(), std::nullopt);
}
#endif

}  // namespace
}  // namespace imago
