// A line on a terminal that says how far a batch is: "[=====>     ] 12/200 6 % 3.4/s 0:55 left". Nothing where standard
// error is no terminal. Log lines go above it.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace imago::cli {

class Progress {
 public:
  explicit Progress(std::size_t total);
  ~Progress();  // the line goes away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance();  // one more is done; any thread
  // A whole line on standard error, above the bar; any thread.
  void say(const std::string& line);

 private:
  void clear();
  void draw();

  std::mutex mutex_;
  std::size_t total_, done_ = 0;
  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// "[=====>     ] 12/200 6 % 3.4/s 0:55 left", no wider than `columns`.
std::string progress_line(std::size_t done, std::size_t total, double seconds, int columns);

}  // namespace imago::cli
