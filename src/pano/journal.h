// Lines of JSON that survive a killed process: appended one by one, a torn last line is left out when they are read
// again. The file is locked while it is open, so that two processes do not work on one stage.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace imago::pano {

class Journal {
 public:
  // Opens or creates it and reads its lines. Throws Error{io} when that cannot be, or when another process holds it.
  explicit Journal(std::filesystem::path path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::vector<nlohmann::json>& lines() const { return lines_; }
  void append(const nlohmann::json& line);  // throws Error{io}
  void clear();                             // throws Error{io}
  void remove();                            // deletes the file

 private:
  std::filesystem::path path_;
  std::vector<nlohmann::json> lines_;
  int file_ = -1;
};

}  // namespace imago::pano
