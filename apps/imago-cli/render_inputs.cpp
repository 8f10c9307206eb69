#include "render_inputs.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "base/error.h"
#include "base/path_text.h"

namespace imago {
namespace {

namespace fs = std::filesystem;

bool is_photo(const fs::path& path) {
  constexpr std::array<std::string_view, 47> extensions = {
      ".3fr", ".ari", ".arw", ".avif", ".bay",  ".cap", ".cr2",  ".cr3",  ".crw",  ".dcr", ".dcs", ".dng",
      ".erf", ".fff", ".gpr", ".heic", ".heif", ".hif", ".iiq",  ".jpe",  ".jpeg", ".jpg", ".jxl", ".k25",
      ".kdc", ".mef", ".mos", ".mrw",  ".nef",  ".nrw", ".orf",  ".ori",  ".pef",  ".png", ".raf", ".raw",
      ".rw2", ".rwl", ".sr2", ".srf",  ".srw",  ".tif", ".tiff", ".webp", ".x3f",  ".rwz", ".mdc"};
  std::string extension = utf8(path.extension());
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return std::ranges::find(extensions, extension) != extensions.end();
}

bool is_hidden(const fs::path& path) { return utf8(path.filename()).starts_with('.'); }

void add_folder(const fs::path& folder, const fs::path& output, std::vector<RenderInput>& inputs) {
  std::error_code error;
  std::vector<RenderInput> found;
  auto at = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
  if (error) throw Error(ErrorKind::input, utf8(folder) + ": " + error.message());
  for (; at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (error) throw Error(ErrorKind::input, utf8(folder) + ": " + error.message());
    std::error_code ignored;
    if (at->is_directory(ignored) && (is_hidden(at->path()) || fs::equivalent(at->path(), output, ignored))) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file(ignored) && is_photo(at->path()) && !is_hidden(at->path())) {
      found.push_back({at->path(), at->path().parent_path().lexically_relative(folder)});
    }
  }
  std::ranges::sort(found, {}, &RenderInput::path);
  inputs.insert(inputs.end(), found.begin(), found.end());
}

std::vector<std::string> names_in(std::istream& list) {
  const std::string text{std::istreambuf_iterator<char>(list), std::istreambuf_iterator<char>()};
  const char end = text.find('\0') == std::string::npos ? '\n' : '\0';
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = std::min(text.find(end, at), text.size());
    std::string name = text.substr(at, stop - at);
    if (end == '\n' && name.ends_with('\r')) name.pop_back();
    if (!name.empty()) names.push_back(std::move(name));
    at = stop + 1;
  }
  return names;
}

}  // namespace

std::vector<RenderInput> render_inputs(const std::vector<std::string>& names, bool recursive, const fs::path& output,
                                       std::istream& list) {
  std::vector<RenderInput> inputs;
  const auto add = [&](const std::string& name) {
    const fs::path path = path_from_utf8(name);
    std::error_code ignored;
    if (recursive && fs::is_directory(path, ignored)) return add_folder(path, output, inputs);
    inputs.push_back({path, {}});
  };
  for (const std::string& name : names) {
    if (name != "-") {
      add(name);
      continue;
    }
    for (const std::string& listed : names_in(list)) add(listed);
  }
  if (inputs.empty()) throw Error(ErrorKind::input, "no photos: the folders and lists that were named hold none");
  return inputs;
}

}  // namespace imago
