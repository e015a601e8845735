/// Linear tetrahedron of any material: energy w psi(F), F = D_s D_m⁻¹, w the rest volume (or 1 for volume springs).
#pragma once

#include "math/cubic.h"
#include "model/energies/tet_assembly.h"
#include "model/materials/corotated.h"
#include "model/materials/discrete_stress.h"
#include "model/materials/tangent.h"

namespace brio {

template <class T>
struct Response {
  T psi;
  Matrix3<T> P;
};

template <class Material, class T>
BRIO_INLINE T energy_density(const Material& material, const Matrix3<T>& F) {
  if constexpr (std::is_same_v<Material, Corotated>) {
    return corotated_stress(material, F, polar_rotation(F)).psi;
  } else {
    return density_of(material, deformation<Material>(F));
  }
}

template <class Material, class T>
BRIO_INLINE Response<T> response(const Material& material, const Matrix3<T>& F) {
  if constexpr (std::is_same_v<Material, Corotated>) {
    const auto s = corotated_stress(material, F, polar_rotation(F));
    return {s.psi, s.P};
  } else {
    const Deformation<T> d = deformation<Material>(F);
    return {density_of(material, d), pk1<Material>(d, material.gradient(d.I))};
  }
}

template <class T, class TangentType>
struct CurvedResponse {
  Response<T> response;
  TangentType tangent;
};
template <class T, class TangentType>
CurvedResponse(Response<T>, TangentType) -> CurvedResponse<T, TangentType>;

/// As `response`, with `weight` times the tangent.
template <class Material, class T>
BRIO_INLINE auto curved_response(const Material& material, const Matrix3<T>& F, T weight) {
  if constexpr (std::is_same_v<Material, Corotated>) {
    const Matrix3<T> R = polar_rotation(F);
    const auto s = corotated_stress(material, F, R);
    return CurvedResponse{Response<T>{s.psi, s.P}, CorotatedTangent<T>(weight, material, F, R, s.k)};
  } else {
    const Deformation<T> d = deformation<Material>(F);
    const Gradient<T> g = material.gradient(d.I);
    return CurvedResponse{Response<T>{density_of(material, d), pk1<Material>(d, g)},
                          Tangent<Material, T>(weight, d, g, material.curvature(d.I))};
  }
}

/// As `discrete_response` from F0 to F1, with `weight` times a tangent at the mean of both: it stands in for the
/// derivative of P by F1, of which it is twice the symmetric part where steps are small.
template <class Material, class T>
BRIO_INLINE auto curved_discrete_response(const Material& material, const Matrix3<T>& F0, const Matrix3<T>& F1,
                                          T weight) {
  constexpr bool corotated = std::is_same_v<Material, Corotated>;
  std::conditional_t<corotated, DiscreteCorotated<T>, DiscreteDeformation<Material, T>> d;
  const DiscreteResponse<T> r = discrete_response(material, F0, F1, d);
  const Response<T> response{r.psi, r.P};
  if constexpr (corotated) {
    return CurvedResponse{response, CorotatedTangent<T>(weight, material, d.F, d.R, d.k)};
  } else {
    return CurvedResponse{response, Tangent<Material, T>(weight, d.mean, d.g, material.curvature(d.mean.I))};
  }
}

template <class Material>
struct TetKernel {
  static constexpr int nodes = 4;
  static constexpr int force_degree = Material::force_degree;
  static constexpr int parameters = 10;  ///< shape gradients of vertices 1, 2, 3 [1/m], then the weight [m³]
  Material material;

  template <class T>
  BRIO_INLINE T energy(const T* p, const Vector3<T> x[nodes]) const {
    return weighted(p[9], energy_density(material, deformation_gradient(p, x)));
  }

  /// g: `weight` times the gradient.
  template <class T>
  BRIO_INLINE T gradient(const T* p, const Vector3<T> x[nodes], T weight, Vector3<T> g[nodes]) const {
    const Response<T> r = response(material, deformation_gradient(p, x));
    spread(p, weight, r.P, g);
    return weighted(p[9], r.psi);
  }

  /// K: `hessian_weight` times the lower triangle of blocks row by row: 00, 10, 11, 20, 21, 22, 30, …
  template <bool project, class T>
  BRIO_INLINE T hessian(const T* p, const Vector3<T> x[nodes], T weight, T hessian_weight, Vector3<T> g[nodes],
                        Matrix3<T> K[10]) const {
    if constexpr (project) {
      projected_blocks(p, x, hessian_weight, K);
      return gradient(p, x, weight, g);
    } else {
      const auto [r, tangent] = curved_response(material, deformation_gradient(p, x), hessian_weight * p[9]);
      assemble(p, tangent, K);
      spread(p, weight, r.P, g);
      return weighted(p[9], r.psi);
    }
  }
  template <class T>
  BRIO_INLINE void projected_blocks(const T* p, const Vector3<T> x[nodes], T hessian_weight, Matrix3<T> K[10]) const {
    const Svd<T> d = svd(deformation_gradient(p, x));
    assemble_projected(p, hessian_weight * p[9], d, principal_tangent(material, d.sigma), K);
  }

