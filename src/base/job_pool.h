// Background work: previews, exports, prefetch. (Loops inside one piece of work are parallel.h's.)
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

#include "base/cancel.h"

namespace imago {

class JobPool {
 public:
  // Looks at its token now and then and returns, or throws Cancelled, once that is set.
  using Job = std::function<void(const CancelToken&)>;

  // `on_error` gets what a job threw, Cancelled aside, on the job's thread; without one it is logged.
  explicit JobPool(int threads, std::function<void(std::exception_ptr)> on_error = {});
  // shutdown() without a deadline.
  ~JobPool();
  JobPool(const JobPool&) = delete;
  JobPool& operator=(const JobPool&) = delete;

  // Higher priorities run first, equal ones in the order they came. A job whose token is set before it starts is
  // dropped; after shutdown it is dropped at once, its token set. Returns the job's token.
  CancelToken submit(int priority, Job job, CancelToken token = CancelToken());

  // Sets the tokens of all jobs: queued ones are dropped, running ones may end early. The pool stays usable.
  void cancel_all();

  // Waits until nothing is queued or running.
  void wait_until_idle();

  // cancel_all, then waits for the running jobs. False when some still ran at the deadline: their threads are left to
  // themselves, and what their jobs refer to must live on.
  bool shutdown(std::optional<std::chrono::milliseconds> deadline = std::nullopt);

  std::size_t queued() const;
  std::size_t running() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with threads that outlive a deadline
};

}  // namespace imago
