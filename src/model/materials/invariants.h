/// Isotropic materials as functions of three invariants of the deformation gradient F:
///
///   t = tr E,  s = E : E,  J = det F      with Green's strain E = (FᵀF - I) / 2.
///
/// I_C = 3 + 2t and II_C = tr C² = 3 + 4t + 4s; t and s vanish at rest, so small strains lose no digits. A material
/// states psi and its derivatives in t, s, J; stress, tangent and eigensystem follow for all of them alike (tangent.h).
#pragma once

#include "math/small.h"

namespace brio {

/// Which derivatives of psi are not identically zero; the others cost nothing.
enum Dependence : unsigned {
  on_t = 1,
  on_s = 2,
  on_J = 4,
  on_tt = 8,
  on_ts = 16,
  on_tJ = 32,
  on_ss = 64,
  on_sJ = 128,
  on_JJ = 256
};

/// Derivatives of psi [J/m³]. Members that a material does not depend on are never read.
template <class T>
struct Gradient {
  T t{}, s{}, J{};
};

template <class T>
struct Curvature {
  T tt{}, ts{}, tJ{}, ss{}, sJ{}, JJ{};
};

template <class T>
struct Invariants {
  T t, s, J;
};

/// F with what its invariants were computed from.
template <class T>
struct Deformation {
  Matrix3<T> F;
  Symmetric3<T> E;  ///< only when needs_E
  Matrix3<T> cof;   ///< only when needs_cof
  Invariants<T> I;
};

template <class Material>
constexpr bool needs_E = (Material::depends & on_s) != 0;
template <class Material>
constexpr bool needs_J = (Material::depends & on_J) != 0;
template <class Material>
constexpr bool needs_t = (Material::depends & on_t) != 0;

/// 2E = FᵀF - I.
template <class T>
BRIO_INLINE Symmetric3<T> twice_green_strain(const Matrix3<T>& F) {
  auto column = [&F](int p, int q) { return dot3(F(0, p), F(1, p), F(2, p), F(0, q), F(1, q), F(2, q)); };
  const T one(1.0);
  return {column(0, 0) - one, column(1, 1) - one, column(2, 2) - one, column(0, 1), column(0, 2), column(1, 2)};
}

template <class T>
BRIO_INLINE Symmetric3<T> scaled(T factor, const Symmetric3<T>& S) {
  return {factor * S.xx, factor * S.yy, factor * S.zz, factor * S.xy, factor * S.xz, factor * S.yz};
}

/// E = (FᵀF - I) / 2.
template <class T>
BRIO_INLINE Symmetric3<T> green_strain(const Matrix3<T>& F) {
  return scaled(T(0.5), twice_green_strain(F));
}

template <class Material, class T>
BRIO_INLINE Deformation<T> deformation(const Matrix3<T>& F) {
  Deformation<T> d;
  d.F = F;
  if constexpr (needs_E<Material>) {
    d.E = green_strain(F);
    d.I.t = d.E.xx + d.E.yy + d.E.zz;
    d.I.s = fma(T(2.0), dot3(d.E.xy, d.E.xz, d.E.yz, d.E.xy, d.E.xz, d.E.yz),
                dot3(d.E.xx, d.E.yy, d.E.zz, d.E.xx, d.E.yy, d.E.zz));
  } else if constexpr (needs_t<Material>) {
    d.I.t = T(0.5) * (squared_norm(F) - T(3.0));
  }
  if constexpr (needs_J<Material>) {
    d.cof = cofactor(F);
    d.I.J = dot3(F(0, 0), F(0, 1), F(0, 2), d.cof(0, 0), d.cof(0, 1), d.cof(0, 2));
  }
  return d;
}

/// First Piola–Kirchhoff stress P = dpsi/dF = F S + psi_J cof F, with S = psi_t I + 2 psi_s E.
template <class Material, class T>
BRIO_INLINE Matrix3<T> pk1(const Deformation<T>& d, const Gradient<T>& g) {
  Matrix3<T> P;
  if constexpr (needs_E<Material>) {
    const T two_s = g.s + g.s;
    const Symmetric3<T> S{fma(two_s, d.E.xx, g.t), fma(two_s, d.E.yy, g.t), fma(two_s, d.E.zz, g.t),
                          two_s * d.E.xy,          two_s * d.E.xz,          two_s * d.E.yz};
    for (int i = 0; i < 3; ++i) {
      const Vector3<T> row = S * Vector3<T>{{d.F(i, 0), d.F(i, 1), d.F(i, 2)}};
      for (int j = 0; j < 3; ++j) P(i, j) = row[j];
    }
  } else if constexpr (needs_t<Material>) {
    for (int k = 0; k < 9; ++k) P.m[k] = g.t * d.F.m[k];
  }
  if constexpr (needs_J<Material>) {
    for (int k = 0; k < 9; ++k) {
      if constexpr (needs_t<Material>) {
        P.m[k] = fma(g.J, d.cof.m[k], P.m[k]);
      } else {
        P.m[k] = g.J * d.cof.m[k];
      }
    }
  }
  return P;
}

}  // namespace brio
