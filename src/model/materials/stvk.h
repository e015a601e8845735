#pragma once

#include "model/materials/invariants.h"

namespace brio {

/// Saint Venant–Kirchhoff: psi = mu E:E + lambda/2 tr(E)². Forces are cubic in x, so AVF with Simpson's rule conserves
/// energy exactly; no resistance to collapse. [Rojas 2018, eq. 4]
struct StVK {
  static constexpr const char* name = "stvk";
  static constexpr unsigned depends = on_t | on_s | on_tt;
  static constexpr bool barrier = false;
  static constexpr int force_degree = 3;
  double mu, lambda;  ///< Lamé [Pa]

  double modulus() const { return 2 * mu + lambda; }  ///< of uniaxial strain at rest [Pa]

  template <class T>
  T psi(const Invariants<T>& I) const {
    return fma(T(mu), I.s, T(0.5 * lambda) * I.t * I.t);
  }
  template <class T>
  Gradient<T> gradient(const Invariants<T>& I) const {
    return {.t = T(lambda) * I.t, .s = T(mu)};
  }
  template <class T>
  Curvature<T> curvature(const Invariants<T>&) const {
    return {.tt = T(lambda)};
  }
};

/// StVK with a penalty on the volume: psi + kappa/2 (J-1)². Resists compression and inversion; forces are quintic in x,
/// so AVF is exact with three Gauss points.
struct StVKVolume {
  static constexpr const char* name = "stvk-volume";
  static constexpr unsigned depends = on_t | on_s | on_J | on_tt | on_JJ;
  static constexpr bool barrier = false;
  static constexpr int force_degree = 5;
  double mu, lambda;  ///< Lamé [Pa]
  double kappa;       ///< volume stiffness [Pa]

  double modulus() const { return 2 * mu + lambda + kappa; }  ///< of uniaxial strain at rest [Pa]

  template <class T>
  T psi(const Invariants<T>& I) const {
    const T dilation = I.J - T(1.0);
    return fma(T(0.5 * kappa) * dilation, dilation, StVK{mu, lambda}.psi(I));
  }
  template <class T>
  Gradient<T> gradient(const Invariants<T>& I) const {
    return {.t = T(lambda) * I.t, .s = T(mu), .J = T(kappa) * (I.J - T(1.0))};
  }
  template <class T>
  Curvature<T> curvature(const Invariants<T>&) const {
    return {.tt = T(lambda), .JJ = T(kappa)};
  }
};

}  // namespace brio
