#include "base/field_access.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/field_json.h"

namespace imago {
namespace {

template <typename T>
T read_as(const void* address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

template <typename T>
void write_as(void* address, T value) {
  std::memcpy(address, &value, sizeof(T));
}

std::string joined(std::span<const std::string_view> words, std::string_view between) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), between));
}

[[noreturn]] void bad_value(ErrorKind kind, std::string_view path, std::string_view value, std::string_view what) {
  throw Error(kind, fmt::format("{} = {} {}", path, value, what));
}

void set_flag_from_text(const Field& field, void* object, std::string_view value, std::string_view path,
                        ErrorKind kind) {
  const bool on = value == "true" || value == "1";
  if (!on && value != "false" && value != "0") bad_value(kind, path, value, "is not true or false");
  write_as(field_address(field, object), std::uint32_t{on ? 1u : 0u});
}

void set_choice_from_text(const Field& field, void* object, std::string_view value, std::string_view path,
                          ErrorKind kind) {
  for (std::size_t i = 0; i < field.choices.size(); ++i) {
    if (field.choices[i] == value) {
      write_as(field_address(field, object), static_cast<std::int32_t>(i));
      return;
    }
  }
  bad_value(kind, path, value, "is not one of " + joined(field.choices, ", "));
}

void set_list_from_text(const Field& field, void* object, std::string_view value, std::string_view path_prefix,
                        ErrorKind kind) {
  const nlohmann::json document = nlohmann::json::parse(value, nullptr, false);
  const std::string path = fmt::format("{}{}", path_prefix, field.name);
  if (document.is_discarded()) throw Error(kind, path + " is not valid JSON");
  const std::string key(field.name);
  const nlohmann::json before = json_from_field(field, object);
  std::vector<std::string> unknown;
  try {
    fields_from_json({&field, 1}, object, {{key, document}}, path_prefix, unknown, kind);
    if (!unknown.empty()) throw Error(kind, fmt::format("unknown setting {}", unknown.front()));
  } catch (const Error&) {
    fields_from_json({&field, 1}, object, {{key, before}}, path_prefix, unknown, kind);
    throw;
  }
}

}  // namespace

const Field* find_field(std::span<const Field> fields, std::string_view name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

double field_number(const Field& field, const void* object) {
  const void* address = field_address(field, object);
  switch (field.kind) {
    case FieldKind::f32: return static_cast<double>(read_as<float>(address));
    case FieldKind::i32:
    case FieldKind::choice: return read_as<std::int32_t>(address);
    default: return read_as<std::uint32_t>(address);
  }
}

void set_field_number(const Field& field, void* object, double value, std::string_view path, ErrorKind kind) {
  const bool has_choices = field.kind == FieldKind::choice && !field.choices.empty();
  const double min = field.kind == FieldKind::flag ? 0 : field.min;
  const double max = field.kind == FieldKind::flag ? 1
                     : has_choices                 ? static_cast<double>(field.choices.size() - 1)
                                                   : field.max;
  // A float that was rounded up from the limit is the limit.
  const bool inside = (value >= min && value <= max) ||
                      (field.kind == FieldKind::f32 && (static_cast<float>(value) == static_cast<float>(min) ||
                                                        static_cast<float>(value) == static_cast<float>(max)));
  if (!inside) bad_value(kind, path, fmt::format("{}", value), fmt::format("is outside {}..{}", min, max));
  void* address = field_address(field, object);
  if (field.kind == FieldKind::f32) {
    write_as(address, static_cast<float>(value));
    return;
  }
  if (value != std::floor(value)) bad_value(kind, path, fmt::format("{}", value), "is not a whole number");
  if (field.kind == FieldKind::i32 || field.kind == FieldKind::choice) {
    write_as(address, static_cast<std::int32_t>(value));
  } else {
    write_as(address, static_cast<std::uint32_t>(value));
  }
}

std::string field_text(const Field& field, const void* object) {
  const void* address = field_address(field, object);
  switch (field.kind) {
    case FieldKind::f32: return fmt::format("{}", read_as<float>(address));
    case FieldKind::i32: return fmt::format("{}", read_as<std::int32_t>(address));
    case FieldKind::u32: return fmt::format("{}", read_as<std::uint32_t>(address));
    case FieldKind::flag: return read_as<std::uint32_t>(address) != 0 ? "true" : "false";
    case FieldKind::text: return *static_cast<const std::string*>(address);
    case FieldKind::list: return json_from_field(field, object).dump();
    case FieldKind::choice: break;
  }
  const std::int32_t index = read_as<std::int32_t>(address);
  if (index < 0 || static_cast<std::size_t>(index) >= field.choices.size()) return fmt::format("{}", index);
  return std::string(field.choices[static_cast<std::size_t>(index)]);
}

void set_field(std::span<const Field> fields, void* object, std::string_view name, std::string_view value,
               std::string_view path_prefix, ErrorKind kind) {
  const std::string path = fmt::format("{}{}", path_prefix, name);
  const Field* field = find_field(fields, name);
  if (field == nullptr) {
    std::vector<std::string_view> names;
    for (const Field& known : fields) names.push_back(known.name);
    throw Error(kind, fmt::format("unknown setting {} (known: {})", path, joined(names, ", ")));
  }
  switch (field->kind) {
    case FieldKind::flag: return set_flag_from_text(*field, object, value, path, kind);
    case FieldKind::choice: return set_choice_from_text(*field, object, value, path, kind);
    case FieldKind::list: return set_list_from_text(*field, object, value, path_prefix, kind);
    case FieldKind::text: *static_cast<std::string*>(field_address(*field, object)) = value; return;
    default: break;
  }
  double number = 0;
  const std::string_view digits = value.starts_with('+') ? value.substr(1) : value;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) bad_value(kind, path, value, "is not a number");
  set_field_number(*field, object, number, path, kind);
}

