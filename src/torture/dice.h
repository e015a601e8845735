/// Random choices that are the same everywhere.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace brio {

/// The same numbers with every standard library, unlike its distributions.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}

  double between(double low, double high) { return low + (high - low) * 0x1p-53 * static_cast<double>(bits_() >> 11); }
  /// Every order of magnitude alike.
  double log_between(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  int whole(int low, int high) { return low + static_cast<int>(bits_() % static_cast<std::uint64_t>(high - low + 1)); }
  bool chance(double p) { return between(0, 1) < p; }
  template <class T>
  const T& of(const std::vector<T>& items) {
    return items[bits_() % items.size()];
  }
  std::string name(const std::vector<std::string>& names) { return of(names); }

 private:
  std::mt19937_64 bits_;
};

}  // namespace brio
