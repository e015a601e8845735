#pragma once

#include "model/materials/invariants.h"
#include "model/materials/small_strain.h"

namespace brio {

/// psi = a (J^{-2/3} I_C - 3) + b (J^{-4/3} I_2 - 3) + kappa/2 (J-1)², I_2 = (I_C² - II_C)/2; +inf for J <= 1e-10.
/// Lamé moduli at small strain: mu = 2(a + b), lambda = kappa - 2/3 mu. [Kharevych 2006 prints I_2 without the 1/2 and
/// no volume term, which leaves the rest state stressed.]
struct MooneyRivlin {
  static constexpr const char* name = "mooney-rivlin";
  static constexpr unsigned depends = on_t | on_s | on_J | on_tt | on_tJ | on_sJ | on_JJ;
  static constexpr bool barrier = true;
  static constexpr double least_J = 1e-10;  ///< below, rounding may be all that J is made of
  static constexpr int force_degree = 0;
  double a, b;   ///< [Pa]
  double kappa;  ///< bulk modulus [Pa]

  double modulus() const { return kappa + 8.0 / 3.0 * (a + b); }  ///< of uniaxial strain at rest [Pa]

  template <class T>
  T psi(const Invariants<T>& I) const {
    const Parts<T> p = parts(I);
    const T dilation = I.J - T(1.0);
    const T inside =
        T(a) * (p.p1 * p.I1 - T(3.0)) + T(b) * (p.p2 * p.I2 - T(3.0)) + T(0.5 * kappa) * dilation * dilation;
    return select(I.J > T(least_J), inside, T(std::numeric_limits<double>::infinity()));
  }
  template <class T>
  T psi(const SmallStrain<T>& e) const {
    // With p1 = J^{-2/3} − 1 = q1 − 2j/3 and p2 = J^{-4/3} − 1 = q2 − 4j/3, first orders taken together.
    T p1, q1;
    e.power(q1, p1);
    const T p2 = p1 * (T(2.0) + p1);
    const T q2 = fma(p1, p1, T(2.0) * q1);
    const T first = T(2.0) * fma(e.t, p1, e.t_less_j) + T(3.0) * q1;
    const T second = T(4.0) * fma(e.t, p2, e.t_less_j) + e.minors * (T(1.0) + p2) + T(3.0) * q2;
    return fma(T(a), first, fma(T(b), second, T(0.5 * kappa) * e.j * e.j));
  }
  template <class T>
  Gradient<T> gradient(const Invariants<T>& I) const {
    const Parts<T> p = parts(I);
    const T ap = T(a) * p.p1;
    const T bp = T(b) * p.p2;
    return {.t = T(2.0) * ap + T(4.0) * bp * (T(1.0) + I.t),
            .s = T(-2.0) * bp,
            .J = (T(-2.0 / 3.0) * ap * p.I1 - T(4.0 / 3.0) * bp * p.I2) * p.inverse + T(kappa) * (I.J - T(1.0))};
  }
  template <class T>
  Curvature<T> curvature(const Invariants<T>& I) const {
    const Parts<T> p = parts(I);
    const T ap = T(a) * p.p1 * p.inverse;
    const T bp = T(b) * p.p2 * p.inverse;
    return {.tt = T(4.0 * b) * p.p2,
            .tJ = T(-4.0 / 3.0) * ap - T(16.0 / 3.0) * bp * (T(1.0) + I.t),
            .sJ = T(8.0 / 3.0) * bp,
            .JJ = (T(10.0 / 9.0) * ap * p.I1 + T(28.0 / 9.0) * bp * p.I2) * p.inverse + T(kappa)};
  }

 private:
  template <class T>
  struct Parts {
    T inverse, p1, p2;  ///< 1/J, J^{-2/3}, J^{-4/3}
    T I1, I2;           ///< of C
  };
  template <class T>
  static Parts<T> parts(const Invariants<T>& I) {
    const T J =
        select(I.J > T(0.0), I.J, T(1.0));  // outside the domain psi is infinite; derivatives only have to be finite
    const T root = cbrt(J);
    const T p1 = T(1.0) / (root * root);
    return {T(1.0) / J, p1, p1 * p1, T(3.0) + T(2.0) * I.t, T(3.0) + T(4.0) * I.t + T(2.0) * (I.t * I.t - I.s)};
  }
};

}  // namespace brio
