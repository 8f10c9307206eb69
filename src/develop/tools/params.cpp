#include "develop/tools/params.h"

#include <cstring>

namespace imago::develop {
namespace {

std::string wgsl_member(const Param& param) {
  switch (param.kind) {
    case ParamKind::f32: return "f32";
    case ParamKind::i32: return "i32";
    case ParamKind::u32: return "u32";
    case ParamKind::vec4_array: break;
  }
  return "array<vec4<f32>, " + std::to_string(param.size / 16) + ">";
}

}  // namespace

std::string wgsl_type(std::string_view tool) {
  std::string name;
  bool upper = true;
  for (const char letter : tool) {
    if (letter == '_') {
      upper = true;
    } else {
      name += upper ? static_cast<char>(letter - 'a' + 'A') : letter;
      upper = false;
    }
  }
  return name + "Params";
}

std::string wgsl_struct(std::string_view tool, std::span<const Param> params) {
  std::string text = "struct " + wgsl_type(tool) + " {";
  for (const Param& param : params) {
    text += " ";
    text += param.name;
    text += ": " + wgsl_member(param) + ",";
  }
  return text + " }\n";
}

void append_words(const void* object, std::span<const Param> params, std::vector<std::uint32_t>& words) {
  const Param& last = params.back();
  const std::size_t bytes = last.offset + last.size;
  const std::size_t start = words.size();
  words.resize(start + (bytes + 15) / 16 * 4, 0);
  for (const Param& param : params) {  // member by member: what lies between them is not set
    std::memcpy(words.data() + start + param.offset / 4, static_cast<const std::byte*>(object) + param.offset,
                param.size);
  }
}

}  // namespace imago::develop
