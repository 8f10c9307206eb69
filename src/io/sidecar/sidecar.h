// `<file name>.xmp` beside the photo: our settings in the `imago:` namespace, rating, label and keywords where every
// program looks for them. Whatever other programs wrote survives.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace imago::io {

struct Sidecar {
  int process_version = 0;                 // 0: no settings of ours
  std::string settings = {};               // JSON, sparse against the defaults of its process version; "" when none
  std::optional<int> rating = {};          // xmp:Rating, -1 rejected, 0…5
  std::string label = {};                  // xmp:Label
  std::vector<std::string> keywords = {};  // dc:subject, in order
  std::vector<std::string> warnings = {};  // filled by reading
};

std::filesystem::path sidecar_path(const std::filesystem::path& photo);

// Empty when there is no sidecar. One that cannot be parsed is renamed to `….xmp.broken-N`; the result is then empty
// apart from a warning that names it. Throws Error{input} when an existing file cannot be read.
std::optional<Sidecar> read_sidecar(const std::filesystem::path& photo);

// Merges into the file that is there: our properties, rating, label and keywords are replaced, all else stays. An
// unparsable one is kept aside as above. Atomic; throws Error{io}. Returns warnings.
std::vector<std::string> write_sidecar(const std::filesystem::path& photo, const Sidecar& sidecar);

}  // namespace imago::io
