// Which photos `imago-cli render` is asked for: files, a list on standard input, folders.
#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <vector>

namespace imago {

struct RenderInput {
  std::filesystem::path path;
  std::filesystem::path folder;  // below the folder that was named, for the same folders in the output; else empty
};

// "-" stands for the names in `list`, one a line, or ended by zero bytes where there are any. With `recursive` a folder
// stands for the photos in it and below (by extension, hidden ones left out, sorted); `output` and what lies in it are
// left out. Throws Error{input} when there is nothing.
std::vector<RenderInput> render_inputs(const std::vector<std::string>& names, bool recursive,
                                       const std::filesystem::path& output, std::istream& list);

}  // namespace imago
