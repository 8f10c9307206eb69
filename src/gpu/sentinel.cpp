#include "gpu/sentinel.h"

#include <fstream>
#include <system_error>

#include "base/path_text.h"
#include "gpu/gpu.h"

namespace imago::gpu {
namespace {

bool stands(const std::filesystem::path& marker) {
  std::error_code ignored;
  return std::filesystem::exists(marker, ignored);
}

// Not atomic and not synced: it has to outlive the process, not the machine, and must cost next to nothing.
void put(const std::filesystem::path& marker, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(marker.parent_path(), ignored);
  std::ofstream(marker, std::ios::trunc) << text << '\n';
}

void take_away(const std::filesystem::path& marker) {
  std::error_code ignored;
  std::filesystem::remove(marker, ignored);
}

}  // namespace

std::string earlier_crash(const MarkerFolder& folder) {
  if (!folder) return "";
  const auto line = [&](const std::string& what, const std::filesystem::path& marker) {
    return what + ": the GPU is left alone until it is turned on again in Imago's settings or " + utf8(marker) +
           " is deleted";
  };
  const std::filesystem::path init = *folder / init_marker_name;
  const std::filesystem::path lost = *folder / lost_marker_name;
  if (stands(init)) return line("an earlier start ended inside the GPU's driver", init);
  if (stands(lost)) return line("Imago stopped earlier because the GPU was lost", lost);
  return "";
}

void clear_markers(const MarkerFolder& folder) {
  if (!folder) return;
  take_away(*folder / init_marker_name);
  take_away(*folder / lost_marker_name);
}

std::function<void(bool)> driver_entry_marker(const std::filesystem::path& folder) {
  return [marker = folder / init_marker_name](bool entering) {
    if (entering) {
      put(marker, "inside the GPU's driver");
    } else {
      take_away(marker);
    }
  };
}

void arm_sentinel(const MarkerFolder& folder) {
  if (folder) set_driver_entry_hook(driver_entry_marker(*folder));
}

void record_device_lost(const MarkerFolder& folder, const std::string& why) {
  if (folder) put(*folder / lost_marker_name, why);
}

}  // namespace imago::gpu
