#include "io/video/video_color.h"

#include <gtest/gtest.h>

#include <vector>

namespace imago::io {
namespace {

// A picture of one colour with planes of any depth.
struct Uniform {
  std::vector<std::uint16_t> y, cb, cr;
  VideoPlanes planes;

  Uniform(int bits, VideoMatrix matrix, bool full, int luma, int blue, int red) {
    planes.width = 7;
    planes.height = 5;
    planes.color = {bits, matrix, full, VideoTransfer::sdr, false, false};
    y.assign(35, static_cast<std::uint16_t>(luma));
    cb.assign(12, static_cast<std::uint16_t>(blue));
    cr.assign(12, static_cast<std::uint16_t>(red));
    planes.plane[0] = {reinterpret_cast<const std::uint8_t*>(y.data()), 14, 2, 2, 0};
    planes.plane[1] = {reinterpret_cast<const std::uint8_t*>(cb.data()), 8, 2, 2, 0};
    planes.plane[2] = {reinterpret_cast<const std::uint8_t*>(cr.data()), 8, 2, 2, 0};
  }
  std::vector<int> rgb() const {
    const Rgba8 out = rgba_from_planes(planes);
    EXPECT_EQ(out.at(6, 4)[0], out.at(0, 0)[0]);
    EXPECT_EQ(out.at(6, 4)[3], 255);
    return {out.at(6, 4)[0], out.at(6, 4)[1], out.at(6, 4)[2]};
  }
};

// The colour bars of BT.471: 100 % red and white.
TEST(VideoColor, ReferenceCodesGiveReferenceColours) {
  EXPECT_EQ(Uniform(8, VideoMatrix::bt601, false, 235, 128, 128).rgb(), (std::vector{255, 255, 255}));
  EXPECT_EQ(Uniform(8, VideoMatrix::bt601, false, 16, 128, 128).rgb(), (std::vector{0, 0, 0}));
  EXPECT_EQ(Uniform(8, VideoMatrix::bt601, false, 81, 90, 240).rgb(), (std::vector{254, 0, 0}));
  EXPECT_EQ(Uniform(8, VideoMatrix::bt709, false, 63, 102, 240).rgb(), (std::vector{255, 1, 0}));
  EXPECT_EQ(Uniform(10, VideoMatrix::bt2020, false, 294, 387, 960).rgb(), (std::vector{255, 0, 0}));
  EXPECT_EQ(Uniform(10, VideoMatrix::bt709, true, 1023, 512, 512).rgb(), (std::vector{255, 255, 255}));
  EXPECT_EQ(Uniform(8, VideoMatrix::bt709, false, 255, 255, 255).rgb()[0], 255);  // above white: no wrap
  EXPECT_EQ(Uniform(8, VideoMatrix::bt709, false, 0, 0, 0).rgb()[0], 0);
}

TEST(VideoColor, HdrKeepsGreyGreyAndRises) {
  for (const VideoTransfer transfer : {VideoTransfer::pq, VideoTransfer::hlg}) {
    int before = -1;
    for (int luma = 64; luma <= 940; luma += 12) {
      Uniform picture(10, VideoMatrix::bt2020, false, luma, 512, 512);
      picture.planes.color.transfer = transfer;
      const auto rgb = picture.rgb();
      EXPECT_EQ(rgb[0], rgb[1]);
      EXPECT_EQ(rgb[1], rgb[2]);
      EXPECT_GE(rgb[0], before);
      before = rgb[0];
    }
    EXPECT_EQ(before, 255);
  }
}

TEST(VideoColor, ChromaLiesAtItsPlace) {
  // A ramp of Cb over 8 luma samples: left-sited, sample 2 i of luma has chroma i exactly.
  std::vector<std::uint8_t> y(16, 128), cb = {100, 110, 120, 130}, cr(4, 128);
  VideoPlanes planes;
  planes.width = 8;
  planes.height = 2;
  planes.color = {8, VideoMatrix::bt601, true, VideoTransfer::sdr, false, false};
  planes.plane = {VideoPlane{y.data(), 8}, VideoPlane{cb.data(), 4}, VideoPlane{cr.data(), 4}};
  const Rgba8 left = rgba_from_planes(planes);
  planes.color.centred_chroma = true;
  const Rgba8 centred = rgba_from_planes(planes);
  const auto blue = [](double chroma) { return static_cast<int>(128 + 1.772 * (chroma - 128) + 0.5); };
  EXPECT_EQ(left.at(2, 0)[2], blue(110));
  EXPECT_EQ(left.at(3, 1)[2], blue(115));
  EXPECT_EQ(centred.at(2, 0)[2], blue(107.5));
  EXPECT_EQ(centred.at(3, 1)[2], blue(112.5));
}

TEST(Turned, GoesClockwise) {
  Plane8 picture(3, 2);
  for (std::uint8_t i = 0; i < 6; ++i) picture.pixels[i] = i;
  Plane8 copy(3, 2);
  std::copy(picture.pixels.begin(), picture.pixels.end(), copy.pixels.begin());
  const Plane8 quarter = turned(std::move(copy), 90);
  ASSERT_EQ(quarter.width, 2);
  EXPECT_EQ(std::vector<int>(quarter.pixels.begin(), quarter.pixels.end()), (std::vector{3, 0, 4, 1, 5, 2}));
  const Plane8 back = turned(turned(std::move(picture), 270), 90);
  EXPECT_EQ(std::vector<int>(back.pixels.begin(), back.pixels.end()), (std::vector{0, 1, 2, 3, 4, 5}));
}

TEST(ReducedLuma, IsTheMeanInEightBits) {
  std::vector<std::uint16_t> y = {400, 404, 0, 4, 408, 412, 8, 12};
  VideoPlanes planes;
  planes.width = 4;
  planes.height = 2;
  planes.color.bits = 10;
  planes.plane[0] = {reinterpret_cast<const std::uint8_t*>(y.data()), 8, 2, 2, 0};
  const Plane8 out = reduced_luma(planes, 2);
  ASSERT_EQ(out.width, 2);
  EXPECT_EQ(out.row(0)[0], 101);
  EXPECT_EQ(out.row(0)[1], 1);
}

}  // namespace
}  // namespace imago::io
