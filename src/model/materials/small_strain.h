/// Strain where terms of psi cancel: t, J − 1 and ln J agree to first order, so that their differences, which are all
/// that is left of psi at strain ε, lose 1/ε of their digits. Taken from D = 2E alone they lose none:
///   J² = det(I + D) = 1 + 2t + r,  2t = tr D,  r = m + det D,  m the sum of the principal minors of D;
///   j = J − 1 = (2t + r)/(1 + J);   t − j = (t j − r)/(1 + J),  J = det F under the fractions.
#pragma once

#include "model/materials/invariants.h"

namespace brio {

template <class T>
struct SmallStrain {
  T t;            ///< trace of E
  T minors;       ///< sum of the principal minors of 2E
  T J, j;         ///< det F, and J − 1
  T one_over_1J;  ///< 1/(1 + J)
  T t_less_j;     ///< t − j

  BRIO_INLINE SmallStrain(const Symmetric3<T>& D, T det_F) : J(det_F) {
    const T one(1.0);
    const T trace = D.xx + D.yy + D.zz;
    const T x = fma(D.yy, D.zz, -(D.yz * D.yz)), y = fma(D.xx, D.zz, -(D.xz * D.xz));
    const T z = fma(D.xx, D.yy, -(D.xy * D.xy));
    minors = x + y + z;
    const T det = fma(D.xx, x, fma(D.xz, fma(D.xy, D.yz, -(D.yy * D.xz)), -(D.xy * fma(D.xy, D.zz, -(D.yz * D.xz)))));
    const T r = det + minors;
    t = T(0.5) * trace;
    one_over_1J = one / (one + J);
    j = (trace + r) * one_over_1J;
    t_less_j = fma(t, j, -r) * one_over_1J;
  }

  /// j − ln J for |j| < 0.11: ln J = 2 artanh a with a = j/(1 + J), whose first term leaves a j, and whose others
  /// 2a³ (1/3 + a²/5 + …), of which those below 1e-17 are left out.
  BRIO_INLINE T j_less_log() const {
    const T a = j * one_over_1J;
    const T square = a * a;
    T series(1.0 / 15);
    for (int k = 13; k > 1; k -= 2) series = fma(square, series, T(1.0 / k));
    return a * fma(T(-2.0) * square, series, j);
  }

  /// J^{-2/3} − 1 + 2j/3, of second order, and J^{-2/3} − 1. With c the cube root of J and w = c − 1, which is
  /// j/(c² + c + 1), the former is w² (5 + 20w/3 + 10w²/3 + 2w³/3)/c².
  BRIO_INLINE void power(T& second_order, T& whole) const {
    const T c = cbrt(select(J > T(0.0), J, T(1.0)));  // as derivatives take it: the compiler makes one of both
    const T w = j / fma(c, c + T(1.0), T(1.0));
    const T cubic = fma(w, fma(w, fma(w, T(2.0 / 3), T(10.0 / 3)), T(20.0 / 3)), T(5.0));
    second_order = w * w * cubic / (c * c);
    whole = second_order - T(2.0 / 3) * j;
  }
};

template <class Material, class T>
concept HasFormForSmallStrain = requires(const Material& material, const SmallStrain<T>& e) {
  material.psi(e);
};

template <class Material, class T>
BRIO_INLINE Symmetric3<T> twice_strain_of(const Deformation<T>& d) {
  if constexpr (needs_E<Material>) {
    return scaled(T(2.0), d.E);
  } else {
    return twice_green_strain(d.F);
  }
}

/// Where strain, the norm of the stretches less one, is less than `strain` ≤ 0.1. To second order its square is
/// t − j + j²/2, which vanishes for rotations and for F = 0.
template <class T>
BRIO_INLINE auto is_small(const Invariants<T>& I, double strain) {
  const T j = I.J - T(1.0);
  const T square = fma(T(0.5) * j, j, I.t - j);
  return select(I.J > T(0.5), abs(square), T(1.0)) < T(strain * strain);
}

/// Strain below which psi as it stands would lose more than a part in 1e12.
constexpr double imprecise_strain = 0.02;
constexpr double largest_small_strain = 0.1;

/// psi; below a strain in the form that loses no digits, where the material has one.
template <class Material, class T>
BRIO_INLINE T density_of(const Material& material, const Deformation<T>& d, double strain = imprecise_strain) {
  if constexpr (HasFormForSmallStrain<Material, T>) {
    const T usual = material.psi(d.I);  // in any case: it shares roots with the derivatives
    const auto small = is_small(d.I, strain);
    if (!any(small)) return usual;
    return select(small, material.psi(SmallStrain<T>(twice_strain_of<Material>(d), d.I.J)), usual);
  } else {
    return material.psi(d.I);
  }
}

}  // namespace brio
