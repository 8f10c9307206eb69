#include "color/white_point.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace imago::color {
namespace {

struct Uv {
  double u;
  double v;
};

// Robertson 1968 (Wyszecki & Stiles, Color Science, table 1(3.11)): points of the Planckian locus in CIE 1960 uv and
// the slope of the isotherm through each. The value at 325 mired has the misprint of early editions corrected.
struct Isotherm {
  double mired;
  double u;
  double v;
  double slope;
};
constexpr std::array<Isotherm, 31> isotherms = {{
    {0, 0.18006, 0.26352, -0.24341},   {10, 0.18066, 0.26589, -0.25479},  {20, 0.18133, 0.26846, -0.26876},
    {30, 0.18208, 0.27119, -0.28539},  {40, 0.18293, 0.27407, -0.30470},  {50, 0.18388, 0.27709, -0.32675},
    {60, 0.18494, 0.28021, -0.35156},  {70, 0.18611, 0.28342, -0.37915},  {80, 0.18740, 0.28668, -0.40955},
    {90, 0.18880, 0.28997, -0.44278},  {100, 0.19032, 0.29326, -0.47888}, {125, 0.19462, 0.30141, -0.58204},
    {150, 0.19962, 0.30921, -0.70471}, {175, 0.20525, 0.31647, -0.84901}, {200, 0.21142, 0.32312, -1.0182},
    {225, 0.21807, 0.32909, -1.2168},  {250, 0.22511, 0.33439, -1.4512},  {275, 0.23247, 0.33904, -1.7298},
    {300, 0.24010, 0.34308, -2.0637},  {325, 0.24792, 0.34655, -2.4681},  {350, 0.25591, 0.34951, -2.9641},
    {375, 0.26400, 0.35200, -3.5814},  {400, 0.27218, 0.35407, -4.3633},  {425, 0.28039, 0.35577, -5.3762},
    {450, 0.28863, 0.35714, -6.7262},  {475, 0.29685, 0.35823, -8.5955},  {500, 0.30505, 0.35907, -11.324},
    {525, 0.31320, 0.35968, -15.628},  {550, 0.32129, 0.36011, -23.325},  {575, 0.32931, 0.36038, -40.770},
    {600, 0.33724, 0.36051, -116.45},
}};
constexpr double tint_per_uv = -3000;

// A point of the locus and the unit vector along its isotherm (towards larger u).
struct LocusPoint {
  Uv place;
  Uv along;
};

Uv isotherm_direction(const Isotherm& line) {
  const double length = std::hypot(1.0, line.slope);
  return {1 / length, line.slope / length};
}

LocusPoint locus_at(double mired) {
  std::size_t i = 1;
  while (i + 1 < isotherms.size() && isotherms[i].mired < mired) ++i;
  const Isotherm& below = isotherms[i - 1];
  const Isotherm& above = isotherms[i];
  const double f = (mired - below.mired) / (above.mired - below.mired);
  const Uv a = isotherm_direction(below);
  const Uv b = isotherm_direction(above);
  const Uv along{a.u + f * (b.u - a.u), a.v + f * (b.v - a.v)};
  const double length = std::hypot(along.u, along.v);
  return {{below.u + f * (above.u - below.u), below.v + f * (above.v - below.v)}, {along.u / length, along.v / length}};
}

Uv uv_from_xy(Xy xy) {
  const double d = -2 * xy.x + 12 * xy.y + 3;
  return {4 * xy.x / d, 6 * xy.y / d};
}

Xy xy_from_uv(Uv uv) {
  const double d = 2 * uv.u - 8 * uv.v + 4;
  return {3 * uv.u / d, 2 * uv.v / d};
}

// Signed distance from the isotherm at `mired`; positive on the side of higher temperatures.
double distance_from_isotherm(double mired, Uv uv) {
  const LocusPoint at = locus_at(mired);
  return -(at.along.u * (uv.v - at.place.v) - at.along.v * (uv.u - at.place.u));
}

}  // namespace

Xy xy_from_temperature(Temperature temperature) {
  const double mired = 1e6 / std::clamp(temperature.kelvin, least_kelvin, most_kelvin);
  const LocusPoint at = locus_at(mired);
  const double offset = temperature.tint / tint_per_uv;
  return xy_from_uv({at.place.u + at.along.u * offset, at.place.v + at.along.v * offset});
}

Temperature temperature_from_xy(Xy white) {
  const Uv uv = uv_from_xy(white);
  // Distances fall from positive to negative along the locus; away from it isotherms cross, so the sign change that
  // lies nearest to the locus wins: the first one found from the hot end is that within the documented range.
  double hot = 1e6 / most_kelvin;
  double cold = hot;
  const double hottest_distance = distance_from_isotherm(hot, uv);
  for (const Isotherm& line : isotherms) {
    if (line.mired <= hot) continue;
    cold = line.mired;
    if ((distance_from_isotherm(cold, uv) > 0) != (hottest_distance > 0)) break;
    hot = cold;
  }
  for (int step = 0; step < 60; ++step) {
    const double middle = (hot + cold) / 2;
    ((distance_from_isotherm(middle, uv) > 0) == (hottest_distance > 0) ? hot : cold) = middle;
  }
  const double mired = (hot + cold) / 2;
  const LocusPoint at = locus_at(mired);
  const double offset = at.along.u * (uv.u - at.place.u) + at.along.v * (uv.v - at.place.v);
  return {1e6 / mired, offset * tint_per_uv};
}

Xy daylight_xy(double kelvin) {
  const double t = std::clamp(kelvin, 4000.0, 25000.0);
  const double k = 1000 / t;
  const double x = t <= 7000 ? 0.244063 + k * (0.09911 + k * (2.9678 + k * -4.6070))
                             : 0.237040 + k * (0.24748 + k * (1.9018 + k * -2.0064));
  return {x, -3.000 * x * x + 2.870 * x - 0.275};
}

}  // namespace imago::color
