/// What writers share: text grows by fmt, binary numbers are appended in a stated byte order.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>

#include "brio/core.h"

namespace brio {

/// Doubles print with the fewest digits that read back to the same bits.
template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

template <class T>
void append(std::string& out, T value, std::endian order = std::endian::little) {
  auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
  out.append(raw.data(), raw.size());
}

inline void append(std::string& out, const Vec3& point, std::endian order = std::endian::little) {
  for (const double x : point) append(out, x, order);
}

}  // namespace brio
