#include "gpu/slices.h"

#include <gtest/gtest.h>

namespace imago::gpu {
namespace {

PassList reads_with_reach(int height, int reach) {
  PassList list;
  list.add_buffer({.width = 10, .height = height, .channels = 3, .name = "read"});
  list.add_buffer({.width = 10, .height = height, .name = "written"});
  list.passes.push_back({.inputs = {{.buffer = 0, .reach = {.reach = reach}}}, .output = 1});
  return list;
}

TEST(Slices, ABufferThatFitsIsOne) {
  const ListSlices slices = plan_slices(reads_with_reach(100, 4), 12'000);
  ASSERT_EQ(slices.of_buffer[0].size(), 1U);
  EXPECT_EQ(slices.of_buffer[0][0].rows, (RowRange{0, 100}));
}

TEST(Slices, EveryRowIsOwnedOnceAndFindsWhatIsReadBesideItInItsSlice) {
  for (const int height : {61, 100, 1000}) {
    const PassList list = reads_with_reach(height, 4);
    const std::uint64_t largest = 60 * 120 + 119;  // 60 rows
    const ListSlices slices = plan_slices(list, largest);
    ASSERT_EQ(slices.error, "");
    EXPECT_EQ(slices.of_buffer[0].size(), static_cast<std::size_t>((height + 49) / 50));
    int next = 0;
    for (const Slice& slice : slices.of_buffer[0]) {
      EXPECT_EQ(slice.own.begin, next);
      next = slice.own.end;
      EXPECT_EQ(slice.rows.begin, std::max(slice.own.begin - 5, 0));  // the reach, and one for a scaled position
      EXPECT_EQ(slice.rows.end, std::min(slice.own.end + 5, height));
      EXPECT_LE(buffer_bytes(sliced(list.buffers[0], slice)), largest);
    }
    EXPECT_EQ(next, height);
  }
}

TEST(Slices, ARowThatDoesNotFitWithItsReachIsAnErrorWithTheLimit) {
  EXPECT_EQ(plan_slices(reads_with_reach(100, 4), 120 * 10).error,
            "one row with its reach is over the device's buffer limit of 0 MiB");
  EXPECT_EQ(plan_slices(reads_with_reach(100, 4), 120 * 11).error, "");
}

}  // namespace
}  // namespace imago::gpu
