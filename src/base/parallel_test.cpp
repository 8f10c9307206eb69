#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace imago {
namespace {

class Parallel : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(before_); }
  int before_ = thread_count();
};

TEST_P(Parallel, EveryRowIsVisitedOnceInChunksThatDoNotDependOnTheThreads) {
  for (const int count : {1, 7, 8, 9, 1000}) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
    std::mutex mutex;
    std::set<std::pair<int, int>> chunks;
    parallel_for(count, 8, [&](RowRange rows) {
      for (int y = rows.begin; y < rows.end; ++y) ++visits[static_cast<std::size_t>(y)];
      const std::lock_guard lock(mutex);
      chunks.insert({rows.begin, rows.end});
    });
    for (const std::atomic<int>& visit : visits) EXPECT_EQ(visit, 1);
    for (const auto& [begin, end] : chunks) {
      EXPECT_EQ(begin % 8, 0);
      EXPECT_EQ(end, std::min(count, begin + 8));
    }
    EXPECT_EQ(chunks.size(), static_cast<std::size_t>((count + 7) / 8));
  }
}

TEST_P(Parallel, NestedLoopsRunOnTheirThread) {
  std::atomic<int> sum{0};
  std::atomic<int> strays{0};
  parallel_for(16, 1, [&](RowRange) {
    const std::thread::id outer = std::this_thread::get_id();
    parallel_for(100, 10, [&](RowRange rows) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));  // long enough for another thread to take a share
      sum += rows.count();
      if (std::this_thread::get_id() != outer) ++strays;
    });
  });
  EXPECT_EQ(sum, 1600);
  EXPECT_EQ(strays, 0);
}

TEST_P(Parallel, LoopsOfSeveralCallersFinishSideBySide) {
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) parallel_for(64, 3, [&](RowRange rows) { sum += rows.count(); });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 200 * 64);
}

TEST_P(Parallel, EmptyLoopsAndOddChunksAreHarmless) {
  int calls = 0;
  parallel_for(0, 8, [&](RowRange) { ++calls; });
  parallel_for(-5, 8, [&](RowRange) { ++calls; });
  EXPECT_EQ(calls, 0);
  parallel_for(std::numeric_limits<int>::max(), std::numeric_limits<int>::max(), [&](RowRange rows) {
    EXPECT_EQ(rows.end, std::numeric_limits<int>::max());
    ++calls;
  });
  EXPECT_EQ(calls, 1);
  std::atomic<int> rows_seen{0};
  parallel_for(3, 0, [&](RowRange rows) { rows_seen += rows.count(); });
  EXPECT_EQ(rows_seen, 3);
}

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, ::testing::Values(1, 2, 5));

TEST(ParallelCount, CanChangeWhileALoopRuns) {
  const int before = thread_count();
  std::atomic<int> sum{0};
  std::thread caller([&] {
    for (int round = 0; round < 300; ++round) parallel_for(64, 1, [&](RowRange rows) { sum += rows.count(); });
  });
  for (int count = 1; count < 6; ++count) set_thread_count(count);
  caller.join();
  EXPECT_EQ(sum, 300 * 64);
  set_thread_count(before);
}

}  // namespace
}  // namespace imago
