// Parameters declared once. A tool's parameters are a plain struct with member defaults and a constexpr table of
// Fields; command line, JSON, XMP, UI, WGSL `struct Params`, docs and random tests are loops over that table.
//
//   struct Exposure { float ev = 0; };
//   inline constexpr Field exposure_fields[] = {
//       {.name = "ev", .label = "Exposure", .unit = "EV", .help = "gain in stops", .kind = FieldKind::f32,
//        .offset = offsetof(Exposure, ev), .min = -5, .max = 5}};
//   static_assert(covers<Exposure>(exposure_fields));  // a member missing from the table fails to compile
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace imago {

enum class FieldKind : std::uint8_t {
  f32,
  i32,
  u32,
  choice,  // std::int32_t, an index into `choices`; written by name outside
  flag,    // std::uint32_t, 0 or 1; true/false outside
  text,    // std::string
  list,    // std::vector<Item>; `list` says how to reach its items
};

struct Field;

// Type-erased access to a std::vector<Item> member.
struct FieldList {
  std::span<const Field> fields;  // of one item
  std::size_t capacity;           // most items that a document may hold
  std::size_t (*size)(const void* list);
  void (*resize)(void* list, std::size_t count);
  void* (*item)(void* list, std::size_t index);
  const void* (*const_item)(const void* list, std::size_t index);
  const void* (*default_item)();
};

struct Field {
  std::string_view name;   // key everywhere: snake_case
  std::string_view label;  // what the UI shows
  std::string_view unit;   // "" when none
  std::string_view help;   // one sentence for --help and the docs
  FieldKind kind = FieldKind::f32;
  std::size_t offset = 0;
  double min = 0;
  double max = 0;
  std::span<const std::string_view> choices = {};
  const FieldList* list = nullptr;

  constexpr std::size_t size() const {
    switch (kind) {
      case FieldKind::text: return sizeof(std::string);
      case FieldKind::list: return sizeof(std::vector<int>);
      default: return 4;
    }
  }
};

// True when the table names every byte of the struct once, in order (so that no member is forgotten). The only gap
// allowed is alignment in front of a text or list member and at the end of a struct that has one.
template <typename Struct>
constexpr bool covers(std::span<const Field> fields) {
  std::size_t at = 0;
  bool has_wide = false;
  for (const Field& field : fields) {
    const bool wide = field.size() > 4;
    has_wide = has_wide || wide;
    if (wide && at % 8 == 4) at += 4;
    if (field.offset != at) return false;
    at += field.size();
  }
  return at == sizeof(Struct) || (has_wide && at + 4 == sizeof(Struct));
}

template <typename Item>
constexpr FieldList field_list(std::span<const Field> item_fields, std::size_t capacity) {
  return {
      .fields = item_fields,
      .capacity = capacity,
      .size = [](const void* list) { return static_cast<const std::vector<Item>*>(list)->size(); },
      .resize = [](void* list, std::size_t count) { static_cast<std::vector<Item>*>(list)->resize(count); },
      .item = [](void* list, std::size_t index) -> void* { return &(*static_cast<std::vector<Item>*>(list))[index]; },
      .const_item = [](const void* list, std::size_t index) -> const void* {
        return &(*static_cast<const std::vector<Item>*>(list))[index];
      },
      .default_item = []() -> const void* {
        static const Item item{};
        return &item;
      }};
}

}  // namespace imago
