#include "develop/scopes.h"

#include <gtest/gtest.h>

#include <numeric>

namespace imago::develop {
namespace {

TEST(Scopes, CountsEveryPixelOnceEverywhere) {
  Scopes scopes;
  std::vector<std::uint8_t> rgb(3 * 7 * 5);
  for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = static_cast<std::uint8_t>(i * 37);
  add_rows(scopes, rgb, 7);
  EXPECT_EQ(scopes.pixels, 35u);
  for (const auto* counts : {&scopes.red, &scopes.green, &scopes.blue, &scopes.luma})
    EXPECT_EQ(std::accumulate(counts->begin(), counts->end(), 0u), 35u);
  EXPECT_EQ(std::accumulate(scopes.waveform.begin(), scopes.waveform.end(), 0u), 35u);
  EXPECT_EQ(std::accumulate(scopes.vectorscope.begin(), scopes.vectorscope.end(), 0u), 35u);
}

TEST(Scopes, KnownColoursLieWhereBt709PutsThem) {
  Scopes scopes;
  const std::uint8_t pixels[] = {255, 0, 0, 128, 128, 128, 0, 0, 0, 255, 255, 255};
  add_rows(scopes, pixels, 4);
  EXPECT_EQ(scopes.luma[54], 1u);  // 0.2126 * 255
  EXPECT_EQ(scopes.luma[128], 1u);
  EXPECT_EQ(scopes.vectorscope[128 * 256 + 128], 3u);   // greys in the middle
  EXPECT_EQ(scopes.vectorscope[255u * 256 + 99u], 1u);  // red: Cr at its end, Cb 128 - 54 / 1.8556
  EXPECT_EQ(scopes.waveform[0 * 256 + 54], 1u);
  EXPECT_EQ(scopes.waveform[std::size_t{192} * 256 + 255], 1u);
  EXPECT_EQ(scopes.black, 1u);
  EXPECT_EQ(scopes.clipped, 2u);
}

}  // namespace
}  // namespace imago::develop
