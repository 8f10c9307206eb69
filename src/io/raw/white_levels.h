// Saturation levels of cameras whose files name none, or a wrong one.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace imago::io {

// Codes at which R, G, B saturate. White is that of green, for all channels: a white level a channel would move the
// white balance, and green is the channel with the smallest gain.
struct SaturationLevels {
  std::array<float, 3> codes{};
};

// By LibRaw's normalised names and the ISO of the picture. `is_dng`: the file states its own white level, so that only
// what is known to be stated wrongly is corrected. Empty when the file is to be believed.
std::optional<SaturationLevels> known_saturation(std::string_view make, std::string_view model, double iso,
                                                 bool is_dng);

}  // namespace imago::io
