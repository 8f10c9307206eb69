// Linear light in Rec.2020 primaries (D65), 1 = a white board in the scene's sun.
#pragma once

namespace imago::scene {

struct Rgb {
  float r = 0, g = 0, b = 0;
  constexpr bool operator==(const Rgb&) const = default;
};

constexpr Rgb operator+(Rgb a, Rgb b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
constexpr Rgb operator-(Rgb a, Rgb b) { return {a.r - b.r, a.g - b.g, a.b - b.b}; }
constexpr Rgb operator*(Rgb a, Rgb b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
constexpr Rgb operator*(Rgb a, float s) { return {a.r * s, a.g * s, a.b * s}; }
constexpr Rgb mix(Rgb a, Rgb b, float share_of_b) { return a + (b - a) * share_of_b; }
constexpr Rgb gray(float value) { return {value, value, value}; }

// Rec.709 to Rec.2020, ITU-R BT.2087-0.
constexpr Rgb from_rec709(float r, float g, float b) {
  return {0.62740389f * r + 0.32928304f * g + 0.04331307f * b, 0.06909729f * r + 0.91954040f * g + 0.01136232f * b,
          0.01639144f * r + 0.08801331f * g + 0.89559525f * b};
}

}  // namespace imago::scene
