/// The tangent dP/dF of an isotropic material, seen through the shape gradients of an element: with dF = e_j ⊗ w, the
/// block
///
///   K_ij(u, w) = Σ_kl u_k ∂P_ik/∂F_jl w_l
///
/// couples a vertex with shape gradient u to one with shape gradient w. `probe` does once per vertex what `block` needs
/// per pair.
#pragma once

#include "math/svd.h"
#include "model/materials/invariants.h"

namespace brio {

/// Exact tangent.
template <class Material, class T>
class Tangent {
  static constexpr unsigned depends = Material::depends;

 public:
  struct Probe {
    Vector3<T> u;
    Vector3<T> Fu;    ///< dt/dF u
    Vector3<T> Su;    ///< S u, for the geometric stiffness
    Vector3<T> FEu2;  ///< ds/dF u = 2 F E u
    Vector3<T> cu;    ///< dJ/dF u = cof(F) u
  };

  BRIO_INLINE Tangent(T weight, const Deformation<T>& d, const Gradient<T>& g, const Curvature<T>& c)
      : d_(d), g_{weight * g.t, weight * g.s, weight * g.J}, c_{weight * c.tt, weight * c.ts, weight * c.tJ,
                                                                weight * c.ss, weight * c.sJ, weight * c.JJ} {
    if constexpr (needs_E<Material>) {
      auto row = [&d](int p, int q) { return dot3(d.F(p, 0), d.F(p, 1), d.F(p, 2), d.F(q, 0), d.F(q, 1), d.F(q, 2)); };
      const T s = g_.s;
      sFF_ = {s * row(0, 0), s * row(1, 1), s * row(2, 2), s * row(0, 1), s * row(0, 2), s * row(1, 2)};
    }
  }

  BRIO_INLINE Probe probe(const Vector3<T>& u) const {
    Probe p;
    p.u = u;
    if constexpr ((depends & (on_s | on_tt | on_ts | on_tJ)) != 0) p.Fu = d_.F * u;
    if constexpr (needs_E<Material>) {
      const Vector3<T> Eu = d_.E * u;
      const T two_s = g_.s + g_.s;
      for (int i = 0; i < 3; ++i) p.Su[i] = fma(two_s, Eu[i], g_.t * u[i]);
      if constexpr ((depends & (on_ts | on_ss | on_sJ)) != 0) p.FEu2 = T(2.0) * (d_.F * Eu);
    } else if constexpr (needs_t<Material>) {
      p.Su = g_.t * u;
    }
    if constexpr ((depends & (on_tJ | on_sJ | on_JJ)) != 0) p.cu = d_.cof * u;
    return p;
  }

  BRIO_INLINE void block(const Probe& a, const Probe& b, Matrix3<T>& K) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K(i, j) = rank_one_terms(a, b, i, j);
    if constexpr (needs_E<Material>) {
      const T uw = dot(a.u, b.u);
      const Symmetric3<T>& m = sFF_;
      const T full[9] = {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz};
      for (int k = 0; k < 9; ++k) K.m[k] = fma(uw, full[k], K.m[k]);
      for (int i = 0; i < 3; ++i) {
        const T scaled = g_.s * b.Fu[i];
        for (int j = 0; j < 3; ++j) K(i, j) = fma(scaled, a.Fu[j], K(i, j));
      }
    }
    if constexpr (needs_t<Material>) {
      const T geometric = dot(a.Su, b.u);
      for (int i = 0; i < 3; ++i) K(i, i) += geometric;
    }
    if constexpr (needs_J<Material>) {
      // d cof(F): the skew matrix of psi_J F (u × w).
      const Vector3<T> f = g_.J * (d_.F * cross(a.u, b.u));
      K(0, 1) += f[2];
      K(1, 0) -= f[2];
      K(0, 2) -= f[1];
      K(2, 0) += f[1];
      K(1, 2) += f[0];
      K(2, 1) -= f[0];
    }
  }

 private:
  /// Σ psi_mn (dm/dF u)_i (dn/dF w)_j over the non-zero second derivatives.
  BRIO_INLINE T rank_one_terms(const Probe& a, const Probe& b, int i, int j) const {
    T left_t(0.0), left_s(0.0), left_J(0.0);
    bool has_t = false, has_s = false, has_J = false;
    auto add = [](T& sum, bool& has, T coefficient, T factor) {
      sum = has ? fma(coefficient, factor, sum) : coefficient * factor;
      has = true;
    };
    if constexpr ((depends & on_tt) != 0) add(left_t, has_t, c_.tt, a.Fu[i]);
    if constexpr ((depends & on_ts) != 0) add(left_t, has_t, c_.ts, a.FEu2[i]), add(left_s, has_s, c_.ts, a.Fu[i]);
    if constexpr ((depends & on_tJ) != 0) add(left_t, has_t, c_.tJ, a.cu[i]), add(left_J, has_J, c_.tJ, a.Fu[i]);
    if constexpr ((depends & on_ss) != 0) add(left_s, has_s, c_.ss, a.FEu2[i]);
    if constexpr ((depends & on_sJ) != 0) add(left_s, has_s, c_.sJ, a.cu[i]), add(left_J, has_J, c_.sJ, a.FEu2[i]);
    if constexpr ((depends & on_JJ) != 0) add(left_J, has_J, c_.JJ, a.cu[i]);
    T sum(0.0);
    bool has = false;
    if (has_t) add(sum, has, left_t, b.Fu[j]);
    if (has_s) add(sum, has, left_s, b.FEu2[j]);
    if (has_J) add(sum, has, left_J, b.cu[j]);
    return sum;
  }

