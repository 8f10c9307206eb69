// The one thread that calls wgpu. It is never joined: at exit it is left where it is, because drivers crash when their
// devices are torn down beside running work.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace imago::gpu {

class Executor {
 public:
  Executor();

  // Runs work on the executor thread and waits. False when the thread was lost before the work returned: then the work
  // never goes on, so what it captured may go. work must not throw.
  bool call(std::function<void()> work);
  void post(std::function<void()> work);  // without waiting; nothing when the thread is lost

  // Called on the executor thread when it has had nothing to do for `after`.
  void set_idle(std::chrono::milliseconds after, std::function<void()> idle);

  // Called on a thread of its own when the executor thread has been lost, before waiting callers return.
  void set_lost(std::function<void()> lost);

 private:
  struct Job {
    std::function<void()> work;
    bool done = false;
  };

  void loop();
  void watch();

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  std::deque<std::shared_ptr<Job>> jobs_;
  bool thread_lost_ = false;
  std::chrono::milliseconds idle_after_{0};
  std::function<void()> idle_;
  std::function<void()> on_lost_;
};

}  // namespace imago::gpu
