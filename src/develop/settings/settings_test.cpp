#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/field_access.h"
#include "base/field_text.h"
#include "develop/settings/settings_json.h"

namespace imago::develop {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Settings random_settings(std::uint64_t seed) {
  Settings settings;
  for (const Tool& tool : tools) random_fields(tool.fields, reinterpret_cast<char*>(&settings) + tool.offset, seed++);
  return settings;
}

TEST(SettingsJson, DefaultsAreAnEmptyDocument) { EXPECT_EQ(json_from_settings({}), json::object()); }

TEST(SettingsJson, OnlyWhatChangedIsWritten) {
  Settings settings;
  settings.exposure.ev = 0.7f;
  EXPECT_EQ(json_from_settings(settings).dump(), R"({"exposure":{"ev":0.7}})");
}

TEST(SettingsJson, EverySettingSurvivesARoundTrip) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Settings settings = random_settings(seed * 100);
    std::vector<std::string> unknown;
    const Settings back = settings_from_json(json::parse(json_from_settings(settings).dump()), unknown);
    ASSERT_TRUE(equal(settings, back)) << json_from_settings(settings).dump();
    ASSERT_TRUE(unknown.empty());
  }
}

TEST(SettingsJson, UnknownKeysAreReportedAndTheRestIsRead) {
  std::vector<std::string> unknown;
  const Settings settings =
      settings_from_json(json::parse(R"({"exposure":{"ev":1,"glow":2},"future":{"x":1}})"), unknown);
  EXPECT_EQ(settings.exposure.ev, 1);
  EXPECT_THAT(unknown, ElementsAre("exposure.glow", "future"));
}

TEST(SettingsJson, AValueOutOfRangeIsNamed) {
  std::vector<std::string> unknown;
  EXPECT_EQ(message_of([&] { settings_from_json(json::parse(R"({"exposure":{"ev":99}})"), unknown); }),
            "exposure.ev = 99 is outside -5..5");
}

TEST(SetSetting, TakesNumbersChoicesAndLists) {
  Settings settings;
  set_setting(settings, "exposure.ev=-1.25");
  set_setting(settings, "source.highlights=clip");
  set_setting(settings, R"(masks.list=[{"exposure_ev":1}])");
  EXPECT_EQ(settings.exposure.ev, -1.25f);
  EXPECT_EQ(settings.source.highlights, static_cast<int>(HighlightMethod::clip));
  ASSERT_EQ(settings.masks.list.size(), 1u);
  EXPECT_EQ(settings.masks.list[0].exposure_ev, 1);
}

TEST(SetSetting, SaysWhatIsWrong) {
  Settings settings;
  EXPECT_THAT(message_of([&] { set_setting(settings, "glow.amount=1"); }), HasSubstr("no tool 'glow'"));
  EXPECT_THAT(message_of([&] { set_setting(settings, "exposure.evv=1"); }), HasSubstr("exposure"));
  EXPECT_THAT(message_of([&] { set_setting(settings, "exposure.ev=abc"); }), HasSubstr("exposure.ev"));
  EXPECT_NE(message_of([&] { set_setting(settings, "exposure"); }), "");
}

TEST(Settings, EveryFieldIsInTheDocumentedTable) {
  const std::string text = settings_markdown();
  for (const Tool& tool : tools) {
    for (const Field& field : tool.fields) {
      EXPECT_THAT(text, HasSubstr(std::string(tool.name) + "." + std::string(field.name)));
    }
  }
}

}  // namespace
}  // namespace imago::develop
