/// Laws of springs, and springs between two vertices.
#pragma once

#include <utility>

#include "math/small.h"
#include "model/energies/spring_mean.h"

namespace brio {

/// What a spring does along d, the vector between its ends, l = |d|: gradient = tension d, Hessian = tension I + axial
/// d dᵀ.
template <class T>
struct SpringResponse {
  T energy, tension, axial;
};

/// k/2 (l - r)², k in N/m. [S0 section 4, S1 eq. 1]
struct HookeanLaw {
  static constexpr const char* name = "hookean";
  static constexpr int force_degree = 0;
  template <class T>
  BRIO_INLINE static SpringResponse<T> respond(T l2, T r, T k) {
    const T l = sqrt(l2);
    const T stretch = l - r;
    // Ends that coincide pull in no direction: the limit 1 keeps springs of rest length zero quadratic.
    const T inverse = T(1.0) / max(l, T(1e-150));
    const auto apart = l > T(1e-150);
    const T ratio = select(apart, r * inverse, T(0.0));
    return {T(0.5) * k * stretch * stretch, k * (T(1.0) - ratio), k * ratio * select(apart, inverse * inverse, T(0.0))};
  }
  /// The squared length whose tension, along the mean of d, is the discrete gradient of a step: that of the mean
  /// length.
  template <class T>
  BRIO_INLINE static T mean_square(T before, T after) {
    const T mean = T(0.5) * (sqrt(before) + sqrt(after));
    return mean * mean;
  }
  /// Curvature along the spring, at any length: k, so that k/2 min_p |d - p|² over |p| = r is projective.
  template <class T>
  BRIO_INLINE static T stiffness(T, T k) {
    return k;
  }
};

/// k/2 (l² - r²)², k in N/m³: polynomial, so AVF is exact. [S0 eq. 5]
struct StVKLaw {
  static constexpr const char* name = "stvk";
  static constexpr int force_degree = 3;
  template <class T>
  BRIO_INLINE static SpringResponse<T> respond(T l2, T r, T k) {
    const T stretch = fma(-r, r, l2);
    return {T(0.5) * k * stretch * stretch, T(2.0) * k * stretch, T(4.0) * k};
  }
  template <class T>
  BRIO_INLINE static T mean_square(T before, T after) {
    return T(0.5) * (before + after);
  }
  /// Curvature along the spring at rest.
  template <class T>
  BRIO_INLINE static T stiffness(T r, T k) {
    return T(4.0) * k * r * r;
  }
};

/// Removes the negative eigenvalues: tension (twice, across d) and tension + axial l² (along d).
template <class T>
BRIO_INLINE SpringResponse<T> positive_part(const SpringResponse<T>& s, T l2) {
  const T across = max(s.tension, T(0.0));
  const T along = max(fma(s.axial, l2, s.tension), T(0.0));
  const T safe = max(l2, T(1e-300));
  return {s.energy, across, select(l2 > T(1e-300), (along - across) / safe, T(0.0))};
}

template <class T>
BRIO_INLINE Matrix3<T> spring_stiffness(const SpringResponse<T>& s, const Vector3<T>& d, T weight) {
  const T tension = weight * s.tension;
  const T axial = weight * s.axial;
  Matrix3<T> K;
  for (int i = 0; i < 3; ++i) {
    const T row = axial * d[i];
    for (int j = 0; j < 3; ++j) K(i, j) = row * d[j];
    K(i, i) += tension;
  }
  return K;
}

/// A spring in a step from d_n to d: the tension along the mean of both for which tension d̄·Δd is the change of energy,
/// exactly. As energies are functions of l², Δl² = 2 d̄·Δd makes it Δenergy / (Δl²/2), which is the tension of a length
/// between (Law::mean_square). The response is that of the mean, its energy that of d.
template <class T>
struct SpringStep {
  Vector3<T> mean;
  SpringResponse<T> response;
};
template <class Law, class T>
BRIO_INLINE SpringStep<T> spring_step(const Vector3<T>& d_n, const Vector3<T>& d, T r, T k) {
  const T l2 = dot(d, d);
  SpringStep<T> step{T(0.5) * (d_n + d), Law::respond(Law::mean_square(dot(d_n, d_n), l2), r, k)};
  step.response.energy = Law::respond(l2, r, k).energy;
  return step;
}

template <class Law>
struct SpringKernel {
  static constexpr int nodes = 2;
  static constexpr int force_degree = Law::force_degree;
  static constexpr int parameters = 2;  ///< rest length [m], stiffness

