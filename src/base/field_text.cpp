#include "base/field_text.h"

#include <fmt/format.h>

#include <cstring>

#include "base/field_access.h"

namespace imago {
namespace {

bool is_scalar(const Field& field) { return field.kind != FieldKind::text && field.kind != FieldKind::list; }

std::string_view wgsl_type(FieldKind kind) {
  switch (kind) {
    case FieldKind::f32: return "f32";
    case FieldKind::i32:
    case FieldKind::choice: return "i32";
    default: return "u32";
  }
}

void append_rows(std::string& table, const std::string& prefix, std::span<const Field> fields, const void* defaults) {
  for (const Field& field : fields) {
    const std::string name = fmt::format("{}{}", prefix, field.name);
    std::string range;
    for (const char c : field_range(field)) {
      if (c == '|') range += '\\';  // a bar would end the cell
      range += c;
    }
    const std::string value = field.kind == FieldKind::list ? "empty" : field_text(field, defaults);
    fmt::format_to(std::back_inserter(table), "| `{}` | {} | {} | {} | {} | {} |\n", name, field.label, range,
                   field.unit, value, field.help);
    if (field.kind == FieldKind::list) append_rows(table, name + "[].", field.list->fields, field.list->default_item());
  }
}

}  // namespace

std::string wgsl_from_fields(std::span<const Field> fields, std::string_view name_prefix) {
  std::string body;
  for (const Field& field : fields) {
    if (!is_scalar(field)) continue;
    fmt::format_to(std::back_inserter(body), "  {}{}: {},\n", name_prefix, field.name, wgsl_type(field.kind));
  }
  return body;
}

void append_words(std::span<const Field> fields, const void* object, std::vector<std::uint32_t>& words) {
  for (const Field& field : fields) {
    if (!is_scalar(field)) continue;
    std::uint32_t word = 0;
    std::memcpy(&word, field_address(field, object), sizeof(word));
    words.push_back(word);
  }
}

std::string markdown_from_fields(std::string_view tool, std::span<const Field> fields, const void* defaults) {
  std::string table =
      "| setting | label | range | unit | default | meaning |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  append_rows(table, fmt::format("{}.", tool), fields, defaults);
  return table;
}

}  // namespace imago
