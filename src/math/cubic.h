/// How long a cubic stays positive. Its Bernstein coefficients on an interval bound it there: all positive proves it
/// positive, with no root to compute and no tolerance to choose.
#pragma once

#include <algorithm>
#include <array>

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

/// A point s in [0, 1] such that the cubic is positive on [0, s], and that is 1 or within 1e-9 of where it is not. By
/// bisection; NaN counts as not positive.
inline double positive_until(const std::array<double, 4>& c) {
  double s = 0;
  for (double step = 1; step > 1e-9;) {
    const double t = std::min(1.0, s + step);
    if (Bernstein<double>(c.data(), s, t).least() > 0) {
      if (t == 1) return 1;
      s = t;
    } else {
      step /= 2;
    }
  }
  return s;
}

}  // namespace brio
