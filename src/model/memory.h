/// Looking at what a state remembers before it is believed.
#pragma once

#include <algorithm>
#include <cmath>

#include "brio/model.h"

namespace brio {

inline bool is_finite(const NodalField& field) {
  return std::all_of(field.data(), field.data() + NodalField::stride * field.size(),
                     [](double number) { return std::isfinite(number); });
}

inline bool is_finite(const Memory& memory) {
  return std::ranges::all_of(memory.numbers, [](double number) { return std::isfinite(number); }) &&
         std::ranges::all_of(memory.fields, [](const NodalField& field) { return is_finite(field); });
}

/// Whether it is of so many fields, each of that size, and so many numbers.
inline bool holds(const Memory& memory, std::size_t fields, std::size_t size, std::size_t numbers) {
  return memory.fields.size() == fields && memory.numbers.size() == numbers &&
         std::ranges::all_of(memory.fields, [&](const NodalField& field) { return field.size() == size; });
}

}  // namespace brio
