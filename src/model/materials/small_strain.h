/// Strain where terms of psi cancel: t, J − 1 and ln J agree to first order, so that their differences, which are all
/// that is left of psi at strain ε, lose 1/ε of their digits. Taken from E alone they lose none:
///   J² = det(I + 2E) = 1 + 2t + r,  r = 4 m + 8 det E,  m the sum of the principal minors of E;
///   j = J − 1 = (2t + r)/(1 + J);   t − j = (t j − r)/(2 + j).
#pragma once

#include "model/materials/invariants.h"

namespace brio {

template <class T>
struct SmallStrain {
  T t, minors;  ///< of E: trace, and sum of the principal minors, (t² − s)/2
  T j;          ///< J − 1
  T t_less_j;   ///< t − j

  BRIO_INLINE explicit SmallStrain(const Matrix3<T>& F) {
    const T half(0.5);
    const T one(1.0);
    auto column = [&F](int p, int q) { return dot3(F(0, p), F(1, p), F(2, p), F(0, q), F(1, q), F(2, q)); };
    const T xx = half * (column(0, 0) - one), yy = half * (column(1, 1) - one), zz = half * (column(2, 2) - one);
    const T xy = half * column(0, 1), xz = half * column(0, 2), yz = half * column(1, 2);
    t = xx + yy + zz;
    minors = (xx * yy - xy * xy) + (yy * zz - yz * yz) + (xx * zz - xz * xz);
    const T det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    const T r = T(4.0) * minors + T(8.0) * det;
    const T square = max(T(2.0) * t + r, T(-0.99));
    j = square / (one + sqrt(one + square));
    t_less_j = (t * j - r) / (T(2.0) + j);
  }

  /// j − ln J for |j| < 0.11: ln(1 + j) = 2 artanh a with a = j/(2 + j), whose first term leaves a j, and whose others
  /// 2a³ (1/3 + a²/5 + …), of which those below 1e-17 are left out.
  BRIO_INLINE T j_less_log() const {
    const T a = j / (T(2.0) + j);
    const T square = a * a;
    T series(1.0 / 15);
    for (int k = 13; k > 1; k -= 2) series = fma(square, series, T(1.0 / k));
    return a * fma(T(-2.0) * square, series, j);
  }

  /// J^{-2/3} − 1 + 2j/3, of second order, and J^{-2/3} − 1. With c the cube root of J and w = c − 1, which is
  /// j/(c² + c + 1), the former is w² (5 + 20w/3 + 10w²/3 + 2w³/3)/c².
  BRIO_INLINE void power(T& second_order, T& whole) const {
    const T c = cbrt(T(1.0) + j);
    const T w = j / fma(c, c + T(1.0), T(1.0));
    const T cubic = fma(w, fma(w, fma(w, T(2.0 / 3), T(10.0 / 3)), T(20.0 / 3)), T(5.0));
    second_order = w * w * cubic / (c * c);
    whole = second_order - T(2.0 / 3) * j;
  }
};

/// Where that may be used.
template <class T>
BRIO_INLINE auto is_small_strain(const Matrix3<T>& F, T J) {
  const Matrix3<T> C = transposed_times(F, F);
  const T one(1.0);
  const T xx = C(0, 0) - one, yy = C(1, 1) - one, zz = C(2, 2) - one;
  const T t = xx + yy + zz;
  const T s = xx * xx + yy * yy + zz * zz + T(2.0) * (C(0, 1) * C(0, 1) + C(0, 2) * C(0, 2) + C(1, 2) * C(1, 2));
  return select(J > T(0.0), max(s, t * t), one) < T(0.04);  // of 2E
}

/// psi, in the form that loses no digits where the material has one for small strain.
template <class Material, class T>
BRIO_INLINE T density_of(const Material& material, const Deformation<T>& d) {
  if constexpr (requires { material.psi(SmallStrain<T>(d.F)); }) {
    const auto small = is_small_strain(d.F, d.I.J);
    if (!any(small)) return material.psi(d.I);
    const T form = material.psi(SmallStrain<T>(d.F));
    if (all(small)) return form;
    return select(small, form, material.psi(d.I));
  } else {
    return material.psi(d.I);
  }
}

}  // namespace brio
