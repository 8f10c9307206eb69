// What Lightroom and Camera Raw wrote: the `crs:` properties of an XMP file (sidecar or preset), as text.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace imago::io {

struct CrsData {
  // Property name without "crs:" -> value. Attributes and elements alike; what lies inside a structure (crs:Look,
  // masks) is not among them.
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<std::string>> lists;  // tone curves: "0, 0" …
  std::vector<std::string> structures;                    // names of structures left out
  std::string look_name;                                  // crs:Look, "" when none
  bool look_is_gray = false;                              // its parameters ask for black and white
  std::string name;                                       // of a preset
  int orientation = 1;                                    // tiff:Orientation
  int width = 0, height = 0;                              // of the picture as stored; 0: the file does not say
};

// Throws Error{input} for what is no XMP, or larger than 32 MiB. A file without crs: gives empty maps.
CrsData read_crs(const std::filesystem::path& path);

}  // namespace imago::io
