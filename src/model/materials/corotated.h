#pragma once

#include "math/rotation.h"
#include "model/materials/tangent.h"

namespace brio {

/// Corotated linear elasticity: psi = mu |F - R|² + lambda/2 tr(RᵀF - I)², R the rotation nearest to F, det R = +1 also
/// when inverted. lambda = 0 is as-rigid-as-possible, the local/global form of S1.
struct Corotated {
  static constexpr const char* name = "corotated";
  static constexpr bool barrier = false;
  static constexpr int force_degree = 0;
  double mu, lambda;  ///< Lamé [Pa]

  double modulus() const {
    return 2 * mu + lambda;
  }  ///< of uniaxial strain at rest [Pa]; with lambda = 0 the weight of the projective form
};

/// psi and stress: P = 2 mu (F - R) + lambda tr(RᵀF - I) R.
template <class T>
struct CorotatedStress {
  T psi;
  T k;  ///< lambda tr(RᵀF - I) - 2 mu
  Matrix3<T> P;
};

template <class T>
BRIO_INLINE CorotatedStress<T> corotated_stress(const Corotated& material, const Matrix3<T>& F, const Matrix3<T>& R) {
  Matrix3<T> D;
  for (int i = 0; i < 9; ++i) D.m[i] = F.m[i] - R.m[i];
  const T trace = inner(R, D);  // tr(RᵀF - I), without the cancellation
  CorotatedStress<T> r;
  r.psi = fma(T(0.5 * material.lambda) * trace, trace, T(material.mu) * squared_norm(D));
  r.k = fma(T(material.lambda), trace, T(-2 * material.mu));
  for (int i = 0; i < 9; ++i) r.P.m[i] = fma(r.k, R.m[i], T(2 * material.mu) * F.m[i]);
  return r;
}

/// dP = 2 mu dF + lambda (R : dF) R + k dR with dR = [G⁻¹ axl(dF Rᵀ - R dFᵀ)]× R, G = tr(B) I - B, B = F Rᵀ.
template <class T>
class CorotatedTangent {
 public:
  struct Probe {
    Vector3<T> u;
    Vector3<T> r;   ///< R u
    Matrix3<T> rG;  ///< [r]× (-w k G⁻¹)
  };

  BRIO_INLINE CorotatedTangent(T weight, const Corotated& material, const Matrix3<T>& F, const Matrix3<T>& R, T k)
      : two_mu_(weight * T(2 * material.mu)), lambda_(weight * T(material.lambda)), R_(R) {
    const auto s = stationarity(F, R);
    // Where two stretches cancel the rotation is not differentiable; a large finite stiffness stands in for an infinite
    // one.
    const T smallest = T(1e-12) * s.trace * s.trace * s.trace;
    const T scale = -(weight * k) / select(abs(s.det) > abs(smallest), s.det, abs(smallest) + T(1e-300));
    const auto& a = s.adjugate;
    G_ = {{scale * a.xx, scale * a.xy, scale * a.xz, scale * a.xy, scale * a.yy, scale * a.yz, scale * a.xz,
           scale * a.yz, scale * a.zz}};
  }

  BRIO_INLINE Probe probe(const Vector3<T>& u) const {
    Probe p;
    p.u = u;
    p.r = R_ * u;
    for (int j = 0; j < 3; ++j) {
      const Vector3<T> column = cross(p.r, Vector3<T>{{G_(0, j), G_(1, j), G_(2, j)}});
      for (int i = 0; i < 3; ++i) p.rG(i, j) = column[i];
    }
    return p;
  }

  BRIO_INLINE void block(const Probe& a, const Probe& b, Matrix3<T>& K) const {
    const T diagonal = two_mu_ * dot(a.u, b.u);
    for (int i = 0; i < 3; ++i) {
      const Vector3<T> row{{a.rG(i, 0), a.rG(i, 1), a.rG(i, 2)}};
      const Vector3<T> turned = cross(row, b.r);  // row · [b.r]×
      const T l = lambda_ * a.r[i];
      for (int j = 0; j < 3; ++j) K(i, j) = fma(l, b.r[j], turned[j]);
      K(i, i) += diagonal;
    }
  }

 private:
  T two_mu_, lambda_;
  Matrix3<T> R_;
  Matrix3<T> G_;
};

/// In the principal frame: psi = mu Σ (sigma_i - 1)² + lambda/2 (Σ sigma_i - 3)².
template <class T>
BRIO_INLINE PrincipalTangent<T> principal_tangent(const Corotated& material, const Vector3<T>& sigma) {
  const T two_mu(2 * material.mu);
  const T lambda(material.lambda);
  const T k = lambda * (sigma[0] + sigma[1] + sigma[2] - T(3.0)) - two_mu;
  PrincipalTangent<T> p;
  p.stretch = {two_mu + lambda, two_mu + lambda, two_mu + lambda, lambda, lambda, lambda};
  for (int axis = 0; axis < 3; ++axis) {
    const T sum = sigma[(axis + 1) % 3] + sigma[(axis + 2) % 3];
    const T safe = max(sum, T(1e-9) * abs(sigma[0]) + T(1e-300));
    p.flip[axis] = two_mu;
    p.twist[axis] = fma(T(2.0) / safe, k, two_mu);
  }
  return p;
}

}  // namespace brio
