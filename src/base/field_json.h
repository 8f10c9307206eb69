// Structs as JSON objects, by the names of their Field table: settings files, sidecars, commands.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "base/field.h"

namespace imago {

// All members. Floats are written as the shortest number that reads back to the same float.
nlohmann::json json_from_fields(std::span<const Field> fields, const void* object);

// Only the members that differ from those of `defaults` (lists as a whole). An empty object when none does.
nlohmann::json json_from_changed_fields(std::span<const Field> fields, const void* object, const void* defaults);

nlohmann::json json_from_field(const Field& field, const void* object);

// Reads the members that the document names; others keep their value (items of lists start from their defaults). Keys
// that no Field has are appended to `unknown_keys` as "exposure.foo" and otherwise ignored. `path_prefix` ("exposure.")
// goes in front of names in messages. Throws Error{kind} when a value has the wrong type, is out of range or a list is
// too long: "exposure.ev = 99 is outside -5..5". Members read before the bad one are then already set.
void fields_from_json(std::span<const Field> fields, void* object, const nlohmann::json& document,
                      std::string_view path_prefix, std::vector<std::string>& unknown_keys,
                      ErrorKind kind = ErrorKind::input);

}  // namespace imago
