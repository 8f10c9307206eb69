#include "pano/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "base/error.h"
#include "base/path_text.h"

namespace imago::pano {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error_number) {
  throw Error(ErrorKind::io,
              fmt::format("cannot write {}: {}", utf8(path), std::generic_category().message(error_number)));
}

// Every whole line; what does not parse (torn by a kill) is left out.
std::vector<nlohmann::json> parsed_lines(const std::string& text) {
  std::vector<nlohmann::json> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;
    nlohmann::json line = nlohmann::json::parse(text.substr(at, end - at), nullptr, false);
    if (line.is_object()) lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

}  // namespace

Journal::Journal(std::filesystem::path path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path_, errno);
  // Any other error: a file system without locks.
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file_);
    throw Error(ErrorKind::io,
                fmt::format("{}: another pipeline_360 is at work on this stage (give each its own --shard)",
                            utf8(path_.parent_path())));
  }
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(file_, buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  lines_ = parsed_lines(text);
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

void Journal::append(const nlohmann::json& line) {
  const std::string text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(file_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_, errno);
    written += static_cast<std::size_t>(count);
  }
}

void Journal::clear() {
  if (::ftruncate(file_, 0) != 0) fail(path_, errno);
}

void Journal::remove() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace imago::pano
