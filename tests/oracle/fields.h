// Parameter structs made from their Field tables: each field at its ends, and random ones.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/field_access.h"

namespace imago::oracle {

template <typename Struct>
std::vector<std::pair<std::string, Struct>> field_variants(std::span<const Field> fields, int random_count) {
  std::vector<std::pair<std::string, Struct>> out;
  for (const Field& field : fields) {
    if (field.kind == FieldKind::text || field.kind == FieldKind::list) continue;  // random ones fill lists
    for (const double value : {field.min, field.max}) {
      Struct variant;
      set_field_number(field, &variant, value, field.name);
      out.emplace_back(fmt::format("{}={}", field.name, value), std::move(variant));
    }
  }
  for (int seed = 1; seed <= random_count; ++seed) {
    Struct variant;
    random_fields(fields, &variant, static_cast<std::uint64_t>(seed));
    out.emplace_back(fmt::format("random={}", seed), std::move(variant));
  }
  return out;
}

}  // namespace imago::oracle
