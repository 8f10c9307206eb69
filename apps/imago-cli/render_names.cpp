#include "render_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/path_text.h"
#include "io/image_file.h"
#include "io/metadata/metadata.h"
#include "io/raw/read_raw.h"

namespace imago {
namespace {

namespace fs = std::filesystem;

// A fact as a part of one file name.
std::string as_name(std::string text) {
  for (char& c : text) {
    const bool bad = static_cast<unsigned char>(c) < 32 || std::string_view("/\\:*?\"<>|").find(c) != std::string::npos;
    if (bad) c = '-';
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text.empty() ? "unknown" : text;
}

struct Facts {
  const fs::path* photo;  // null: to check a template
  std::optional<io::RawInfo> info = {};

  const io::RawInfo& read() {
    if (info) return *info;
    info.emplace();
    if (photo == nullptr) return *info;
    try {
      *info = io::sniff(*photo) == io::InputKind::raw ? io::probe_info(*photo) : io::read_photo_info(*photo);
    } catch (const Error&) {
      // what is wrong with the photo is told when it is rendered
    }
    return *info;
  }
  // "2024-05-31 14:03:07" from `first` on.
  std::string time(std::size_t first, std::size_t count) {
    const std::string& text = read().time;
    return text.size() < first + count ? std::string() : text.substr(first, count);
  }
};

std::optional<std::string> value_of(std::string_view word, Facts& facts, std::size_t index) {
  const fs::path none;
  const fs::path& photo = facts.photo == nullptr ? none : *facts.photo;
  if (word == "name") return utf8(photo.stem());
  if (word == "ext") {
    const std::string extension = utf8(photo.extension());
    return extension.empty() ? extension : extension.substr(1);
  }
  if (word == "folder") return as_name(photo.empty() ? "" : utf8(fs::absolute(photo).parent_path().filename()));
  if (word == "date") return as_name(facts.time(0, 10));
  if (word == "time") {
    std::string time = facts.time(11, 8);
    std::erase(time, ':');
    return as_name(time);
  }
  if (word == "year") return as_name(facts.time(0, 4));
  if (word == "month") return as_name(facts.time(5, 2));
  if (word == "day") return as_name(facts.time(8, 2));
  if (word == "camera") return as_name(facts.read().model);
  if (word == "lens") return as_name(facts.read().lens);
  if (word == "iso") return facts.read().iso > 0 ? fmt::format("{:.0f}", facts.read().iso) : "unknown";
  if (word == "index") return std::to_string(index);
  if (word.starts_with("index:")) {
    int digits = 0;
    const auto [end, error] = std::from_chars(word.data() + 6, word.data() + word.size(), digits);
    if (error == std::errc() && end == word.data() + word.size() && digits >= 1 && digits <= 9)
      return fmt::format("{:0{}}", index, digits);
  }
  return std::nullopt;
}

std::string expanded(std::string_view text, Facts facts, std::size_t index) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage, fmt::format("--name {}: {}", text, why));
  };
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if ((c == '{' || c == '}') && at + 1 < text.size() && text[at + 1] == c) {
      out += c;
      ++at;
    } else if (c == '}') {
      refuse("a } without its {");
    } else if (c == '{') {
      const std::size_t end = text.find('}', at);
      if (end == std::string_view::npos) refuse("a { without its }");
      const std::string_view word = text.substr(at + 1, end - at - 1);
      const auto value = value_of(word, facts, index);
      if (!value) refuse(fmt::format("{{{}}} is not known (see --help)", word));
      out += *value;
      at = end;
    } else {
      out += c;
    }
  }
  if (out.empty()) refuse("gives no name");
  const fs::path path = path_from_utf8(out);
  const bool leaves = path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end();
  if (leaves) refuse("leaves the output folder");
  return out;
}

}  // namespace

std::string output_name(std::string_view name_template, const fs::path& photo, std::size_t index) {
  return expanded(name_template, {&photo}, index);
}

void check_name_template(std::string_view name_template) {
  Facts facts{nullptr};
  std::string probe;
  expanded(std::string(name_template) + "x", facts, 1);  // "x": {name} of no photo is empty
}

}  // namespace imago