  Deformation<T> d_;
  Gradient<T> g_;
  Curvature<T> c_;
  Symmetric3<T> sFF_;  ///< psi_s F Fᵀ
};

/// Second derivatives in the principal frame F = U Σ Vᵀ, where the tangent falls apart into stretching (3x3), and for
/// each pair of axes one symmetric (flip) and one antisymmetric (twist) mode. [Stomakhin et al. 2012; Smith, de Goes &
/// Kim 2019]
template <class T>
struct PrincipalTangent {
  Symmetric3<T> stretch;  ///< ∂²psi/∂sigma_i∂sigma_j
  Vector3<T> flip;        ///< (psi_i - psi_j)/(sigma_i - sigma_j) for the pair without axis k
  Vector3<T> twist;       ///< (psi_i + psi_j)/(sigma_i + sigma_j)
};

template <class Material, class T>
BRIO_INLINE PrincipalTangent<T> principal_tangent(const Material& material, const Vector3<T>& sigma) {
  const T one(1.0);
  const Vector3<T> square{{sigma[0] * sigma[0], sigma[1] * sigma[1], sigma[2] * sigma[2]}};
  const Vector3<T> e{{T(0.5) * (square[0] - one), T(0.5) * (square[1] - one), T(0.5) * (square[2] - one)}};
  const Vector3<T> J_i{{sigma[1] * sigma[2], sigma[0] * sigma[2], sigma[0] * sigma[1]}};
  const Invariants<T> I{e[0] + e[1] + e[2], dot(e, e), sigma[0] * J_i[0]};
  const Gradient<T> g = material.gradient(I);
  const Curvature<T> c = material.curvature(I);
  const Vector3<T> s_i{{T(2.0) * e[0] * sigma[0], T(2.0) * e[1] * sigma[1], T(2.0) * e[2] * sigma[2]}};
  auto entry = [&](int i, int j) {
    T a = c.tt * sigma[i] * sigma[j] + c.ss * s_i[i] * s_i[j] + c.JJ * J_i[i] * J_i[j];
    a += c.ts * (sigma[i] * s_i[j] + s_i[i] * sigma[j]) + c.tJ * (sigma[i] * J_i[j] + J_i[i] * sigma[j]) +
         c.sJ * (s_i[i] * J_i[j] + J_i[i] * s_i[j]);
    if (i == j) return a + g.t + g.s * (T(3.0) * square[i] - one);
    return a + g.J * sigma[3 - i - j];
  };
  PrincipalTangent<T> p;
  p.stretch = {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    const T sum = square[i] + square[j] - one;
    const T product = sigma[i] * sigma[j];
    p.flip[k] = g.t + g.s * (sum + product) - sigma[k] * g.J;
    p.twist[k] = g.t + g.s * (sum - product) + sigma[k] * g.J;
  }
  return p;
}

/// Tangent with its negative eigenvalues set to zero, each in closed form.
template <class T>
class ProjectedTangent {
 public:
  using Probe = Vector3<T>;  ///< Vᵀ u

  BRIO_INLINE ProjectedTangent(T weight, const Svd<T>& svd, const PrincipalTangent<T>& p) : svd_(svd) {
    Symmetric3<T> stretch = p.stretch;
    if (!all(is_positive(stretch))) stretch = clamp_to_positive(stretch);
    stretch_ = {weight * stretch.xx, weight * stretch.yy, weight * stretch.zz,
                weight * stretch.xy, weight * stretch.xz, weight * stretch.yz};
    const T half = T(0.5) * weight;
    for (int k = 0; k < 3; ++k) {
      const T flip = max(p.flip[k], T(0.0));
      const T twist = max(p.twist[k], T(0.0));
      even_[k] = half * (flip + twist);
      odd_[k] = half * (flip - twist);
    }
  }

  BRIO_INLINE Probe probe(const Vector3<T>& u) const { return transposed_times(svd_.V, u); }

  BRIO_INLINE void block(const Probe& u, const Probe& w, Matrix3<T>& K) const {
    const Symmetric3<T>& A = stretch_;
    const T x = u[0] * w[0];
    const T y = u[1] * w[1];
    const T z = u[2] * w[2];
    const Matrix3<T> D{{dot3(A.xx, even_[2], even_[1], x, y, z), fma(A.xy, u[0] * w[1], odd_[2] * (u[1] * w[0])),
                        fma(A.xz, u[0] * w[2], odd_[1] * (u[2] * w[0])),
                        fma(A.xy, u[1] * w[0], odd_[2] * (u[0] * w[1])), dot3(even_[2], A.yy, even_[0], x, y, z),
                        fma(A.yz, u[1] * w[2], odd_[0] * (u[2] * w[1])),
                        fma(A.xz, u[2] * w[0], odd_[1] * (u[0] * w[2])),
                        fma(A.yz, u[2] * w[1], odd_[0] * (u[1] * w[2])), dot3(even_[1], even_[0], A.zz, x, y, z)}};
    K = times_transposed(svd_.U * D, svd_.U);
  }

 private:
  Svd<T> svd_;
  Symmetric3<T> stretch_;
  Vector3<T> even_, odd_;
};

}  // namespace brio
