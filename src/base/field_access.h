// Reading and writing members through their Field: numbers and text, equality, hashes, random values.
#pragma once

#include <optional>

#include "base/error.h"
#include "base/field.h"
#include "base/hash.h"

namespace imago {

// The Field of that name, or null.
const Field* find_field(std::span<const Field> fields, std::string_view name);

// Address of a member. `object` points to the struct that the table describes.
inline void* field_address(const Field& field, void* object) { return static_cast<char*>(object) + field.offset; }
inline const void* field_address(const Field& field, const void* object) {
  return static_cast<const char*>(object) + field.offset;
}

// Value of a member that is not a text or a list (choices as their index, flags as 0 and 1).
double field_number(const Field& field, const void* object);

// Sets it. Throws Error{kind} "exposure.ev = 99 is outside -5..5" when it does not fit; `path` is the name to show.
void set_field_number(const Field& field, void* object, double value, std::string_view path,
                      ErrorKind kind = ErrorKind::usage);

// Value as text, in the form that set_field reads: shortest number that gives the same float, choice by name,
// true/false, lists as JSON.
std::string field_text(const Field& field, const void* object);

// Sets member `name` from text. Numbers in C notation whatever the locale; flags true, false, 1, 0; lists take JSON
// text. `path_prefix` goes in front of the name in messages ("exposure." -> "exposure.ev = …"). Throws Error{kind} for
// an unknown name, a malformed value and a value out of range; the object is then unchanged.
void set_field(std::span<const Field> fields, void* object, std::string_view name, std::string_view value,
               std::string_view path_prefix = "", ErrorKind kind = ErrorKind::usage);

// "exposure.ev=0.7" split in three. Throws Error{usage} when it has another form.
struct Assignment {
  std::string_view tool;
  std::string_view field;
  std::string_view value;
};
Assignment parse_assignment(std::string_view text);

bool field_equal(const Field& field, const void* a, const void* b);  // -0 equals 0, NaN equals NaN
bool fields_equal(std::span<const Field> fields, const void* a, const void* b);

void copy_field(const Field& field, void* to, const void* from);

// Adds the values, in the table's order, to a key.
void hash_fields(Hash64& hash, std::span<const Field> fields, const void* object);

// Fills a struct with values in range; ends, zero and present values come up often, lists get up to four items. Texts
// stay as they are. The same seed gives the same struct everywhere.
void random_fields(std::span<const Field> fields, void* object, std::uint64_t seed);

// "-5..5", "opposed | clip", "true | false", "up to 64 items".
std::string field_range(const Field& field);

}  // namespace imago
