#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/field_access.h"
#include "base/field_json.h"
#include "base/field_text.h"

namespace imago {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

struct Point {
  float x = 0.25f;
  std::int32_t weight = 2;
  bool operator==(const Point&) const = default;
};
constexpr Field point_fields[] = {{.name = "x",
                                   .label = "X",
                                   .unit = "px",
                                   .help = "Place.",
                                   .kind = FieldKind::f32,
                                   .offset = offsetof(Point, x),
                                   .min = -1,
                                   .max = 1},
                                  {.name = "weight",
                                   .label = "Weight",
                                   .unit = "",
                                   .help = "Weight.",
                                   .kind = FieldKind::i32,
                                   .offset = offsetof(Point, weight),
                                   .min = 0,
                                   .max = 9}};
static_assert(covers<Point>(point_fields));
constexpr FieldList point_list = field_list<Point>(point_fields, 3);
constexpr std::string_view shapes[] = {"round", "square"};

struct Sample {
  float gain = 0.1f;
  std::int32_t shape = 0;
  std::uint32_t on = 1;
  std::uint32_t seed = 7;
  std::string name = "none";
  std::vector<Point> points;
};
constexpr Field sample_fields[] = {{.name = "gain",
                                    .label = "Gain",
                                    .unit = "EV",
                                    .help = "Gain.",
                                    .kind = FieldKind::f32,
                                    .offset = offsetof(Sample, gain),
                                    .min = -5,
                                    .max = 5},
                                   {.name = "shape",
                                    .label = "Shape",
                                    .unit = "",
                                    .help = "Shape.",
                                    .kind = FieldKind::choice,
                                    .offset = offsetof(Sample, shape),
                                    .max = 1,
                                    .choices = shapes},
                                   {.name = "on",
                                    .label = "On",
                                    .unit = "",
                                    .help = "On.",
                                    .kind = FieldKind::flag,
                                    .offset = offsetof(Sample, on),
                                    .max = 1},
                                   {.name = "seed",
                                    .label = "Seed",
                                    .unit = "",
                                    .help = "Seed.",
                                    .kind = FieldKind::u32,
                                    .offset = offsetof(Sample, seed),
                                    .max = 4294967295.0},
                                   {.name = "name",
                                    .label = "Name",
                                    .unit = "",
                                    .help = "Name.",
                                    .kind = FieldKind::text,
                                    .offset = offsetof(Sample, name)},
                                   {.name = "points",
                                    .label = "Points",
                                    .unit = "",
                                    .help = "Points.",
                                    .kind = FieldKind::list,
                                    .offset = offsetof(Sample, points),
                                    .list = &point_list}};
static_assert(covers<Sample>(sample_fields));
static_assert(!covers<Sample>(std::span(sample_fields).first(5)), "a forgotten member is noticed");

std::string failure(const std::function<void()>& call, ErrorKind kind) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, kind);
    return error.what();
  }
  return "no error";
}

std::string read_failure(const json& document) {
  Sample sample;
  std::vector<std::string> unknown;
  return failure([&] { fields_from_json(sample_fields, &sample, document, "sample.", unknown); }, ErrorKind::input);
}

std::string set_failure(std::string_view name, std::string_view value) {
  Sample sample;
  std::string text = failure([&] { set_field(sample_fields, &sample, name, value, "sample."); }, ErrorKind::usage);
  EXPECT_TRUE(fields_equal(sample_fields, &sample, &static_cast<const Sample&>(Sample{})));
  return text;
}

TEST(FieldJson, EveryMemberSurvivesARoundTrip) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Sample before;
    before.name = "Größe \"x\"";
    random_fields(sample_fields, &before, seed);
    const json document = json::parse(json_from_fields(sample_fields, &before).dump());
    Sample after;
    std::vector<std::string> unknown;
    fields_from_json(sample_fields, &after, document, "", unknown);
    EXPECT_TRUE(fields_equal(sample_fields, &before, &after)) << document.dump();
    EXPECT_TRUE(unknown.empty());
  }
}

TEST(FieldJson, FloatsAreWrittenAsTheShortestNumber) {
  const Sample sample;
  EXPECT_EQ(json_from_fields(sample_fields, &sample).dump(),
            R"({"gain":0.1,"name":"none","on":true,"points":[],"seed":7,"shape":"round"})");
}

TEST(FieldJson, OnlyChangedMembersAreWrittenWhenAsked) {
  const Sample defaults;
  Sample sample;
  EXPECT_EQ(json_from_changed_fields(sample_fields, &sample, &defaults).dump(), "{}");
  sample.points.resize(1);
  sample.on = 0;
  EXPECT_EQ(json_from_changed_fields(sample_fields, &sample, &defaults).dump(),
            R"({"on":false,"points":[{"weight":2,"x":0.25}]})");
}

