#include "base/parallel.h"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace imago {
namespace {

// One call of parallel_for. Chunks are handed out by a shared counter; which thread takes which chunk is left to
// chance, where chunks start is not.
struct Loop {
  const std::function<void(RowRange)>* body;
  int count;
  int chunk;
  int chunks;
  std::atomic<int> next{0};
  std::atomic<int> helpers{0};  // threads inside work(), the caller not counted
};

thread_local bool inside_loop = false;

void work(Loop& loop) {
  for (int i = loop.next.fetch_add(1); i < loop.chunks; i = loop.next.fetch_add(1)) {
    const int begin = i * loop.chunk;
    (*loop.body)({begin, i == loop.chunks - 1 ? loop.count : begin + loop.chunk});
  }
}

int default_thread_count() {
  if (const char* text = std::getenv("IMAGO_THREADS")) {
    const int count = std::atoi(text);
    if (count > 0) return std::min(count, 1024);
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Persistent threads that join whichever loops are open. Several callers may loop at the same time (export jobs):
// each brings its own thread, the pool's go to the newest open loop first.
class Threads {
 public:
  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

  void set_count(int count) {
    const std::lock_guard change(change_mutex_);
    stop();
    const std::lock_guard lock(mutex_);
    count_ = std::max(1, count);
  }

  void run(Loop& loop) {
    {
      const std::lock_guard lock(mutex_);
      start_locked();
      loops_.push_back(&loop);
    }
    wake_.notify_all();
    inside_loop = true;
    work(loop);
    inside_loop = false;
    std::unique_lock lock(mutex_);
    std::erase(loops_, &loop);
    done_.wait(lock, [&] { return loop.helpers == 0; });
  }

 private:
  void start_locked() {
    while (!stopping_ && static_cast<int>(threads_.size()) < count_ - 1) threads_.emplace_back([this] { serve(); });
  }

  // Ends the threads; a loop that runs meanwhile is finished by its caller.
  void stop() {
    std::vector<std::thread> ending;
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      ending.swap(threads_);
    }
    wake_.notify_all();
    for (std::thread& thread : ending) thread.join();
    const std::lock_guard lock(mutex_);
    stopping_ = false;
  }

  Loop* open_loop_locked() {
    for (auto at = loops_.rbegin(); at != loops_.rend(); ++at) {
      if ((*at)->next < (*at)->chunks) return *at;
    }
    return nullptr;
  }

  void serve() {
    inside_loop = true;
    std::unique_lock lock(mutex_);
    while (true) {
      Loop* loop = nullptr;
      wake_.wait(lock, [&] { return stopping_ || (loop = open_loop_locked()) != nullptr; });
      if (stopping_) return;
      ++loop->helpers;
      lock.unlock();
      work(*loop);
      lock.lock();
      if (--loop->helpers == 0) done_.notify_all();
    }
  }

  std::mutex change_mutex_;  // one set_count at a time
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> threads_;
  std::vector<Loop*> loops_;
  int count_ = default_thread_count();
  bool stopping_ = false;
};

Threads& threads() {
  static Threads& instance = *new Threads;  // never destroyed: the process may exit while a loop runs
  return instance;
}

}  // namespace

int thread_count() { return threads().count(); }

void set_thread_count(int count) { threads().set_count(count); }

void parallel_for(int count, int chunk, const std::function<void(RowRange)>& body) {
  if (count <= 0) return;
  chunk = std::max(1, chunk);
  Loop loop{.body = &body, .count = count, .chunk = chunk, .chunks = (count - 1) / chunk + 1};
  if (inside_loop || loop.chunks == 1 || thread_count() == 1) {
    work(loop);
    return;
  }
  threads().run(loop);
}

}  // namespace imago
