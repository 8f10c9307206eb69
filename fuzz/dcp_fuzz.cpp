// Bytes as a camera profile, and its colours on a raw.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "base/error.h"
#include "color/dng_color.h"
#include "develop/tools/look_table/look_table.h"
#include "develop/tools/profile_tone/profile_tone.h"
#include "io/raw/camera_profile.h"
#include "io/raw/white_balance.h"

using namespace imago;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const io::CameraProfileFile profile = io::read_dcp(std::as_bytes(std::span(data, size)), "fuzz");
    io::RawImage raw;
    raw.neutral = {0.5, 1, 0.6};
    io::use_profile(profile, raw);
    std::vector<float> table;
    const develop::LookTableParams look = develop::derive_look_table(raw.look.look_table, table);
    const develop::ProfileToneParams tone = develop::derive_profile_tone(raw.look.tone_curve, table);
    const develop::Pixel at{.curve_table = table.data()};
    for (const color::Rgb v : {color::Rgb{0.2f, 0.1f, 0.7f}, {-0.1f, 3, 0.5f}, {0, 0, 0}, {1, 1, 1}}) {
      color::Rgb out = v;
      if (look.enabled != 0) out = develop::look_table(look, out, at);
      if (tone.enabled != 0) out = develop::profile_tone(tone, out, at);
      if (!std::isfinite(out.r) || !std::isfinite(out.g) || !std::isfinite(out.b)) std::abort();
    }
    const color::CameraColor camera =
        color::camera_color_from_neutral(io::camera_profile_of(raw), {raw.neutral[0], raw.neutral[1], raw.neutral[2]});
    for (const double v : camera.working_from_balanced.m) {
      if (!std::isfinite(v)) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