  template <class T>
  BRIO_INLINE T energy(const T* p, const Vector3<T> x[nodes]) const {
    const Vector3<T> d = x[1] - x[0];
    return Law::respond(dot(d, d), p[0], p[1]).energy;
  }
  template <class T>
  BRIO_INLINE T gradient(const T* p, const Vector3<T> x[nodes], T weight, Vector3<T> g[nodes]) const {
    const Vector3<T> d = x[1] - x[0];
    const SpringResponse<T> s = Law::respond(dot(d, d), p[0], p[1]);
    g[1] = (weight * s.tension) * d;
    g[0] = T(-1.0) * g[1];
    return s.energy;
  }
  template <bool project, class T>
  BRIO_INLINE T hessian(const T* p, const Vector3<T> x[nodes], T weight, T hessian_weight, Vector3<T> g[nodes],
                        Matrix3<T> K[3]) const {
    const Vector3<T> d = x[1] - x[0];
    const T l2 = dot(d, d);
    const SpringResponse<T> s = Law::respond(l2, p[0], p[1]);
    g[1] = (weight * s.tension) * d;
    g[0] = T(-1.0) * g[1];
    K[0] = K[2] = spring_stiffness(project ? positive_part(s, l2) : s, d, hessian_weight);
    for (int k = 0; k < 9; ++k) K[1].m[k] = -K[0].m[k];
    return s.energy;
  }
  template <class T>
  BRIO_INLINE void laplacian(const T* p, T weight, T K[3]) const {
    K[0] = K[2] = weight * Law::stiffness(p[0], p[1]);
    K[1] = -K[0];
  }

  /// As that of tetrahedra (tet_kernel.h).
  template <class T>
  BRIO_INLINE T discrete_gradient(const T* p, const Vector3<T> x_n[nodes], const Vector3<T> x[nodes], T weight,
                                  Vector3<T> g[nodes]) const {
    const SpringStep<T> step = spring_step<Law>(x_n[1] - x_n[0], x[1] - x[0], p[0], p[1]);
    g[1] = (T(0.5) * weight * step.response.tension) * step.mean;
    g[0] = T(-1.0) * g[1];
    return step.response.energy;
  }
  template <bool project, class T>
  BRIO_INLINE T discrete_hessian(const T* p, const Vector3<T> x_n[nodes], const Vector3<T> x[nodes], T weight,
                                 T hessian_weight, Vector3<T> g[nodes], Matrix3<T> K[3]) const {
    const auto [mean, response] = spring_step<Law>(x_n[1] - x_n[0], x[1] - x[0], p[0], p[1]);
    g[1] = (T(0.5) * weight * response.tension) * mean;
    g[0] = T(-1.0) * g[1];
    const SpringResponse<T> curved = project ? positive_part(response, dot(mean, mean)) : response;
    K[0] = K[2] = spring_stiffness(curved, mean, T(0.25) * hessian_weight);
    for (int k = 0; k < 9; ++k) K[1].m[k] = -K[0].m[k];
    return response.energy;
  }

  static constexpr bool closed_mean = Law::force_degree == 0;
  /// W/2 of Hookean springs (path_means.h) for the path x + s d; its Hessian where `order` is 2. What is projected is
  /// that of three points.
  template <int order, bool project, class T>
  BRIO_INLINE T mean(const T* p, const Vector3<T> x[nodes], const Vector3<T> d[nodes], Vector3<T> g[nodes],
                     Matrix3<T> K[3]) const {
    const T half(0.5);
    const Vector3<T> from = x[1] - x[0];
    const Vector3<T> change = d[1] - d[0];
    const SpringMean<T> mean(from, change, p[0], p[1]);
    if constexpr (order > 0) {
      g[1] = half * mean.gradient();
      g[0] = T(-1.0) * g[1];
    }
    if constexpr (order > 1) {
      if constexpr (project) {
        K[0] = {};
        for (const auto& [s, b] :
             {std::pair{0.1127016653792583, 5.0 / 18}, {0.5, 8.0 / 18}, {0.8872983346207417, 5.0 / 18}}) {
          const Vector3<T> at = from + T(s) * change;
          const T l2 = dot(at, at);
          const Matrix3<T> part = spring_stiffness(positive_part(Law::respond(l2, p[0], p[1]), l2), at, T(0.5 * b * s));
          for (int k = 0; k < 9; ++k) K[0].m[k] += part.m[k];
        }
      } else {
        K[0] = mean.hessian();
        for (T& entry : K[0].m) entry = half * entry;
      }
      K[2] = K[0];
      for (int k = 0; k < 9; ++k) K[1].m[k] = -K[0].m[k];
    }
    return half * mean.value();
  }
};

}  // namespace brio
