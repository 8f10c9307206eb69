#include "develop/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"

namespace imago::develop {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// A settings folder of its own.
class Presets : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    unsetenv("IMAGO_NO_PREFS");
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  const fs::path folder_ = fs::temp_directory_path() / "imago_presets_test";
};

template <typename Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(Presets, ChangeOnlyWhatTheyName) {
  Settings settings;
  settings.exposure.ev = 1;
  settings.tone.shadows = 30;
  apply_preset(write("a.json", R"({"tone":{"contrast":20},"hsl":{"hue_red":5}})"), settings);
  EXPECT_EQ(settings.exposure.ev, 1);
  EXPECT_EQ(settings.tone.shadows, 30);
  EXPECT_EQ(settings.tone.contrast, 20);
  EXPECT_EQ(settings.hsl.hue_red, 5);
}

TEST_F(Presets, AreSavedFoundAndAppliedAgain) {
  Settings settings;
  settings.exposure.ev = 1;
  settings.tone.contrast = 20;
  save_preset("Street", settings, {});
  save_preset("Only tone", settings, {"tone"});
  ASSERT_EQ(list_presets().size(), 2u);
  EXPECT_EQ(list_presets()[1].name, "Street");
  Settings all, part;
  part.tone.shadows = 50;
  EXPECT_TRUE(apply_preset(find_preset("Street"), all).empty());
  EXPECT_EQ(all.exposure.ev, 1);
  apply_preset(find_preset("Only tone"), part);
  EXPECT_EQ(part.exposure.ev, 0);
  EXPECT_EQ(part.tone.contrast, 20);
  EXPECT_EQ(part.tone.shadows, 0);  // a named group counts as a whole
}

TEST_F(Presets, SayWhatIsWrong) {
  Settings settings;
  EXPECT_THAT(message_of([&] { find_preset("Nowhere"); }), HasSubstr("no preset of that name"));
  EXPECT_THAT(message_of([&] { apply_preset(write("a.json", "what"), settings); }), HasSubstr("neither"));
  EXPECT_THAT(message_of([&] { apply_preset(write("b.json", "[1]"), settings); }), HasSubstr("b.json"));
  EXPECT_THAT(message_of([&] { apply_preset(write("c.json", R"({"exposure":{"ev":99}})"), settings); }),
              HasSubstr("c.json: exposure.ev = 99 is outside"));
  EXPECT_THAT(message_of([&] { save_preset("../a", settings, {}); }), HasSubstr("cannot be the name"));
  EXPECT_THAT(message_of([&] { save_preset("a", settings, {"glow"}); }), HasSubstr("no such tool"));
  EXPECT_THAT(apply_preset(write("d.json", R"({"name":"x","settings":{"glow":{"a":1}}})"), settings),
              ElementsAre("d.json: unknown setting glow"));
  EXPECT_EQ(settings.exposure.ev, 0);
}

}  // namespace
}  // namespace imago::develop