  /// g: `weight` times half of the discrete gradient (discrete_stress.h) for a step from x_n to x; returns the energy
  /// at x.
  template <class T>
  BRIO_INLINE T discrete_gradient(const T* p, const Vector3<T> x_n[nodes], const Vector3<T> x[nodes], T weight,
                                  Vector3<T> g[nodes]) const {
    constexpr bool corotated = std::is_same_v<Material, Corotated>;
    std::conditional_t<corotated, DiscreteCorotated<T>, DiscreteDeformation<Material, T>> d;
    const DiscreteResponse<T> r =
        discrete_response(material, deformation_gradient(p, x_n), deformation_gradient(p, x), d);
    spread(p, T(0.5) * weight, r.P, g);
    return weighted(p[9], r.psi);
  }
  template <bool project, class T>
  BRIO_INLINE T discrete_hessian(const T* p, const Vector3<T> x_n[nodes], const Vector3<T> x[nodes], T weight,
                                 T hessian_weight, Vector3<T> g[nodes], Matrix3<T> K[10]) const {
    if constexpr (project) {
      discrete_projected_blocks(p, x_n, x, hessian_weight, K);
      return discrete_gradient(p, x_n, x, weight, g);
    } else {
      const auto [r, tangent] = curved_discrete_response(material, deformation_gradient(p, x_n),
                                                         deformation_gradient(p, x), T(0.25) * hessian_weight * p[9]);
      assemble(p, tangent, K);
      spread(p, T(0.5) * weight, r.P, g);
      return weighted(p[9], r.psi);
    }
  }
  template <class T>
  BRIO_INLINE void discrete_projected_blocks(const T* p, const Vector3<T> x_n[nodes], const Vector3<T> x[nodes],
                                             T hessian_weight, Matrix3<T> K[10]) const {
    const Svd<T> mean = svd(combine(T(0.5), deformation_gradient(p, x_n), T(0.5), deformation_gradient(p, x)));
    assemble_projected(p, T(0.25) * hessian_weight * p[9], mean, principal_tangent(material, mean.sigma), K);
  }

  /// K: w V0 m (b_a . b_b) with shape gradients b and the material's modulus m, lower triangle row by row.
  template <class T>
  BRIO_INLINE void laplacian(const T* p, T weight, T K[10]) const {
    Vector3<T> b[nodes];
    for (int a = 0; a < 3; ++a) b[a + 1] = shape_gradient(p, a);
    b[0] = T(-1.0) * (b[1] + b[2] + b[3]);
    const T w = weight * p[9] * T(material.modulus());
    for (int a = 0, k = 0; a < nodes; ++a)
      for (int c = 0; c <= a; ++c, ++k) K[k] = w * dot(b[a], b[c]);
  }

  /// By which corrections of path means are measured: that of linear springs as stiff as the material at rest.
  template <class T>
  BRIO_INLINE void metric(const T* p, T K[10]) const {
    laplacian(p, T(1.0), K);
  }

  /// Whether x + s d stays within the domain for all s in [0, 1], in every lane, and clear of its edge: energies there
  /// are finite for some materials, but rounding is all that they are made of.
  template <class T>
  BRIO_INLINE bool free_path(const T* p, const Vector3<T> x[nodes], const Vector3<T> d[nodes]) const {
    if constexpr (Material::barrier) {
      T c[4];
      volume_along(p, x, d, c);
      c[0] -= T(1e-3) * min(c[0], T(1e-3));
      if (all(surely_positive(c))) return true;
      for (int lane = 0; lane < lane_count<T>; ++lane)
        if (positive_until({c[0][lane], c[1][lane], c[2][lane], c[3][lane]}) < 1) return false;
    }
    return true;
  }

  /// J along x + s d as a polynomial in s: det(F + s G) = J(F) + s cof(F):G + s² F:cof(G) + s³ det G. Elements without
  /// weight keep J = 1.
  template <class T>
  BRIO_INLINE void volume_along(const T* p, const Vector3<T> x[nodes], const Vector3<T> d[nodes], T c[4]) const {
    const Matrix3<T> F = deformation_gradient(p, x);
    const Matrix3<T> G = deformation_gradient(p, d);
    c[0] = select(p[9] > T(0.0), determinant(F), T(1.0));
    c[1] = inner(cofactor(F), G);
    c[2] = inner(F, cofactor(G));
    c[3] = determinant(G);
  }

 private:
  /// Elements without weight have no energy, not even an infinite one.
  template <class T>
  BRIO_INLINE static T weighted(T weight, T psi) {
    return select(weight > T(0.0), weight * psi, T(0.0));
  }

  template <class T>
  BRIO_INLINE static Matrix3<T> deformation_gradient(const T* p, const Vector3<T> x[nodes]) {
    const Vector3<T> d1 = x[1] - x[0];
    const Vector3<T> d2 = x[2] - x[0];
    const Vector3<T> d3 = x[3] - x[0];
    Matrix3<T> F;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) F(i, j) = dot3(d1[i], d2[i], d3[i], p[j], p[3 + j], p[6 + j]);
    return F;
  }

  template <class T>
  BRIO_INLINE static void spread(const T* p, T weight, const Matrix3<T>& P, Vector3<T> g[nodes]) {
    const T w = weight * p[9];
    Matrix3<T> wP;
    for (int k = 0; k < 9; ++k) wP.m[k] = w * P.m[k];
    for (int a = 0; a < 3; ++a) g[a + 1] = wP * shape_gradient(p, a);
    for (int i = 0; i < 3; ++i) g[0][i] = -(g[1][i] + g[2][i] + g[3][i]);
  }
};

}  // namespace brio
