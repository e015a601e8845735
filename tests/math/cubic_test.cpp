#include "math/cubic.h"

#include <gtest/gtest.h>

#include <ctime>
#include <random>

namespace brio {
namespace {

/// 113 bits: what 53 bits leave open is far above its rounding.
__extension__ using Quad = __float128;

Quad absolute(Quad a) { return a < 0 ? -a : a; }

Quad square_root(Quad a) {
  if (a <= 0) return 0;
  Quad scale = 1;  // long double has the range that is needed here, after this
  while (a > 1e200) a /= 1e200, scale *= 1e100;
  while (a < 1e-200) a *= 1e200, scale /= 1e100;
  Quad root = std::sqrt(static_cast<double>(a));
  for (int k = 0; k < 3; ++k) root = (root + a / root) / 2;
  return scale * root;
}

struct Exact {
  Quad c[4];

  explicit Exact(const std::array<double, 4>& from) {
    for (int k = 0; k < 4; ++k) c[k] = from[k];
  }
  Quad operator()(Quad t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
  Quad size(Quad t) const { return absolute(c[0]) + t * (absolute(c[1]) + t * (absolute(c[2]) + t * absolute(c[3]))); }
  /// Over [a, b]: at the ends, or where the slope vanishes.
  Quad least(Quad a, Quad b) const {
    Quad result = std::min((*this)(a), (*this)(b));
    const Quad p = 3 * c[3], q = c[2], r = c[1];  // p t² + 2 q t + r
    const Quad root = square_root(q * q - p * r);
    const Quad w = -(q + (q < 0 ? -root : root));
    for (const Quad t : {p != 0 ? w / p : a, w != 0 ? r / w : a})
      if (t > a && t < b) result = std::min(result, (*this)(t));
    return result;
  }
};

/// Never beyond a root; never short of 1 without a reason within reach.
void check(const std::array<double, 4>& c) {
  const double s = positive_until(c);
  const Exact f(c);
  ASSERT_TRUE(s >= 0 && s <= 1);
  const Quad noise = Quad(1e-30) * f.size(1);
  if (s > 0) {
    ASSERT_TRUE(f.least(0, s) > -noise) << s << " of " << c[0] << " " << c[1] << " " << c[2] << " " << c[3];
  }
  if (s < 1) {
    const Quad end = std::min<Quad>(1, Quad(s) + 1e-8);
    const Quad rounding = 40 * std::numeric_limits<double>::epsilon() * f.size(end) + Quad(1e-319) * f.size(1);
    const Quad bend = Quad(1e-18) * (2 * absolute(f.c[2]) + 6 * end * absolute(f.c[3]));  // of a step of 1e-9
    ASSERT_TRUE(f.least(s, end) <= rounding + bend) << s << " of " << c[0] << " " << c[1] << " " << c[2] << " " << c[3];
  }
}

/// (t - a)(t - b)(t - d), turned and scaled to be positive at 0.
std::array<double, 4> with_roots(double a, double b, double d, double scale) {
  const double sign = a * b * d < 0 ? 1 : -1;
  const double k = sign * scale;
  return {-k * a * b * d, k * (a * b + b * d + d * a), -k * (a + b + d), k};
}

}  // namespace

TEST(Cubic, PositiveUntilNeverPassesARootAndIsNeverFarFromOneWithoutReason) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1, 1), exponent(-300, 300), small(-16, 0);
  const auto any_magnitude = [&] { return std::copysign(std::pow(10, exponent(random)), unit(random)); };
  const std::clock_t start = std::clock();  // processor time: the machine may be busy
  for (int k = 0; k < 250'000; ++k) {
    check({std::abs(unit(random)), unit(random), unit(random), unit(random)});
    check({std::abs(any_magnitude()), any_magnitude(), any_magnitude(), any_magnitude()});
    // Nearly double and triple roots, on either side of real.
    const double a = unit(random), gap = std::pow(10, small(random));
    check(with_roots(a, a + gap, 3 * unit(random), 1));
    check(with_roots(a, a + gap, a - gap * unit(random), std::pow(10, 15 * unit(random))));
    std::array<double, 4> lifted = with_roots(a, a, 2 + unit(random), 1);
    lifted[0] += std::pow(10, small(random)) * unit(random);
    check(lifted);
    if (HasFatalFailure()) return;
  }
  EXPECT_LT(std::clock() - start, 40 * CLOCKS_PER_SEC) << "as many trials as bisection takes, whatever the cubic";
}

TEST(Cubic, PositiveUntilHoldsAtTheEndsOfTheRangeOfNumbers) {
  constexpr double least = 5e-324, most = 1.7e308;
  const double numbers[]{0, least, 1e-310, 2.3e-308, 1e-154, 1e-17, 1, 1 + 2e-16, 3, 1e17, 1e154, 1e300, most};
  for (const double a : numbers)
    for (const double b : numbers)
      for (const double c : numbers)
        for (const double d : numbers)
          for (int signs = 0; signs < 8; ++signs) {
            check({a, (signs & 1) != 0 ? -b : b, (signs & 2) != 0 ? -c : c, (signs & 4) != 0 ? -d : d});
            if (HasFatalFailure()) return;
          }
}

}  // namespace brio
