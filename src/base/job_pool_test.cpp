#include "base/job_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace imago {
namespace {

using namespace std::chrono_literals;

// Holds a thread of the pool until it is let go.
struct Blocker {
  std::promise<void> go;
  std::promise<void> started;
  JobPool::Job job() {
    return [this, wait = go.get_future().share()](const CancelToken&) {
      started.set_value();
      wait.wait();
    };
  }
};

TEST(JobPool, HigherPrioritiesRunFirstAndEqualOnesInOrder) {
  JobPool pool(1);
  Blocker blocker;
  pool.submit(0, blocker.job());
  blocker.started.get_future().wait();
  std::string order;
  for (const auto& [priority, name] : {std::pair{0, 'c'}, {5, 'a'}, {0, 'd'}, {5, 'b'}, {-1, 'e'}}) {
    pool.submit(priority, [&order, letter = name](const CancelToken&) { order += letter; });
  }
  EXPECT_EQ(pool.queued(), 5u);
  EXPECT_EQ(pool.running(), 1u);
  blocker.go.set_value();
  pool.wait_until_idle();
  EXPECT_EQ(order, "abcde");
}

TEST(JobPool, ACancelledJobDoesNotStartAndARunningOneSeesItsToken) {
  JobPool pool(2);
  std::atomic<bool> saw{false};
  std::promise<void> started;
  const CancelToken running = pool.submit(0, [&](const CancelToken& token) {
    started.set_value();
    while (!token.cancelled()) std::this_thread::sleep_for(1ms);
    saw = true;
    token.throw_if_cancelled();
  });
  started.get_future().wait();
  CancelToken cancelled;
  cancelled.cancel();
  bool ran = false;
  pool.submit(
      0, [&](const CancelToken&) { ran = true; }, cancelled);
  running.cancel();
  pool.wait_until_idle();
  EXPECT_TRUE(saw);
  EXPECT_FALSE(ran);
}

TEST(JobPool, ShutdownDropsWhatIsQueuedAndWaitsForWhatRuns) {
  auto held = std::make_shared<int>(1);
  std::atomic<bool> finished{false};
  bool ran = false;
  CancelToken queued;
  {
    JobPool pool(1);
    std::promise<void> started;
    pool.submit(0, [&](const CancelToken& token) {
      started.set_value();
      while (!token.cancelled()) std::this_thread::sleep_for(1ms);
      std::this_thread::sleep_for(20ms);
      finished = true;
    });
    started.get_future().wait();
    queued = pool.submit(9, [&, held](const CancelToken&) { ran = true; });
    EXPECT_TRUE(pool.shutdown());
    EXPECT_TRUE(finished);
    EXPECT_TRUE(pool.submit(0, [&](const CancelToken&) { ran = true; }).cancelled());
  }
  EXPECT_FALSE(ran);
  EXPECT_TRUE(queued.cancelled());
  EXPECT_EQ(held.use_count(), 1) << "dropped jobs let go of what they hold";
}

TEST(JobPool, ShutdownGivesUpAtItsDeadline) {
  Blocker blocker;
  const auto ended = std::make_shared<std::promise<void>>();  // the thread may still hold it when we are gone
  {
    JobPool pool(1);
    pool.submit(0, [ended, inner = blocker.job()](const CancelToken& token) {
      inner(token);
      ended->set_value();
    });
    blocker.started.get_future().wait();
    EXPECT_FALSE(pool.shutdown(30ms));
  }
  blocker.go.set_value();
  ended->get_future().wait();
}

TEST(JobPool, WhatAJobThrowsGoesToTheCallbackAndThePoolLivesOn) {
  std::atomic<int> errors{0};
  JobPool pool(1, [&](const std::exception_ptr&) { ++errors; });
  pool.submit(0, [](const CancelToken&) { throw Error(ErrorKind::io, "x"); });
  pool.submit(0, [](const CancelToken&) { throw Cancelled(); });
  bool ran = false;
  pool.submit(0, [&](const CancelToken&) { ran = true; });
  pool.wait_until_idle();
  EXPECT_EQ(errors, 1);
  EXPECT_TRUE(ran);
}

TEST(JobPool, CancelAllReachesEveryRunningJob) {
  JobPool pool(3);
  std::atomic<int> started{0};
  for (int i = 0; i < 3; ++i) {
    pool.submit(0, [&](const CancelToken& token) {
      ++started;
      while (!token.cancelled()) std::this_thread::sleep_for(1ms);
    });
  }
  while (started < 3) std::this_thread::sleep_for(1ms);
  pool.cancel_all();
  pool.wait_until_idle();
  bool ran = false;
  pool.submit(0, [&](const CancelToken&) { ran = true; });
  pool.wait_until_idle();
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace imago
