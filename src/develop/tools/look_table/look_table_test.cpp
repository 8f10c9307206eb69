#include "develop/tools/look_table/look_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "color/matrix.h"

namespace imago::develop {
namespace {

color::HueSatMap map_of(int hues, int saturations, int values, const color::HueSatMap::Entry& everywhere) {
  color::HueSatMap map{hues, saturations, values, false, {}};
  map.entries.assign(static_cast<std::size_t>(hues * saturations * values), everywhere);
  return map;
}

Rgb adjusted(const color::HueSatMap& map, Rgb v) {
  std::vector<float> table(5);  // whatever stands before
  const LookTableParams p = derive_look_table(map, table);
  return hue_sat_adjusted(p, table.data() + p.start, v);
}

void expect_near(Rgb a, Rgb b, float tolerance) {
  EXPECT_NEAR(a.r, b.r, tolerance);
  EXPECT_NEAR(a.g, b.g, tolerance);
  EXPECT_NEAR(a.b, b.b, tolerance);
}

TEST(ProPhoto, IsThatOfTheMatrices) {
  const auto to = color::rgb_from_rgb(color::prophoto_primaries, color::rec2020_primaries);
  for (const Rgb v : {Rgb{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.3f, 2, -0.1f}}) {
    const color::Vector3 exact =
        to * color::Vector3{static_cast<double>(v.r), static_cast<double>(v.g), static_cast<double>(v.b)};
    expect_near(prophoto_from_working(v),
                {static_cast<float>(exact[0]), static_cast<float>(exact[1]), static_cast<float>(exact[2])}, 2e-7f);
    expect_near(working_from_prophoto(prophoto_from_working(v)), v, 1e-6f);
  }
  EXPECT_EQ(prophoto_from_working({0.37f, 0.37f, 0.37f}), (Rgb{0.37f, 0.37f, 0.37f}));
}

TEST(LookTable, AMapThatChangesNothingIsOff) {
  std::vector<float> table;
  EXPECT_EQ(derive_look_table(map_of(6, 4, 3, {}), table).enabled, 0u);
  EXPECT_EQ(derive_look_table({}, table).enabled, 0u);
  EXPECT_TRUE(table.empty());
}

TEST(LookTable, AShiftOfATurnsThirdExchangesTheChannels) {
  const color::HueSatMap third = map_of(12, 3, 1, {120, 1, 1});
  for (const Rgb v : {Rgb{0.5f, 0.2f, 0.1f}, {0.1f, 0.7f, 0.3f}, {0.2f, 0.3f, 0.9f}, {0.6f, 0.1f, 0.5f}}) {
    expect_near(adjusted(third, v), {v.b, v.r, v.g}, 1e-6f);  // red goes to green
  }
}

TEST(LookTable, ScalesActOnSaturationAndValue) {
  const Rgb v{0.5f, 0.3f, 0.1f};
  expect_near(adjusted(map_of(6, 2, 1, {0, 0.5f, 1}), v), {0.5f, 0.4f, 0.3f}, 1e-6f);
  expect_near(adjusted(map_of(6, 2, 1, {0, 1, 1.5f}), v), {0.75f, 0.45f, 0.15f}, 1e-6f);
  expect_near(adjusted(map_of(6, 2, 1, {0, 10, 1}), v), {0.5f, 0.25f, 0}, 1e-6f);  // as saturated as can be
}

TEST(LookTable, IsInterpolatedInHueAroundTheCircle) {
  color::HueSatMap map = map_of(4, 2, 1, {0, 1, 1});
  map.entries[0] = map.entries[1] = {0, 1, 2};  // hue 0
  const auto gain = [&](float hue_degrees) {
    const Rgb v = rgb_from_hsv(hue_degrees / 60, 0.8f, 0.1f);
    const Rgb out = adjusted(map, v);
    return std::max({out.r, out.g, out.b}) / 0.1f;
  };
  EXPECT_NEAR(gain(0), 2, 1e-5);
  EXPECT_NEAR(gain(45), 1.5, 1e-5);
  EXPECT_NEAR(gain(90), 1, 1e-5);
  EXPECT_NEAR(gain(315), 1.5, 1e-5);
  EXPECT_NEAR(gain(359.99f), 2, 1e-3);
}

TEST(LookTable, IsInterpolatedInSaturationAndInEncodedValue) {
  color::HueSatMap map = map_of(1, 2, 3, {0, 1, 1});
  map.srgb_value = true;
  for (int v = 0; v < 3; ++v)
    map.entries[static_cast<std::size_t>(2 * v + 1)].value_scale = 1 + 0.1f * static_cast<float>(v);
  // saturation 0.5, encoded value 0.25 of the range: half of the way to the second value's scale, half of the
  // saturation
  const float light = linear_from_srgb_encoded(0.25f);
  const Rgb out = adjusted(map, {light, light * 0.75f, light * 0.5f});
  EXPECT_NEAR(srgb_encoded_from_linear(out.r), 0.25f * 1.025f, 2e-6f);
}

TEST(LookTable, LightAboveOneTakesTheScaleOfOneAndWhatIsNegativeStays) {
  color::HueSatMap map = map_of(6, 2, 4, {0, 1, 1.25f});
  expect_near(adjusted(map, {4, 2, 1}), {5, 2.5f, 1.25f}, 1e-5f);
  expect_near(adjusted(map, {0.4f, 0.2f, -0.1f}), {0.5f, 0.25f, -0.1f}, 1e-6f);
  EXPECT_EQ(adjusted(map, {0, 0, 0}), (Rgb{0, 0, 0}));
  EXPECT_EQ(adjusted(map, {-0.1f, -0.2f, -0.3f}), (Rgb{-0.1f, -0.2f, -0.3f}));
}

TEST(LookTable, GreysStayGrey) {
  color::HueSatMap map = map_of(6, 3, 4, {0, 1, 1});
  for (color::HueSatMap::Entry& e : map.entries) e = {20, 1.3f, 1.1f};
  std::vector<float> table;
  const LookTableParams p = derive_look_table(map, table);
  const Rgb out = look_table(p, {0.3f, 0.3f, 0.3f}, {.curve_table = table.data()});
  EXPECT_EQ(out.r, out.g);
  EXPECT_EQ(out.r, out.b);
}

}  // namespace
}  // namespace imago::develop
