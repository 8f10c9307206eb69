// The program's log, on stderr. Silent until an app calls start_log, so that the library never prints by itself.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace imago {

enum class LogLevel { off, error, warn, info, debug, trace };

// "off", "error", "warn", "info", "debug", "trace"; nothing for any other text.
std::optional<LogLevel> log_level_from_text(std::string_view text);

// Level asked for by RUST_LOG: a bare level, or the last "=level" of a list such as "wgpu=error,imago=debug". Nothing
// when unset or not understood.
std::optional<LogLevel> log_level_from_environment();

// Turns the log on. `flag` is the value of --log-level, "" when it was not given (then RUST_LOG, then `otherwise`
// count). Throws Error{usage} for an unknown level.
void start_log(std::string_view flag = "", LogLevel otherwise = LogLevel::info);

void set_log_level(LogLevel level);
LogLevel log_level();
inline bool log_enabled(LogLevel level) { return level != LogLevel::off && level <= log_level(); }

// Takes messages instead of stderr (a UI's message panel, tests); an empty function gives them back to stderr. Called
// from any thread, one message at a time.
void set_log_receiver(std::function<void(LogLevel, std::string_view)> receiver);

void log_message(LogLevel level, std::string_view text);

// log_warn("{} has no lens profile", path): formatted only when the level is on.
template <typename... Args>
void log_at(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (log_enabled(level)) log_message(level, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::error, format, std::forward<Args>(args)...);
}
template <typename... Args>
void log_warn(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::warn, format, std::forward<Args>(args)...);
}
template <typename... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::info, format, std::forward<Args>(args)...);
}
template <typename... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::debug, format, std::forward<Args>(args)...);
}
template <typename... Args>
void log_trace(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::trace, format, std::forward<Args>(args)...);
}

}  // namespace imago
