/// Hash of raw bits, for proving that two runs are the same run.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace brio {

/// XXH3 (64 bit) of the bytes, continued from `seed`.
std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

inline std::uint64_t hash_doubles(std::span<const double> values, std::uint64_t seed = 0) {
  return hash_bytes(std::as_bytes(values), seed);
}

/// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace brio
