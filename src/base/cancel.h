#pragma once

#include <atomic>
#include <memory>

#include "base/error.h"

namespace imago {

// A flag shared by whoever may stop a piece of work and the work itself. Copies share the flag.
class CancelToken {
 public:
  CancelToken() : cancelled_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() const { cancelled_->store(true); }
  bool cancelled() const { return cancelled_->load(std::memory_order_relaxed); }
  void throw_if_cancelled() const {
    if (cancelled()) throw Cancelled();
  }

 private:
  std::shared_ptr<std::atomic<bool>> cancelled_;
};

}  // namespace imago
