#include "base/job_pool.h"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/log.h"

namespace imago {
namespace {

// Highest priority first, then oldest.
struct Rank {
  int priority;
  std::uint64_t order;
  bool operator<(const Rank& other) const {
    return priority != other.priority ? priority > other.priority : order < other.order;
  }
};

struct Queued {
  JobPool::Job job;
  CancelToken token;
};

void log_failure(std::exception_ptr failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    log_error("a background job failed: {}", error.what());
  } catch (...) {
    log_error("a background job failed");
  }
}

}  // namespace

struct JobPool::State {
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable changed;  // a job ended or was dropped
  std::map<Rank, Queued> queue;
  std::list<CancelToken> active;  // tokens of running jobs
  std::uint64_t next_order = 0;
  std::size_t live_threads = 0;
  bool stopping = false;
  std::vector<std::thread> threads;
  std::function<void(std::exception_ptr)> on_error;

  void run(Queued& next) const {
    if (next.token.cancelled()) return;
    try {
      next.job(next.token);
    } catch (const Cancelled&) {
    } catch (...) {
      on_error(std::current_exception());
    }
  }

  void serve() {
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [this] { return stopping || !queue.empty(); });
      if (stopping) break;
      Queued next = std::move(queue.begin()->second);
      queue.erase(queue.begin());
      const auto mine = active.insert(active.end(), next.token);
      lock.unlock();
      run(next);
      next.job = nullptr;  // what it holds goes before the job counts as done
      lock.lock();
      active.erase(mine);
      changed.notify_all();
    }
    --live_threads;
    changed.notify_all();
  }
};

JobPool::JobPool(int threads, std::function<void(std::exception_ptr)> on_error) : state_(std::make_shared<State>()) {
  state_->on_error = on_error ? std::move(on_error) : log_failure;
  const std::lock_guard lock(state_->mutex);
  for (int i = 0; i < std::max(1, threads); ++i) {
    state_->threads.emplace_back([state = state_] { state->serve(); });
    ++state_->live_threads;
  }
}

JobPool::~JobPool() { shutdown(); }

CancelToken JobPool::submit(int priority, Job job, CancelToken token) {
  const std::lock_guard lock(state_->mutex);
  if (state_->stopping) {
    token.cancel();
    return token;
  }
  state_->queue.emplace(Rank{priority, state_->next_order++}, Queued{std::move(job), token});
  state_->wake.notify_one();
  return token;
}

void JobPool::cancel_all() {
  std::map<Rank, Queued> dropped;  // destroyed after the lock is gone: jobs may hold anything
  const std::lock_guard lock(state_->mutex);
  dropped.swap(state_->queue);
  for (auto& [rank, queued] : dropped) queued.token.cancel();
  for (const CancelToken& token : state_->active) token.cancel();
  state_->changed.notify_all();
}

void JobPool::wait_until_idle() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return state_->queue.empty() && state_->active.empty(); });
}

bool JobPool::shutdown(std::optional<std::chrono::milliseconds> deadline) {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    threads.swap(state_->threads);
  }
  cancel_all();
  state_->wake.notify_all();
  bool all_ended = true;
  if (deadline) {
    std::unique_lock lock(state_->mutex);
    all_ended = state_->changed.wait_for(lock, *deadline, [this] { return state_->live_threads == 0; });
  }
  for (std::thread& thread : threads) {
    if (all_ended) {
      thread.join();
    } else {
      thread.detach();
    }
  }
  return all_ended;
}

std::size_t JobPool::queued() const {
  const std::lock_guard lock(state_->mutex);
  return state_->queue.size();
}

std::size_t JobPool::running() const {
  const std::lock_guard lock(state_->mutex);
  return state_->active.size();
}

}  // namespace imago
