#include "gpu/executor.h"

#include <latch>
#include <thread>
#include <utility>

#include "gpu/abort_guard.h"

namespace imago::gpu {

Executor::Executor() {
  std::latch guarded(1);
  std::thread([this, &guarded] {
    guard_this_thread();
    guarded.count_down();
    loop();
  }).detach();
  guarded.wait();
  std::thread([this] { watch(); }).detach();
}

bool Executor::call(std::function<void()> work) {
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  std::unique_lock lock(mutex_);
  if (thread_lost_) return false;
  jobs_.push_back(job);
  work_.notify_one();
  done_.wait(lock, [&] { return job->done || thread_lost_; });
  return job->done;
}

void Executor::post(std::function<void()> work) {
  const std::scoped_lock lock(mutex_);
  if (thread_lost_) return;
  jobs_.push_back(std::make_shared<Job>(Job{.work = std::move(work)}));
  work_.notify_one();
}

void Executor::set_idle(std::chrono::milliseconds after, std::function<void()> idle) {
  const std::scoped_lock lock(mutex_);
  idle_after_ = after;
  idle_ = std::move(idle);
}

void Executor::set_lost(std::function<void()> lost) {
  const std::scoped_lock lock(mutex_);
  on_lost_ = std::move(lost);
}

// No lock is held while work runs: the watcher must be able to speak for a thread that never comes back.
void Executor::loop() {
  bool tidy = true;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (tidy) {
      work_.wait(lock, [&] { return !jobs_.empty(); });
    } else if (!work_.wait_for(lock, idle_after_, [&] { return !jobs_.empty(); })) {
      const std::function<void()> idle = idle_;
      lock.unlock();
      if (idle) idle();
      lock.lock();
      tidy = true;
      continue;
    }
    const std::shared_ptr<Job> job = jobs_.front();
    jobs_.pop_front();
    lock.unlock();
    job->work();
    lock.lock();
    job->done = true;
    tidy = false;
    done_.notify_all();
  }
}

void Executor::watch() {
  wait_for_abort();
  std::unique_lock lock(mutex_);
  const std::function<void()> lost = on_lost_;
  lock.unlock();
  if (lost) lost();
  lock.lock();
  thread_lost_ = true;
  jobs_.clear();
  done_.notify_all();
}

}  // namespace imago::gpu