TEST(FieldJson, MissingKeysKeepTheirValueAndUnknownOnesAreReported) {
  Sample sample;
  sample.seed = 99;
  std::vector<std::string> unknown;
  fields_from_json(sample_fields, &sample, json::parse(R"({"gain":2,"foo":1,"points":[{"y":3,"weight":4}]})"),
                   "sample.", unknown);
  EXPECT_EQ(sample.gain, 2.0f);
  EXPECT_EQ(sample.seed, 99u);
  ASSERT_EQ(sample.points.size(), 1u);
  EXPECT_EQ(sample.points[0], (Point{0.25f, 4}));
  EXPECT_THAT(unknown, ::testing::ElementsAre("sample.foo", "sample.points[0].y"));
}

TEST(FieldJson, ListItemsStartFromTheirDefaultsNotFromWhatWasThere) {
  Sample sample;
  sample.points = {{1, 9}, {1, 9}};
  std::vector<std::string> unknown;
  fields_from_json(sample_fields, &sample, json::parse(R"({"points":[{}]})"), "", unknown);
  EXPECT_EQ(sample.points, std::vector<Point>{Point{}});
}

TEST(FieldJson, WrongValuesAreNamedWithTheirPlace) {
  EXPECT_EQ(read_failure({{"gain", 99}}), "sample.gain = 99 is outside -5..5");
  EXPECT_EQ(read_failure({{"gain", "much"}}), "sample.gain = \"much\" is not a number");
  EXPECT_EQ(read_failure({{"gain", nullptr}}), "sample.gain = null is not a number");
  EXPECT_EQ(read_failure({{"shape", "oval"}}), "sample.shape = oval is not one of round, square");
  EXPECT_EQ(read_failure({{"shape", 1}}), "sample.shape = 1 is not one of round | square");
  EXPECT_EQ(read_failure({{"on", 2}}), "sample.on = 2 is outside 0..1");
  EXPECT_EQ(read_failure({{"on", "yes"}}), "sample.on = \"yes\" is not true or false");
  EXPECT_EQ(read_failure({{"seed", 1.5}}), "sample.seed = 1.5 is not a whole number");
  EXPECT_EQ(read_failure({{"seed", -1}}), "sample.seed = -1 is outside 0..4294967295");
  EXPECT_EQ(read_failure({{"name", 3}}), "sample.name = 3 is not a text");
  EXPECT_EQ(read_failure({{"points", 3}}), "sample.points = 3 is not a list");
  EXPECT_EQ(read_failure({{"points", {1}}}), "sample.points[0] = 1 is not an object");
  EXPECT_EQ(read_failure({{"points", {{{"x", 2}}}}}), "sample.points[0].x = 2 is outside -1..1");
  EXPECT_EQ(read_failure({{"points", json::array({json::object(), json::object(), json::object(), json::object()})}}),
            "sample.points has 4 items, at most 3 are allowed");
  EXPECT_EQ(read_failure(json::array()), "sample = [] is not an object");
}

TEST(FieldText, EveryKindIsSetByText) {
  Sample sample;
  set_field(sample_fields, &sample, "gain", "+1.5e-1");
  set_field(sample_fields, &sample, "shape", "square");
  set_field(sample_fields, &sample, "on", "false");
  set_field(sample_fields, &sample, "seed", "4294967295");
  set_field(sample_fields, &sample, "name", "a=b");
  set_field(sample_fields, &sample, "points", R"([{"x":-1}])");
  EXPECT_EQ(sample.gain, 0.15f);
  EXPECT_EQ(sample.shape, 1);
  EXPECT_EQ(sample.on, 0u);
  EXPECT_EQ(sample.seed, 4294967295u);
  EXPECT_EQ(sample.name, "a=b");
  EXPECT_EQ(sample.points, (std::vector<Point>{{-1, 2}}));
  set_field(sample_fields, &sample, "on", "1");
  EXPECT_EQ(sample.on, 1u);
}

TEST(FieldText, WhatIsWrittenIsReadBack) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Sample before;
    random_fields(sample_fields, &before, seed);
    Sample after;
    for (const Field& field : sample_fields) set_field(sample_fields, &after, field.name, field_text(field, &before));
    EXPECT_TRUE(fields_equal(sample_fields, &before, &after));
  }
}

TEST(FieldText, MistakesAreExplainedAndChangeNothing) {
  EXPECT_EQ(set_failure("gain", "99"), "sample.gain = 99 is outside -5..5");
  EXPECT_EQ(set_failure("gain", "1,5"), "sample.gain = 1,5 is not a number");
  EXPECT_EQ(set_failure("gain", ""), "sample.gain =  is not a number");
  EXPECT_EQ(set_failure("gain", "nan"), "sample.gain = nan is outside -5..5");
  EXPECT_EQ(set_failure("gain", "inf"), "sample.gain = inf is outside -5..5");
  EXPECT_EQ(set_failure("on", "maybe"), "sample.on = maybe is not true or false");
  EXPECT_EQ(set_failure("points", "[{"), "sample.points is not valid JSON");
  EXPECT_EQ(set_failure("points", R"([{"z":1}])"), "unknown setting sample.points[0].z");
  EXPECT_THAT(set_failure("gian", "1"), HasSubstr("unknown setting sample.gian (known: gain, shape"));
}