Assignment parse_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.substr(0, equals).find('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos || dot == 0 || dot + 1 == equals) {
    throw Error(ErrorKind::usage, fmt::format("\"{}\" is not of the form tool.setting=value", text));
  }
  return {text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)};
}

bool field_equal(const Field& field, const void* a, const void* b) {
  const void* a_address = field_address(field, a);
  const void* b_address = field_address(field, b);
  switch (field.kind) {
    case FieldKind::f32: return canonical_bits(read_as<float>(a_address)) == canonical_bits(read_as<float>(b_address));
    case FieldKind::text:
      return *static_cast<const std::string*>(a_address) == *static_cast<const std::string*>(b_address);
    case FieldKind::list: {
      const std::size_t count = field.list->size(a_address);
      if (count != field.list->size(b_address)) return false;
      for (std::size_t i = 0; i < count; ++i) {
        const void* a_item = field.list->const_item(a_address, i);
        if (!fields_equal(field.list->fields, a_item, field.list->const_item(b_address, i))) return false;
      }
      return true;
    }
    default: return read_as<std::uint32_t>(a_address) == read_as<std::uint32_t>(b_address);
  }
}

bool fields_equal(std::span<const Field> fields, const void* a, const void* b) {
  for (const Field& field : fields) {
    if (!field_equal(field, a, b)) return false;
  }
  return true;
}

void copy_field(const Field& field, void* to, const void* from) {
  void* to_address = field_address(field, to);
  const void* from_address = field_address(field, from);
  if (field.kind == FieldKind::text) {
    *static_cast<std::string*>(to_address) = *static_cast<const std::string*>(from_address);
  } else if (field.kind == FieldKind::list) {
    const std::size_t count = field.list->size(from_address);
    field.list->resize(to_address, count);
    for (std::size_t i = 0; i < count; ++i) {
      for (const Field& member : field.list->fields) {
        copy_field(member, field.list->item(to_address, i), field.list->const_item(from_address, i));
      }
    }
  } else {
    std::memcpy(to_address, from_address, 4);
  }
}

void hash_fields(Hash64& hash, std::span<const Field> fields, const void* object) {
  for (const Field& field : fields) {
    const void* address = field_address(field, object);
    switch (field.kind) {
      case FieldKind::f32: hash.add(read_as<float>(address)); break;
      case FieldKind::text: hash.add(std::string_view(*static_cast<const std::string*>(address))); break;
      case FieldKind::list: {
        const std::uint64_t count = field.list->size(address);
        hash.add(count);
        for (std::size_t i = 0; i < count; ++i)
          hash_fields(hash, field.list->fields, field.list->const_item(address, i));
        break;
      }
      default: hash.add(read_as<std::uint32_t>(address)); break;
    }
  }
}

std::string field_range(const Field& field) {
  switch (field.kind) {
    case FieldKind::choice: return joined(field.choices, " | ");
    case FieldKind::flag: return "true | false";
    case FieldKind::text: return "text";
    case FieldKind::list: return fmt::format("up to {} items", field.list->capacity);
    default: return fmt::format("{}..{}", field.min, field.max);
  }
}

}  // namespace imago
