// The derived numbers of a tool as the GPU sees them: a plain struct and a constexpr table of its members, from which
// WGSL text and uniform words are made. A member's name is typed once, in the struct.
//
//   struct ExposureParams { std::uint32_t enabled = 0; float gain = 1; };
//   inline constexpr Param exposure_params[] = {IMAGO_PARAM(ExposureParams, enabled), IMAGO_PARAM(ExposureParams,
//   gain)}; static_assert(covers<ExposureParams>(exposure_params));
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace imago::develop {

enum class ParamKind : std::uint8_t { f32, i32, u32, vec4_array };

struct Param {
  std::string_view name;
  ParamKind kind;
  std::size_t offset;
  std::size_t size;  // in bytes
};

template <typename Member>
constexpr ParamKind param_kind() {
  if constexpr (std::is_same_v<Member, float>) return ParamKind::f32;
  if constexpr (std::is_same_v<Member, std::int32_t>) return ParamKind::i32;
  if constexpr (std::is_same_v<Member, std::uint32_t>) return ParamKind::u32;
  if constexpr (std::is_array_v<Member>) {  // alignas(16) float[4 * n]: WGSL's array<vec4<f32>, n>
    static_assert(std::is_same_v<std::remove_extent_t<Member>, float> && std::extent_v<Member> % 4 == 0);
    return ParamKind::vec4_array;
  }
}

#define IMAGO_PARAM(Struct, member)                                                                \
  ::imago::develop::Param {                                                                        \
#member, ::imago::develop::param_kind < decltype(Struct::member)>(), offsetof(Struct, member), \
        sizeof(Struct::member)                                                                     \
  }

// True when the table names every member once, in order, and the struct lies in memory as WGSL lays it out.
template <typename Struct>
constexpr bool covers(std::span<const Param> params) {
  std::size_t at = 0;
  for (const Param& param : params) {
    const std::size_t alignment = param.kind == ParamKind::vec4_array ? 16 : 4;
    at = (at + alignment - 1) / alignment * alignment;
    if (param.offset != at) return false;
    at += param.size;
  }
  return (at + alignof(Struct) - 1) / alignof(Struct) * alignof(Struct) == sizeof(Struct);
}

// "struct ExposureParams { enabled: u32, gain: f32, }\n" for the name "exposure".
std::string wgsl_struct(std::string_view tool, std::span<const Param> params);

// "ExposureParams" for "exposure", "MaskExposureParams" for "mask_exposure".
std::string wgsl_type(std::string_view tool);

// Appends the struct's words, padded to 16 bytes: where the next struct of a uniform starts.
void append_words(const void* object, std::span<const Param> params, std::vector<std::uint32_t>& words);

}  // namespace imago::develop