TEST(FieldText, AssignmentsAreSplitAtTheFirstDotAndEqualsSign) {
  const Assignment assignment = parse_assignment("masks.list=[{\"a.b\":1}]=");
  EXPECT_EQ(assignment.tool, "masks");
  EXPECT_EQ(assignment.field, "list");
  EXPECT_EQ(assignment.value, "[{\"a.b\":1}]=");
  for (const char* wrong : {"", "exposure", "exposure.ev", ".ev=1", "exposure.=1", "ev=1", "ev=1.5"}) {
    EXPECT_THAT(failure([&] { parse_assignment(wrong); }, ErrorKind::usage), HasSubstr("not of the form")) << wrong;
  }
}

TEST(FieldText, ALimitThatAFloatCannotHoldIsStillInside) {
  struct Tenth {
    float value = 0;
  } tenth;
  const Field field{.name = "value", .label = "", .unit = "", .help = "", .kind = FieldKind::f32, .min = 0, .max = 0.1};
  set_field_number(field, &tenth, static_cast<double>(0.1f), "value");  // 0.1f is a little above 0.1
  EXPECT_EQ(tenth.value, 0.1f);
}

TEST(FieldWgsl, TextAndWordsNameTheSameScalarsInOrder) {
  Sample sample;
  sample.shape = 1;
  EXPECT_EQ(wgsl_from_fields(sample_fields, "s_"), "  s_gain: f32,\n  s_shape: i32,\n  s_on: u32,\n  s_seed: u32,\n");
  std::vector<std::uint32_t> words;
  append_words(sample_fields, &sample, words);
  EXPECT_EQ(words, (std::vector<std::uint32_t>{std::bit_cast<std::uint32_t>(0.1f), 1, 1, 7}));
}

TEST(FieldDocs, TableHasARowForEveryFieldAndForThoseOfItems) {
  const Sample defaults;
  const std::string table = markdown_from_fields("sample", sample_fields, &defaults);
  EXPECT_THAT(table, HasSubstr("| `sample.gain` | Gain | -5..5 | EV | 0.1 | Gain. |\n"));
  EXPECT_THAT(table, HasSubstr("| `sample.shape` | Shape | round \\| square |  | round | Shape. |\n"));
  EXPECT_THAT(table, HasSubstr("| `sample.points[].x` | X | -1..1 | px | 0.25 | Place. |\n"));
}

TEST(FieldHash, DiffersWithEveryMemberButNotWithTheSignOfZero) {
  const auto key = [](const Sample& sample) {
    Hash64 hash;
    hash_fields(hash, sample_fields, &sample);
    return hash.value();
  };
  std::vector<Sample> samples(9);
  samples[1].gain = 0.5f;
  samples[2].shape = 1;
  samples[3].on = 0;
  samples[4].seed = 8;
  samples[5].name = "nonf";
  samples[6].points.resize(1);
  samples[7].points.resize(1);
  samples[7].points[0].x = 1;
  samples[8].gain = 0;
  std::set<std::uint64_t> keys;
  for (const Sample& sample : samples) keys.insert(key(sample));
  EXPECT_EQ(keys.size(), samples.size());
  Sample negative = samples[8];
  negative.gain = -0.0f;
  EXPECT_EQ(key(negative), key(samples[8]));
  EXPECT_TRUE(fields_equal(sample_fields, &negative, &samples[8]));
}

TEST(FieldRandom, StaysInRangeAndReachesTheEnds) {
  std::set<float> gains;
  std::size_t most_points = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Sample sample;
    random_fields(sample_fields, &sample, seed);
    EXPECT_GE(sample.gain, -5.0f);
    EXPECT_LE(sample.gain, 5.0f);
    gains.insert(sample.gain);
    most_points = std::max(most_points, sample.points.size());
  }
  EXPECT_TRUE(gains.contains(-5.0f) && gains.contains(5.0f) && gains.contains(0.0f) && gains.contains(0.1f));
  EXPECT_GT(gains.size(), 100u);
  EXPECT_EQ(most_points, 3u);
}

TEST(FieldCopy, ListsAndTextsAreCopiedDeeply) {
  Sample from;
  from.name = "x";
  from.points = {{0.5f, 1}, {0.75f, 3}};
  Sample to;
  for (const Field& field : sample_fields) copy_field(field, &to, &from);
  EXPECT_TRUE(fields_equal(sample_fields, &from, &to));
}

TEST(Hash, ValuesAreFixedForever) {
  EXPECT_EQ(Hash64().add("imago").value(), 13292967416345287114u);
  EXPECT_EQ(Hash64().add(1.5f).add(std::int32_t{-3}).value(), 9739219966793416589u);
}

TEST(Hash, SplitsAndBytesMatter) {
  std::set<std::uint64_t> values;
  for (const char* text : {"", "a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefgi"})
    values.insert(Hash64().add(text).value());
  EXPECT_EQ(values.size(), 7u);
  EXPECT_NE(Hash64().add("ab").add("c").value(), Hash64().add("a").add("bc").value());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Hash64().add(nan).value(), Hash64().add(-nan).value());
}

}  // namespace
}  // namespace imago
