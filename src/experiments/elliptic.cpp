#include "experiments/elliptic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace brio {
namespace {

/// The means a_n and the halved differences c_n, until they vanish; convergence is quadratic.
struct Means {
  std::array<double, 16> a{1}, c{};
  int last = 0;

  explicit Means(double k) {
    double b = std::sqrt((1 - k) * (1 + k));
    c[0] = k;
    while (c[last] > std::numeric_limits<double>::epsilon() * a[last] && last + 1 < static_cast<int>(a.size())) {
      a[last + 1] = (a[last] + b) / 2;
      c[last + 1] = (a[last] - b) / 2;
      b = std::sqrt(a[last] * b);
      ++last;
    }
  }
};

}  // namespace

double quarter_period(double k) {
  const Means means(k);
  return std::numbers::pi / (2 * means.a[means.last]);
}

Jacobi jacobi(double u, double k) {
  const Means means(k);
  double phi = std::ldexp(means.a[means.last] * u, means.last);
  for (int n = means.last; n > 0; --n)
    phi = (phi + std::asin(std::clamp(means.c[n] / means.a[n] * std::sin(phi), -1.0, 1.0))) / 2;
  return {std::sin(phi), std::cos(phi)};
}

}  // namespace brio
