#include "io/raw/white_levels.h"

#include <algorithm>

namespace imago::io {
namespace {

struct Entry {
  std::string_view make, model;
  double iso_from, iso_to;  // inclusive
  std::array<float, 3> codes;
  bool dng_too = false;
};

// The first entry that fits counts. Values from public reports, which stand beside them.
constexpr Entry entries[] = {
    // GoPro names 16383 for all; in its DNGs green and blue pile up below (measured on the files themselves).
    {"GoPro", "HERO6 Black", 0, 1e9, {16340, 15530, 15030}, true},
    {"GoPro", "FUSION", 0, 1e9, {16340, 15530, 15530}, true},
    // Canon lowers saturation at the ISO speeds in between (darktable #15636, #13320, #6548; rawspeed #969, #570, #375;
    // RawTherapee #1679).
    {"Canon", "EOS 77D", 0, 125, {11892, 11892, 11892}},
    {"Canon", "EOS 77D", 160, 160, {10755, 10755, 10755}},
    {"Canon", "EOS 77D", 320, 320, {10755, 10755, 10755}},
    {"Canon", "EOS 77D", 640, 640, {10755, 10755, 10755}},
    {"Canon", "EOS 77D", 1250, 1250, {10755, 10755, 10755}},
    {"Canon", "EOS 77D", 2500, 2500, {10755, 10755, 10755}},
    {"Canon", "EOS 77D", 5000, 5000, {10755, 10755, 10755}},
    {"Canon", "EOS 77D", 0, 1e9, {14338, 14338, 14338}},
    {"Canon", "EOS 5D Mark II", 320, 320, {12965, 12965, 12965}},
    {"Canon", "EOS 5D Mark III", 160, 160, {11388, 11388, 11388}},
    {"Canon", "EOS 6D", 2500, 2500, {13000, 13000, 13000}},
    {"Canon", "EOS 7D", 250, 250, {15200, 15200, 15200}},
    {"Canon", "EOS 550D", 0, 199, {13583, 13583, 13583}},
    {"Canon", "EOS Kiss X4", 0, 199, {13583, 13583, 13583}},
    {"Canon", "EOS Rebel T2i", 0, 199, {13583, 13583, 13583}},
    {"Canon", "EOS-1DS", 0, 50, {3500, 3500, 3500}},
    {"Canon", "EOS-1DS", 0, 1e9, {3611, 3611, 3611}},
    // Red and blue are multiplied in the camera: they saturate above green (RawTherapee #4524).
    {"Nikon", "D800", 0, 1e9, {16300, 15700, 16300}},
    {"Nikon", "D800E", 0, 1e9, {16300, 15700, 16300}},
    {"Sony", "ILCE-7RM5", 0, 1e9, {15360, 15360, 15360}},  // RawTherapee #7555
    {"Pentax", "K-x", 0, 1e9, {4094, 4094, 4094}},         // RawTherapee #3235
};

}  // namespace

std::optional<SaturationLevels> known_saturation(std::string_view make, std::string_view model, double iso,
                                                 bool is_dng) {
  const auto* found = std::ranges::find_if(entries, [&](const Entry& entry) {
    return entry.make == make && entry.model == model && iso >= entry.iso_from && iso <= entry.iso_to &&
           (entry.dng_too || !is_dng);
  });
  if (found == std::end(entries)) return std::nullopt;
  return SaturationLevels{found->codes};
}

}  // namespace imago::io
