/// Strain where terms of psi cancel: t, J − 1 and ln J agree to first order, so that their differences, which are all
/// that is left of psi at strain ε, lose 1/ε of their digits. Taken from E alone they lose none:
///   J² = det(I + 2E) = 1 + 2t + r,  r = 2(t² − s) + 8 det E;   j = J − 1 = (2t + r)/(1 + J);   t − j = (t j − r)/(2 +
///   j).
#pragma once

#include "model/materials/invariants.h"

namespace brio {

template <class T>
struct SmallStrain {
  T t, s;
  T j;        ///< J − 1
  T log;      ///< ln J
  T deficit;  ///< t − ln J

  BRIO_INLINE explicit SmallStrain(const Matrix3<T>& F) {
    const T half(0.5);
    const T one(1.0);
    auto column = [&F](int p, int q) { return dot3(F(0, p), F(1, p), F(2, p), F(0, q), F(1, q), F(2, q)); };
    const T xx = half * (column(0, 0) - one), yy = half * (column(1, 1) - one), zz = half * (column(2, 2) - one);
    const T xy = half * column(0, 1), xz = half * column(0, 2), yz = half * column(1, 2);
    t = xx + yy + zz;
    // (t² − s)/2 is the sum of the principal minors.
    const T minors = (xx * yy - xy * xy) + (yy * zz - yz * yz) + (xx * zz - xz * xz);
    s = t * t - T(2.0) * minors;
    const T det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    const T r = T(4.0) * minors + T(8.0) * det;
    const T square = max(T(2.0) * t + r, T(-0.99));
    j = square / (one + sqrt(one + square));
    const T J = one + j;
    log = log_of_positive(J) + (j - (J - one)) / J;
    deficit = (t * j - r) / (T(2.0) + j) + (j - log);
  }

  /// eᶻ − 1 − z for |z| < 1/2.
  BRIO_INLINE static T beyond_linear(T z) {
    T series(1.0);
    for (int k = 14; k > 2; --k) series = fma(z * T(1.0 / k), series, T(1.0));
    return T(0.5) * z * z * series;
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
