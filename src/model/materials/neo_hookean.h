#pragma once

#include "model/materials/invariants.h"

namespace brio {

/// Bonet–Burton: psi = mu/2 (I_C - 3) - mu ln J + lambda/2 (J-1)²; +inf for J <= 0.
/// At small strain its second Lamé modulus is lambda, its shear modulus mu. [Kharevych 2006, section 5]
struct NeoHookean {
  static constexpr const char* name = "neo-hookean";
  static constexpr unsigned depends = on_t | on_J | on_JJ;
  static constexpr bool barrier = true;
  double mu, lambda;  ///< Lamé [Pa]

  template <class T>
  T psi(const Invariants<T>& I) const {
    const T dilation = I.J - T(1.0);
    const T inside = fma(T(0.5 * lambda) * dilation, dilation, T(mu) * (I.t - log_of_positive(in_domain(I.J))));
    return select(I.J > T(0.0), inside, T(std::numeric_limits<double>::infinity()));
  }
  template <class T>
  Gradient<T> gradient(const Invariants<T>& I) const {
    return {.t = T(mu), .J = T(lambda) * (I.J - T(1.0)) - T(mu) / in_domain(I.J)};
  }
  template <class T>
  Curvature<T> curvature(const Invariants<T>& I) const {
    const T J = in_domain(I.J);
    return {.JJ = T(lambda) + T(mu) / (J * J)};
  }

 private:
  /// Outside the domain psi is infinite and the step is refused; derivatives there only have to be finite.
  template <class T>
  static T in_domain(T J) {
    return select(J > T(0.0), J, T(1.0));
  }
};

/// Smith, de Goes & Kim 2018, eq. 14: psi = m/2 (I_C - 3) - m/2 ln((I_C + 1)/4) + l/2 ((J-a)² - (1-a)²) with m = 4/3
/// mu, l = lambda + 5/6 mu, a = 1 + 3m/(4l): finite and smooth under inversion, stress-free at rest, Lamé moduli mu and
/// lambda at small strain. The constant makes psi vanish at rest.
struct StableNeoHookean {
  static constexpr const char* name = "stable-neo-hookean";
  static constexpr unsigned depends = on_t | on_J | on_tt | on_JJ;
  static constexpr bool barrier = false;
  double m, l, a;  ///< [Pa], [Pa], 1

  static StableNeoHookean from_lame(double mu, double lambda) {
    const double m = 4.0 / 3.0 * mu;
    const double l = lambda + 5.0 / 6.0 * mu;
    return {m, l, 1 + 0.75 * m / l};
  }

  template <class T>
  T psi(const Invariants<T>& I) const {
    const T shear = T(m) * (I.t - T(0.5) * log_of_positive(fma(T(0.5), I.t, T(1.0))));
    return fma(T(0.5 * l) * (I.J - T(1.0)), I.J + T(1 - 2 * a), shear);
  }
  template <class T>
  Gradient<T> gradient(const Invariants<T>& I) const {
    return {.t = T(m) - T(0.5 * m) / (T(2.0) + I.t), .J = T(l) * (I.J - T(a))};
  }
  template <class T>
  Curvature<T> curvature(const Invariants<T>& I) const {
    const T u = T(2.0) + I.t;
    return {.tt = T(0.5 * m) / (u * u), .JJ = T(l)};
  }
};

}  // namespace brio
