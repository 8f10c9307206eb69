#include "gpu/bands.h"

#include <gtest/gtest.h>

#include <cmath>

namespace imago::gpu {
namespace {

PassBuffer image(int width, int height, int channels) {
  return {.width = width, .height = height, .channels = channels, .name = "image"};
}

// Every row once and in order, every binding aligned, within the limit and holding the rows it claims.
void expect_sound(const PassBands& bands, const Pass& pass, const std::vector<PassBuffer>& buffers,
                  const BandLimits& limits) {
  ASSERT_EQ(bands.error, "");
  const auto check = [&](const BoundRows& rows, int buffer) {
    const PassBuffer& of = buffers[static_cast<std::size_t>(buffer)];
    const auto pixel = static_cast<std::uint64_t>(of.channels) * 4;
    const auto row = static_cast<std::uint64_t>(of.width) * pixel;
    EXPECT_EQ(rows.offset_bytes % limits.offset_alignment, 0U);
    EXPECT_EQ(rows.offset_bytes % pixel, 0U);
    EXPECT_LE(rows.size_bytes, limits.binding_bytes);
    EXPECT_EQ(rows.offset_bytes + rows.pixel_offset * pixel, static_cast<std::uint64_t>(rows.first_row) * row);
    EXPECT_EQ(rows.offset_bytes + rows.size_bytes, static_cast<std::uint64_t>(rows.first_row + rows.row_count) * row);
    EXPECT_GE(rows.row_count, 1);
    EXPECT_LE(rows.first_row + rows.row_count, of.height);
  };
  for (const DispatchBand& band : bands.bands) {
    check(band.output, pass.output);
    for (std::size_t i = 0; i < band.inputs.size(); ++i) check(band.inputs[i], pass.inputs[i].buffer);
  }
}

TEST(Bands, AnImageWithinTheLimitsIsOneBand) {
  const std::vector<PassBuffer> buffers = {image(100, 80, 3), image(100, 80, 3)};
  const Pass pass{.inputs = {{.buffer = 0}}, .output = 1};
  const BandLimits limits{.binding_bytes = 1 << 20, .offset_alignment = 256, .invocations = 1 << 20};
  const PassBands bands = plan_bands(pass, buffers, limits);
  expect_sound(bands, pass, buffers, limits);
  ASSERT_EQ(bands.bands.size(), 1U);
  EXPECT_EQ(bands.bands[0].rows, (RowRange{0, 80}));
  EXPECT_EQ(bands.bands[0].output.pixel_offset, 0U);
}

TEST(Bands, RowsAreCutSoThatEveryBindingFits) {
  // A row of odd size: 101 × 12 bytes is a multiple of no alignment.
  const std::vector<PassBuffer> buffers = {image(101, 333, 3), image(101, 333, 3)};
  for (const std::uint64_t alignment : {4U, 32U, 256U}) {
    for (const int reach : {0, 1, 7}) {
      SCOPED_TRACE("alignment " + std::to_string(alignment) + " reach " + std::to_string(reach));
      const Pass pass{.inputs = {{.buffer = 0, .reach = {.reach = reach}}}, .output = 1};
      const BandLimits limits{.binding_bytes = 40'000, .offset_alignment = alignment, .invocations = 1 << 20};
      const PassBands bands = plan_bands(pass, buffers, limits);
      expect_sound(bands, pass, buffers, limits);
      EXPECT_GT(bands.bands.size(), 10U);
      int next = 0;
      for (const DispatchBand& band : bands.bands) {
        EXPECT_EQ(band.rows.begin, next);
        next = band.rows.end;
        EXPECT_EQ(band.inputs[0].first_row, std::max(band.rows.begin - reach, 0));
        EXPECT_EQ(band.inputs[0].first_row + band.inputs[0].row_count, std::min(band.rows.end + reach, 333));
      }
      EXPECT_EQ(next, 333);
    }
  }
}

TEST(Bands, AScaledInputIsBoundWhereTheOutputRowsReadIt) {
  const std::vector<PassBuffer> buffers = {image(64, 1000, 1), image(64, 100, 1)};
  const Pass pass{.inputs = {{.buffer = 0, .reach = {.scale = 10, .offset = 4.5, .reach = 12}}}, .output = 1};
  const BandLimits limits{.binding_bytes = 50'000, .offset_alignment = 256, .invocations = 1 << 20};
  const PassBands bands = plan_bands(pass, buffers, limits);
  expect_sound(bands, pass, buffers, limits);
  EXPECT_GT(bands.bands.size(), 4U);
  for (const DispatchBand& band : bands.bands) {
    const BoundRows& input = band.inputs[0];
    EXPECT_LE(input.first_row, std::max(static_cast<int>(std::floor(band.rows.begin * 10 + 4.5)) - 12, 0));
    EXPECT_GE(input.first_row + input.row_count,
              std::min(static_cast<int>(std::ceil((band.rows.end - 1) * 10 + 4.5)) + 13, 1000));
  }
}

TEST(Bands, GatheredRowsAreEachOwnedByOneBand) {
  const std::vector<PassBuffer> buffers = {image(100, 400, 1), image(50, 60, 3)};
  const Pass pass{.inputs = {{.buffer = 0, .reach = {.kind = InputReach::Kind::gather, .reach = 2}}}, .output = 1};
  const BandLimits limits{.binding_bytes = 20'000, .offset_alignment = 256, .invocations = 1 << 20};
  const PassBands bands = plan_bands(pass, buffers, limits);
  expect_sound(bands, pass, buffers, limits);
  int owned = 0;
  for (const DispatchBand& band : bands.bands) {
    if (band.rows.begin != 0) continue;  // the same input bands again for the next rows of output
    EXPECT_EQ(band.inputs[0].own_first, owned);
    EXPECT_EQ(band.inputs[0].first_row, std::max(owned - 2, 0));
    owned = band.inputs[0].own_end;
  }
  EXPECT_EQ(owned, 400);
}

TEST(Bands, ADispatchStaysWithinTheInvocationsOfASubmission) {
  const std::vector<PassBuffer> buffers = {image(100, 100, 1)};
  const Pass pass{.output = 0};
  const BandLimits limits{.binding_bytes = 1 << 20, .offset_alignment = 256, .invocations = 750};
  const PassBands bands = plan_bands(pass, buffers, limits);
  expect_sound(bands, pass, buffers, limits);
  EXPECT_EQ(bands.bands.size(), 15U);  // seven rows each
}

TEST(Bands, ARowThatDoesNotFitIsAnErrorWithTheLimit) {
  const std::vector<PassBuffer> buffers = {image(1 << 20, 2, 3)};
  const BandLimits limits{.binding_bytes = 1 << 20, .offset_alignment = 256, .invocations = 1 << 30};
  const PassBands bands = plan_bands(Pass{.output = 0}, buffers, limits);
  EXPECT_EQ(bands.error, "one row with its reach is over the device's binding limit of 1 MiB");
  EXPECT_TRUE(bands.bands.empty());
}

TEST(Bands, WorkgroupsAreFoldedOntoTwoAxesAndCoverEveryInvocation) {
  for (const std::uint64_t invocations : {1ULL, 256ULL, 257ULL, 16'776'960ULL, 16'776'961ULL, 4'000'000'000ULL}) {
    const Groups groups = fold_groups(invocations, 256, 65535);
    EXPECT_LE(groups.x, 65535U);
    EXPECT_LE(groups.y, 65535U);
    const std::uint64_t covered = std::uint64_t{groups.x} * groups.y * 256;
    EXPECT_GE(covered, invocations);
    EXPECT_LT(covered, invocations + 256 * (groups.y + 1ULL)) << "more than one group too many per row";
  }
}

TEST(Bands, AGuardedBindingShowsTheGuardsOnBothSides) {
  const PassBuffer buffer = image(10, 4, 3);
  EXPECT_EQ(guard_bytes(buffer), (10U + 64U) * 12U);
  BoundRows rows{.first_row = 2, .row_count = 2, .offset_bytes = 0, .size_bytes = 480, .pixel_offset = 20};
  include_guards(rows, buffer);
  EXPECT_EQ(rows.offset_bytes, 0U);
  EXPECT_EQ(rows.size_bytes, 480 + 2 * guard_bytes(buffer));
  EXPECT_EQ(rows.pixel_offset, 20U + 74U);
}

}  // namespace
}  // namespace imago::gpu
