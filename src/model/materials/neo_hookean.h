#pragma once

#include "model/materials/invariants.h"
#include "model/materials/small_strain.h"

namespace brio {

/// Bonet–Burton: psi = mu/2 (I_C - 3) - mu ln J + lambda/2 (J-1)²; +inf for J <= 1e-10.
/// At small strain its second Lamé modulus is lambda, its shear modulus mu. [Kharevych 2006, section 5]
struct NeoHookean {
  static constexpr const char* name = "neo-hookean";
  static constexpr unsigned depends = on_t | on_J | on_JJ;
  static constexpr bool barrier = true;
  static constexpr double least_J = 1e-10;  ///< below, rounding may be all that J is made of
  static constexpr int force_degree = 0;
  double mu, lambda;  ///< Lamé [Pa]

  double modulus() const { return 2 * mu + lambda; }  ///< of uniaxial strain at rest [Pa]

  template <class T>
  T psi(const Invariants<T>& I) const {
    const T dilation = I.J - T(1.0);
    const T inside = fma(T(0.5 * lambda) * dilation, dilation, T(mu) * (I.t - log_of_positive(in_domain(I.J))));
    return select(I.J > T(least_J), inside, T(std::numeric_limits<double>::infinity()));
  }
  template <class T>
  T psi(const SmallStrain<T>& e) const {
    return fma(T(mu), e.t_less_j + e.j_less_log(), T(0.5 * lambda) * e.j * e.j);
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

/// psi = mu/2 (I_C - 3) - mu (J-1) + l/2 (J-1)², l = lambda + mu: finite and smooth under inversion, stress-free at
/// rest, Lamé moduli mu and lambda at small strain. [Smith, de Goes & Kim 2018, eq. 13 with its constants written out]
/// Departs: without the term -mu/2 ln(I_C + 1) of their eq. 14, which only keeps an element from resting while
/// collapsed to a point. Forces stay polynomials of degree five, so AVF with three Gauss points conserves energy
/// exactly.
struct StableNeoHookean {
  static constexpr const char* name = "stable-neo-hookean";
  static constexpr unsigned depends = on_t | on_J | on_JJ;
  static constexpr bool barrier = false;
  static constexpr int force_degree = 5;
  double mu, lambda;  ///< Lamé [Pa]

  double modulus() const { return 2 * mu + lambda; }  ///< of uniaxial strain at rest [Pa]

  template <class T>
  T psi(const Invariants<T>& I) const {
    const T dilation = I.J - T(1.0);
    return fma(T(mu), I.t - dilation, T(0.5 * (lambda + mu)) * dilation * dilation);
  }
  template <class T>
  T psi(const SmallStrain<T>& e) const {
    return fma(T(mu), e.t_less_j, T(0.5 * (lambda + mu)) * e.j * e.j);
  }
  template <class T>
  Gradient<T> gradient(const Invariants<T>& I) const {
    return {.t = T(mu), .J = fma(T(lambda + mu), I.J - T(1.0), T(-mu))};
  }
  template <class T>
  Curvature<T> curvature(const Invariants<T>&) const {
    return {.JJ = T(lambda + mu)};
  }
};

}  // namespace brio
