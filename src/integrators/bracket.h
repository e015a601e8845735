/// A root between two ends, by Illinois's rule: the secant, with an end that stays drawn in.
#pragma once

#include <cmath>

namespace brio {

struct Bracket {
  double low = 0, f_low = 0;
  double high = 1, f_high = 0;

  /// Values that are no numbers or infinite count as too high.
  bool holds_root() const { return !(f_low <= 0) != !(f_high <= 0); }
  bool high_is_nearer() const { return !(std::abs(f_high) > std::abs(f_low)); }
  double next() const {
    const double secant = (low * f_high - high * f_low) / (f_high - f_low);
    return std::isfinite(secant) && secant > low && secant < high ? secant : 0.5 * (low + high);
  }
  void narrow(double at, double f) {
    if (!(f <= 0) == !(f_high <= 0)) {
      high = at;
      f_high = f;
      f_low *= 0.5;
    } else {
      low = at;
      f_low = f;
      f_high *= 0.5;
    }
  }
};

}  // namespace brio
