// ICC profiles through Little CMS: bytes for our outputs, and what foreign profiles of finished pictures mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "color/matrix.h"
#include "color/transfer.h"

namespace imago::color {

// A matrix profile of version 4 for an output, the same bytes on every run. `description` is what programs show
// ("Display P3"). Throws Error{internal} when Little CMS refuses.
std::vector<std::byte> icc_profile(const Primaries& primaries, Transfer transfer, const std::string& description);

// Linear Rec.2020 from the pixels of a finished picture with an embedded profile. Matrix and gray profiles are read
// into tables and one matrix; table profiles (LUTs) go through Little CMS in floats, relative colorimetric, without
// clipping. Integer samples mean 0 … 1; no profile, or one that cannot be used, means sRGB (for float samples: linear
// light with sRGB primaries).
class WorkingFromPicture {
 public:
  explicit WorkingFromPicture(std::span<const std::byte> icc);
  ~WorkingFromPicture();
  WorkingFromPicture(WorkingFromPicture&&) noexcept;
  WorkingFromPicture& operator=(WorkingFromPicture&&) noexcept;

  // `count` interleaved RGB pixels; any thread. Non-finite floats come out as 0.
  void convert(const std::uint8_t* rgb, float* working, std::size_t count) const;
  void convert(const std::uint16_t* rgb, float* working, std::size_t count) const;
  void convert(const float* rgb, float* working, std::size_t count) const;

  const std::string& description() const;  // the profile's name; "sRGB" without one
  const std::string& warning() const;      // why the embedded profile was not used, "" when it was or there is none

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::color
