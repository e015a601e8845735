/// Jacobi's elliptic functions by the arithmetic-geometric mean. [Abramowitz & Stegun 1964, 16.4 and 17.6]
#pragma once

namespace brio {

/// sn(u, k) and cn(u, k) of the modulus k in [0, 1).
struct Jacobi {
  double sn, cn;
};
Jacobi jacobi(double u, double k);

/// K(k): a quarter of the period of sn.
double quarter_period(double k);

}  // namespace brio
