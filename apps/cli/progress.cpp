#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#ifdef _WIN32
#include <io.h>
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

#include "base/log.h"

namespace imago::cli {
namespace {

bool on_terminal() {
#ifdef _WIN32
  return _isatty(_fileno(stderr)) != 0;
#else
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (terminal == nullptr || std::string(terminal) != "dumb");
#endif
}

int terminal_columns() {
#ifndef _WIN32
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
#endif
  return 80;
}

}  // namespace

std::string progress_line(std::size_t done, std::size_t total, double seconds, int columns) {
  const double fraction = total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total);
  std::string text = fmt::format(" {}/{} {:.0f} %", done, total, 100 * fraction);
  if (done > 0 && seconds > 0) {
    const double rate = static_cast<double>(done) / seconds;
    const auto left = static_cast<long>(static_cast<double>(total - done) / rate + 0.5);
    text += rate >= 1 ? fmt::format(" {:.1f}/s", rate) : fmt::format(" {:.1f} s each", 1 / rate);
    text += left >= 3600 ? fmt::format(" {}:{:02}:{:02} left", left / 3600, left / 60 % 60, left % 60)
                         : fmt::format(" {}:{:02} left", left / 60, left % 60);
  }
  const int room = std::clamp(columns - 3 - static_cast<int>(text.size()), 0, 40);
  if (room < 5) return text.substr(1, static_cast<std::size_t>(std::max(columns - 1, 0)));
  const int filled = static_cast<int>(fraction * room);
  std::string bar(static_cast<std::size_t>(filled), '=');
  if (filled < room) bar += '>';
  bar.resize(static_cast<std::size_t>(room), ' ');
  return "[" + bar + "]" + text;
}

Progress::Progress(std::size_t total) : total_(total), shown_(total > 1 && on_terminal()) {
  if (!shown_) return;
  set_log_receiver([this](LogLevel level, std::string_view text) {
    constexpr const char* names[] = {"", "error: ", "warning: ", "", "debug: ", "trace: "};
    say(names[static_cast<std::size_t>(level)] + std::string(text));
  });
  const std::lock_guard lock(mutex_);
  draw();
}

Progress::~Progress() {
  if (!shown_) return;
  set_log_receiver({});
  const std::lock_guard lock(mutex_);
  clear();
  std::fflush(stderr);
}

void Progress::advance() {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (!shown_) return;
  clear();
  draw();
}

void Progress::say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  clear();
  std::fputs((line + "\n").c_str(), stderr);
  if (shown_) draw();
  std::fflush(stderr);
}

void Progress::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void Progress::draw() {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::fputs(progress_line(done_, total_, seconds, terminal_columns()).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace imago::cli
