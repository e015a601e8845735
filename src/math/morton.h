/// Morton codes: places that are near in space are near in their order along a curve.
#pragma once

#include <cstdint>

namespace brio {

/// The lowest 21 bits, each followed by two zeros.
inline std::uint64_t spread_bits(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffff;
  v = (v | v << 16) & 0x1f0000ff0000ff;
  v = (v | v << 8) & 0x100f00f00f00f00f;
  v = (v | v << 4) & 0x10c30c30c30c30c3;
  return (v | v << 2) & 0x1249249249249249;
}

}  // namespace brio
