#include "base/memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

namespace imago::memory {
namespace {

using namespace std::chrono_literals;

TEST(MemoryBudget, IsAQuarterOfTheRamButAtMostOneAndAHalfGibibytes) {
  unsetenv("IMAGO_MEMORY_MB");
  set_budget(0);
  EXPECT_EQ(budget(), std::min(physical_bytes() / 4, std::size_t{1536} << 20));
}

TEST(MemoryBudget, FollowsTheEnvironmentUnlessThatIsNonsense) {
  const std::size_t usual = (unsetenv("IMAGO_MEMORY_MB"), set_budget(0), budget());
  setenv("IMAGO_MEMORY_MB", "300", 1);
  set_budget(0);
  EXPECT_EQ(budget(), std::size_t{300} << 20);
  for (const char* nonsense : {"-5", "0", "12x", "99999999999999999999"}) {
    setenv("IMAGO_MEMORY_MB", nonsense, 1);
    set_budget(0);
    EXPECT_EQ(budget(), usual) << nonsense;
  }
  unsetenv("IMAGO_MEMORY_MB");
  set_budget(123);
  EXPECT_EQ(budget(), 123u);
  set_budget(0);
}

TEST(MemoryPeak, GrowsWithTouchedMemory) {
  const std::size_t before = peak_bytes();
  ASSERT_GT(before, 0u);
  std::vector<char> block(resident_bytes() + (std::size_t{64} << 20), 1);
  EXPECT_GE(peak_bytes(), before + (std::size_t{32} << 20));
  EXPECT_EQ(block.back(), 1);
}

TEST(WorkGate, KeepsWhatIsInWithinTheLimit) {
  WorkGate gate(100);
  std::atomic<std::size_t> inside{0};
  std::atomic<std::size_t> most{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        const auto admission = gate.acquire(40);
        const std::size_t now = inside += 40;
        std::size_t seen = most;
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        std::this_thread::yield();
        inside -= 40;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 80u);
  EXPECT_EQ(gate.in_use(), 0u);
}

TEST(WorkGate, WorkLargerThanTheLimitRunsAlone) {
  WorkGate gate(100);
  std::optional<WorkGate::Admission> big = gate.acquire(1000);
  std::atomic<bool> second{false};
  std::thread other([&] {
    const auto admission = gate.acquire(1);
    second = true;
  });
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(second);
  big.reset();
  other.join();
  EXPECT_TRUE(second);
}

TEST(WorkGate, SmallWorkDoesNotOvertakeLargeWorkThatWaits) {
  WorkGate gate(100);
  std::optional<WorkGate::Admission> first = gate.acquire(60);
  std::atomic<int> order{0};
  int large_at = 0;
  int small_at = 0;
  std::thread large([&] {
    const auto admission = gate.acquire(90);
    large_at = ++order;
  });
  std::this_thread::sleep_for(30ms);
  std::thread small([&] {
    const auto admission = gate.acquire(20);
    small_at = ++order;
  });
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(order, 0);
  first.reset();
  large.join();
  small.join();
  EXPECT_LT(large_at, small_at);
}

TEST(WorkGate, ACancelledWaiterLeavesTheLine) {
  WorkGate gate(100);
  const auto first = gate.acquire(100);
  CancelToken token;
  token.cancel();
  EXPECT_THROW({ const auto admission = gate.acquire(50, token); }, Cancelled);
  gate.set_limit(200);
  const auto next = gate.acquire(50);
  EXPECT_EQ(gate.in_use(), 150u);
}

}  // namespace
}  // namespace imago::memory
