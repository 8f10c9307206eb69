#include "base/field_json.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/field_access.h"

namespace imago {
namespace {

using nlohmann::json;

// 0.1f as 0.1, not as 0.10000000149011612.
json shortest(float value) {
  const std::string text = fmt::format("{}", value);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

[[noreturn]] void wrong_type(ErrorKind kind, const std::string& path, const json& value, std::string_view wanted) {
  throw Error(
      kind, fmt::format("{} = {} is not {}", path, value.dump(-1, ' ', false, json::error_handler_t::replace), wanted));
}

void list_from_json(const Field& field, void* object, const json& value, const std::string& path,
                    std::vector<std::string>& unknown_keys, ErrorKind kind) {
  if (!value.is_array()) wrong_type(kind, path, value, "a list");
  const FieldList& list = *field.list;
  if (value.size() > list.capacity) {
    throw Error(kind, fmt::format("{} has {} items, at most {} are allowed", path, value.size(), list.capacity));
  }
  void* address = field_address(field, object);
  list.resize(address, 0);  // so that items start from their defaults
  list.resize(address, value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string item_path = fmt::format("{}[{}]", path, i);
    if (!value[i].is_object()) wrong_type(kind, item_path, value[i], "an object");
    fields_from_json(list.fields, list.item(address, i), value[i], item_path + ".", unknown_keys, kind);
  }
}

void field_from_json(const Field& field, void* object, const json& value, const std::string& path,
                     std::string_view path_prefix, std::vector<std::string>& unknown_keys, ErrorKind kind) {
  switch (field.kind) {
    case FieldKind::text:
      if (!value.is_string()) wrong_type(kind, path, value, "a text");
      *static_cast<std::string*>(field_address(field, object)) = value.get<std::string>();
      return;
    case FieldKind::list: list_from_json(field, object, value, path, unknown_keys, kind); return;
    case FieldKind::choice:
      if (!value.is_string()) wrong_type(kind, path, value, "one of " + field_range(field));
      set_field({&field, 1}, object, field.name, value.get<std::string>(), path_prefix, kind);
      return;
    case FieldKind::flag:
      if (value.is_boolean()) {
        set_field_number(field, object, value.get<bool>() ? 1 : 0, path, kind);
        return;
      }
      break;
    default: break;
  }
  if (!value.is_number()) wrong_type(kind, path, value, field.kind == FieldKind::flag ? "true or false" : "a number");
  set_field_number(field, object, value.get<double>(), path, kind);
}

}  // namespace

json json_from_field(const Field& field, const void* object) {
  const void* address = field_address(field, object);
  switch (field.kind) {
    case FieldKind::f32: return shortest(*static_cast<const float*>(address));
    case FieldKind::i32: return *static_cast<const std::int32_t*>(address);
    case FieldKind::u32: return *static_cast<const std::uint32_t*>(address);
    case FieldKind::flag: return *static_cast<const std::uint32_t*>(address) != 0;
    case FieldKind::list: {
      json items = json::array();
      for (std::size_t i = 0; i < field.list->size(address); ++i) {
        items.push_back(json_from_fields(field.list->fields, field.list->const_item(address, i)));
      }
      return items;
    }
    default: return field_text(field, object);
  }
}

json json_from_fields(std::span<const Field> fields, const void* object) {
  json document = json::object();
  for (const Field& field : fields) document[std::string(field.name)] = json_from_field(field, object);
  return document;
}

json json_from_changed_fields(std::span<const Field> fields, const void* object, const void* defaults) {
  json document = json::object();
  for (const Field& field : fields) {
    if (!field_equal(field, object, defaults)) document[std::string(field.name)] = json_from_field(field, object);
  }
  return document;
}

void fields_from_json(std::span<const Field> fields, void* object, const json& document, std::string_view path_prefix,
                      std::vector<std::string>& unknown_keys, ErrorKind kind) {
  if (!document.is_object()) {
    const std::string_view name =
        path_prefix.ends_with('.') ? path_prefix.substr(0, path_prefix.size() - 1) : path_prefix;
    wrong_type(kind, std::string(name), document, "an object");
  }
  for (const auto& [key, value] : document.items()) {
    const std::string path = fmt::format("{}{}", path_prefix, key);
    const Field* field = find_field(fields, key);
    if (field == nullptr) {
      unknown_keys.push_back(path);
    } else {
      field_from_json(*field, object, value, path, path_prefix, unknown_keys, kind);
    }
  }
}

}  // namespace imago
