// Crash sentinel: a driver can end the process where nothing catches it. Whoever arms it leaves a file in the settings
// folder while the process is inside the driver; the next start that finds the file keeps the GPU off and says why.
//
// The desktop app arms it and clears what it finds; command line tools and sessions that write nothing only read.
// `folder` is settings_folder(): without one (IMAGO_NO_PREFS) every function does nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace imago::gpu {

inline constexpr const char* init_marker_name = "gpu-init.marker";  // inside device creation or a kernel's build
inline constexpr const char* lost_marker_name = "gpu-lost.marker";  // stopped because the device was lost

using MarkerFolder = std::optional<std::filesystem::path>;

// Why an earlier run died in the driver, in one line with what to do, or "".
std::string earlier_crash(const MarkerFolder& folder);

// Removes both markers: the notice has been shown and the preference saved.
void clear_markers(const MarkerFolder& folder);

// From now on gpu-init.marker stands there whenever the driver makes the device or builds a kernel. Calling it again
// (the user turned the GPU on once more) is harmless. A folder that cannot be written is no error: there is no
// sentinel.
void arm_sentinel(const MarkerFolder& folder);

// The hook that arm_sentinel sets.
std::function<void(bool entering)> driver_entry_marker(const std::filesystem::path& folder);

// To be called when the program stops because its window's device was lost.
void record_device_lost(const MarkerFolder& folder, const std::string& why);

}  // namespace imago::gpu
