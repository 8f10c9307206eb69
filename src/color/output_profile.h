// Finished pictures in the space of any RGB profile, through Little CMS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace imago::color {

// ICC.1's rendering intents, by their numbers.
enum class RenderingIntent : std::uint8_t { perceptual, relative, saturation, absolute };

class OutputProfile {
 public:
  // `icc`: the whole profile; `name` is for messages. Throws Error{usage} for what is no profile, none of RGB, or none
  // that a picture can be brought into.
  OutputProfile(std::span<const std::byte> icc, RenderingIntent intent, bool black_point_compensation,
                const std::string& name);
  ~OutputProfile();
  OutputProfile(OutputProfile&&) noexcept;
  OutputProfile& operator=(OutputProfile&&) noexcept;

  // `count` interleaved pixels of Rec.2020 (D65) encoded by Rec.709's curve, 0 … 1, to the profile's encoded RGB,
  // 0 … 1 and finite. In place too; any thread.
  void convert(const float* rec2020, float* device, std::size_t count) const;

  const std::string& description() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::color
