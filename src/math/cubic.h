/// How long a cubic stays positive. Its Bernstein coefficients on an interval bound it there: all positive proves it
/// positive, with no root to compute and no tolerance to choose.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/lanes.h"

namespace brio {

/// Bernstein coefficients on [s, t] of c0 + c1 u + c2 u² + c3 u³: the polar form at (s,s,s), (s,s,t), (s,t,t), (t,t,t).
template <class T>
struct Bernstein {
  T b[4];

  Bernstein(const T* c, T s, T t) {
    const auto polar = [c](T u, T v, T w) {
      const T third(1.0 / 3.0);
      return c[0] + third * (c[1] * (u + v + w) + c[2] * (u * v + v * w + w * u)) + c[3] * (u * v * w);
    };
    b[0] = polar(s, s, s);
    b[1] = polar(s, s, t);
    b[2] = polar(s, t, t);
    b[3] = polar(t, t, t);
  }
  T least() const { return min(min(b[0], b[1]), min(b[2], b[3])); }
};

/// What rounding may have done to Bernstein coefficients on [0, t]: eight operations, at most, on each of the terms.
template <class T>
T bernstein_rounding(const T* c, T t) {
  constexpr double operations = 8 * std::numeric_limits<double>::epsilon();
  return T(operations) * (abs(c[0]) + t * (abs(c[1]) + t * (abs(c[2]) + t * abs(c[3]))));
}

/// Whether the cubic is positive on [0, 1]: a bound, true only when it is.
template <class T>
auto surely_positive(const T* c) {
  return Bernstein<T>(c, T(0.0), T(1.0)).least() > bernstein_rounding(c, T(1.0));
}

/// A point s in [0, 1] such that the cubic is positive on [0, s], whatever rounding does, and that is 1 or within 1e-9
/// of where the bound over another 1e-9 does not tell; NaN counts as not positive. Halves the step where the bound
/// fails, and doubles it when two have succeeded: a bound that fails far from any root, near a minimum, is not paid for
/// later on. Near a root of any multiplicity a step of some fraction of the distance succeeds, so that some hundred
/// trials do; the limit is there for what nobody thought of.
inline double positive_until(std::array<double, 4> c) {
  constexpr int max_trials = 500;
  constexpr double tiny = 1e-320;  // what scaling may have cost
  const double largest = std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2]), std::abs(c[3])});
  if (!(c[0] > 0 && std::isfinite(largest))) return 0;
  const int exponent = std::ilogb(largest);
  for (double& coefficient : c) coefficient = std::scalbn(coefficient, -exponent);  // so that no sum overflows
  double s = 0;
  double step = 1;
  bool succeeded = false;
  for (int trial = 0; trial < max_trials && step > 1e-9; ++trial) {
    const double t = std::min(1.0, s + step);
    if (Bernstein<double>(c.data(), s, t).least() > bernstein_rounding(c.data(), t) + tiny) {
      if (t == 1) return 1;
      s = t;
      if (succeeded) step *= 2;
      succeeded = !succeeded;
    } else {
      step /= 2;
      succeeded = false;
    }
  }
  return s;
}

}  // namespace brio
