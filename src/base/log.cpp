#include "base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <array>
#include <atomic>
#include <mutex>

#include "base/environment.h"
#include "base/error.h"

namespace imago {
namespace {

constexpr std::array<std::string_view, 6> level_names = {"off", "error", "warn", "info", "debug", "trace"};

std::atomic<LogLevel> current_level{LogLevel::off};

struct Receiver {
  std::mutex mutex;
  std::function<void(LogLevel, std::string_view)> function;
};

// Never destroyed: worker threads may log while the process exits.
Receiver& receiver() {
  static Receiver& instance = *new Receiver;
  return instance;
}

spdlog::logger& stderr_logger() {
  static spdlog::logger& logger = *[] {
    auto* made = new spdlog::logger("imago", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_level(spdlog::level::trace);
    made->flush_on(spdlog::level::trace);
    made->set_pattern("%H:%M:%S.%e %^%l%$ %v");
    return made;
  }();
  return logger;
}

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::error: return spdlog::level::err;
    case LogLevel::warn: return spdlog::level::warn;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::debug: return spdlog::level::debug;
    default: return spdlog::level::trace;
  }
}

}  // namespace

std::optional<LogLevel> log_level_from_text(std::string_view text) {
  for (std::size_t i = 0; i < level_names.size(); ++i) {
    if (level_names[i] == text) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

std::optional<LogLevel> log_level_from_environment() {
  const std::optional<std::string> value = read_env("RUST_LOG");
  if (!value) return std::nullopt;
  std::string_view text = *value;
  if (const std::size_t equals = text.rfind('='); equals != std::string_view::npos) text.remove_prefix(equals + 1);
  return log_level_from_text(text.substr(0, text.find(',')));
}

void start_log(std::string_view flag, LogLevel otherwise) {
  if (flag.empty()) {
    set_log_level(log_level_from_environment().value_or(otherwise));
    return;
  }
  const std::optional<LogLevel> level = log_level_from_text(flag);
  if (!level) {
    throw Error(ErrorKind::usage,
                fmt::format("--log-level {} is not one of off, error, warn, info, debug, trace", flag));
  }
  set_log_level(*level);
}

void set_log_level(LogLevel level) { current_level = level; }

LogLevel log_level() { return current_level.load(std::memory_order_relaxed); }

void set_log_receiver(std::function<void(LogLevel, std::string_view)> function) {
  const std::lock_guard lock(receiver().mutex);
  receiver().function = std::move(function);
}

void log_message(LogLevel level, std::string_view text) {
  if (!log_enabled(level)) return;
  const std::lock_guard lock(receiver().mutex);
  if (receiver().function) {
    receiver().function(level, text);
  } else {
    stderr_logger().log(spdlog_level(level), spdlog::string_view_t(text.data(), text.size()));
  }
}

}  // namespace imago
