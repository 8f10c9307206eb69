#include "pano/frames.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "pano/clip_plan.h"
#include "pano/frame_score.h"
#include "pano/track.h"

namespace imago::pano {
namespace {

// Stripes in azimuth, `cycles` around; turned by `turn` pixels.
Plane8 stripes(int width, double cycles, double turn = 0, double depth = 100) {
  Plane8 out(width, width / 2);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double phase = 2 * std::numbers::pi * cycles * (x + turn) / width;
      out.row(y)[x] = static_cast<std::uint8_t>(std::lround(128 + depth * std::sin(phase)));
    }
  }
  return out;
}

TEST(Sharpness, IsTheRootMeanSquareSlope) {
  // d/dx 100 sin(2 pi 16 x / 1024) has a root mean square of 100 * 2 pi 16 / 1024 / sqrt(2) = 6.942.
  EXPECT_NEAR(sharpness(stripes(1024, 16)), 6.942, 0.05);  // central differences lose 0.2 %, rounding the rest
  EXPECT_GT(sharpness(stripes(1024, 32)), 1.9 * sharpness(stripes(1024, 16)));
}

TEST(Sharpness, DoesNotSeeThePolesAndTheNadir) {
  Plane8 still(512, 256);
  std::fill(still.pixels.begin(), still.pixels.end(), std::uint8_t{90});
  for (int y = 0; y < 256; ++y) {
    if (y > 40 && y < 216) continue;  // beyond 61 degrees
    for (int x = 0; x < 512; ++x) still.row(y)[x] = x % 2 != 0 ? 255 : 0;
  }
  EXPECT_EQ(sharpness(still), 0);
}

TEST(Motion, LookingElsewhereIsNone) {
  EXPECT_EQ(motion(stripes(128, 3), stripes(128, 3, 37)), 0);
  EXPECT_GT(motion(stripes(128, 3), stripes(128, 5)), 30);
}

TEST(DropPoor, LeavesOutWhatIsBlurredAndWhatDoesNotMove) {
  std::vector<Candidate> candidates(6);
  std::vector<Plane8> thumbs;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].sharpness = i == 2 ? 3 : 10;
    thumbs.push_back(stripes(128, i == 4 ? 4 : 1 + static_cast<double>(i)));  // 4 is like 3
  }
  drop_poor(candidates, thumbs, 0.4, 0.25);
  EXPECT_EQ(candidates[2].why, "blurred");
  EXPECT_EQ(candidates[4].why, "like the frame before");
  for (const std::size_t i : {0u, 1u, 3u, 5u}) EXPECT_TRUE(candidates[i].kept) << i;
  EXPECT_EQ(candidates[0].motion, -1);
}

TEST(Time, IsReadAsCamerasAndPeopleWriteIt) {
  EXPECT_EQ(time_from_iso("1970-01-02T00:00:01Z"), 86401);
  EXPECT_EQ(time_from_iso(" 2024-02-29T12:00:00.250Z\n"), 1709208000.25);
  EXPECT_EQ(time_from_iso("2024-02-29T13:30:00+01:30"), 1709208000);
  for (const char* text : {"", "2024", "2024-13-01T00:00:00Z", "2024-02-29Tab:00:00Z", "2024-02-29T12:00:00+1"}) {
    EXPECT_FALSE(time_from_iso(text)) << text;
  }
  EXPECT_EQ(seconds_from_text("1:02.5"), 62.5);
  EXPECT_EQ(seconds_from_text("1:00:01"), 3601);
  for (const char* text : {"", "a", "1:", "-1", "1:2:3:4", "nan"}) EXPECT_THROW(seconds_from_text(text), Error) << text;
}

TEST(Track, IsFollowedTheShortWayOverTheDateLine) {
  const std::vector<TrackPoint> track = {{100, {10, 179.5, 50.0}}, {110, {12, -179.5, std::nullopt}}};
  const auto place = place_at(track, 105);
  ASSERT_TRUE(place);
  EXPECT_NEAR(place->latitude_degrees, 11, 1e-12);
  EXPECT_NEAR(std::abs(place->longitude_degrees), 180, 1e-9);
  EXPECT_FALSE(place->altitude_m);
  EXPECT_FALSE(place_at(track, 97));
  EXPECT_FALSE(place_at(track, 113));
  EXPECT_TRUE(place_at(track, 111));
}

}  // namespace
}  // namespace imago::pano
