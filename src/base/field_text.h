// Texts made from Field tables: WGSL parameters and documentation.
#pragma once

#include "base/field.h"

namespace imago {

// Lines of a WGSL struct body for the scalar members, in the table's order: "  tone_shadows: f32,\n". Choices are i32,
// flags u32; texts and lists are left out (their plan makes a table of them).
std::string wgsl_from_fields(std::span<const Field> fields, std::string_view name_prefix = "");

// Appends the words that go with it: bit patterns, the same members in the same order.
void append_words(std::span<const Field> fields, const void* object, std::vector<std::uint32_t>& words);

// A markdown table (setting, label, range, unit, default, meaning) of one tool; list items follow in their own rows
// as "masks.list[].kind". `defaults` is a default-constructed struct.
std::string markdown_from_fields(std::string_view tool, std::span<const Field> fields, const void* defaults);

}  // namespace imago
