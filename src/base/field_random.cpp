#include <cmath>

#include "base/field_access.h"

namespace imago {
namespace {

// SplitMix64 as a generator.
struct Random {
  std::uint64_t state;
  std::uint64_t next() { return mix64(state += 0x9e3779b97f4a7c15u); }
  std::uint64_t below(std::uint64_t count) { return next() % count; }
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }
};

double random_number(const Field& field, double present, Random& random) {
  switch (random.below(8)) {
    case 0: return field.min;
    case 1: return field.max;
    case 2: return field.min <= 0 && field.max >= 0 ? 0 : field.min;
    case 3: return present;
    default: return field.min + (field.max - field.min) * random.fraction();
  }
}

void randomise(std::span<const Field> fields, void* object, Random& random) {
  for (const Field& field : fields) {
    switch (field.kind) {
      case FieldKind::text: break;
      case FieldKind::flag: set_field_number(field, object, static_cast<double>(random.below(2)), field.name); break;
      case FieldKind::choice:
        if (!field.choices.empty()) {
          set_field_number(field, object, static_cast<double>(random.below(field.choices.size())), field.name);
        }
        break;
      case FieldKind::list: {
        void* list = field_address(field, object);
        const std::size_t most = std::min<std::size_t>(field.list->capacity, 4);
        field.list->resize(list, 0);
        field.list->resize(list, random.below(most + 1));
        for (std::size_t i = 0; i < field.list->size(list); ++i) {
          randomise(field.list->fields, field.list->item(list, i), random);
        }
        break;
      }
      default: {
        double value = random_number(field, field_number(field, object), random);
        if (field.kind != FieldKind::f32) value = std::floor(value);
        set_field_number(field, object, value, field.name);
      }
    }
  }
}

}  // namespace

void random_fields(std::span<const Field> fields, void* object, std::uint64_t seed) {
  Random random{seed};
  randomise(fields, object, random);
}

}  // namespace imago
