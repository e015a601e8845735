/// Twist of a segment of a wire, as a function of the positions of its ends and of one arm at each.
///
/// With e from R_a to R_b and the arms u = Q_a - R_a, w = Q_b - R_b, the twist θ is the signed angle from u to w about
/// e (the dihedral angle of Q_a, R_a, R_b, Q_b):
///   θ = atan2(|e| e.(u x w), (e x u).(e x w));   E = c/2 (θ - θ⁰)²,   θ - θ⁰ taken in [-π, π].
/// Derivatives, with n = e x a and N = |n|² for an arm a, counted + for w and - for u:
///   ∂θ/∂a = ±|e| n/N,   ∂θ/∂e = ∓(e.a) n/(|e| N)
/// and those of these once more. Moving or turning the whole changes nothing, so both momenta are kept.
///
/// Limits: θ knows nothing of full turns, so a segment twisted by more than half a turn slips by a whole one. An arm
/// along the segment has no direction about it: such a segment has no energy.
#pragma once

#include <numbers>

#include "math/small.h"

namespace brio {

struct TorsionKernel {
  static constexpr int nodes = 4;  ///< R_a < Q_a < R_b < Q_b
  static constexpr int force_degree = 0;
  static constexpr int parameters = 3;  ///< c [N m], θ⁰ [rad], c/|arm|² at rest [N/m]

  template <class T>
  BRIO_INLINE T energy(const T* p, const Vector3<T> x[nodes]) const {
    return energy_of(p, Segment<T>(x).excess(p[1]));
  }

  template <class T>
  BRIO_INLINE T gradient(const T* p, const Vector3<T> x[nodes], T weight, Vector3<T> g[nodes]) const {
    const Segment<T> s(x);
    const T excess = s.excess(p[1]);
    s.slopes(g);
    for (int a = 0; a < nodes; ++a) g[a] = (weight * p[0] * excess) * g[a];
    return energy_of(p, excess);
  }

  /// The positive part is c ∇θ ∇θᵀ, which is all of it at rest.
  template <bool project, class T>
  BRIO_INLINE T hessian(const T* p, const Vector3<T> x[nodes], T weight, T hessian_weight, Vector3<T> g[nodes],
                        Matrix3<T> K[10]) const {
    const Segment<T> s(x);
    const T excess = s.excess(p[1]);
    s.slopes(g);
    const T moment = p[0] * excess;
    if constexpr (project) {
      for (int k = 0; k < 10; ++k) K[k] = {};
    } else {
      s.curvatures(hessian_weight * moment, K);
    }
    for (int a = 0, k = 0; a < nodes; ++a)
      for (int b = 0; b <= a; ++b, ++k) add_outer(hessian_weight * p[0], g[a], g[b], K[k]);
    for (int a = 0; a < nodes; ++a) g[a] = (weight * moment) * g[a];
    return energy_of(p, excess);
  }

  /// A discrete gradient over the step [Gonzalez 1996], of which half is given as for all elements: c times the mean of
  /// θ - θ⁰ times ∇θ where the step is halfway; what that lacks of the gain in energy is put along d, the step less its
  /// nearest rigid motion there, which neither pushes nor turns and has d·Δx = |d|².
  template <class T>
  BRIO_INLINE T discrete_gradient(const T* p, const Vector3<T> x_n[nodes], const Vector3<T> x[nodes], T weight,
                                  Vector3<T> g[nodes]) const {
    const T half(0.5);
    Vector3<T> mean[nodes], d[nodes];
    for (int a = 0; a < nodes; ++a) {
      mean[a] = half * (x_n[a] + x[a]);
      d[a] = x[a] - x_n[a];
    }
    const T before = Segment<T>(x_n).excess(p[1]);
    const T after = Segment<T>(x).excess(p[1]);
    const Segment<T> middle(mean);
    middle.slopes(g);
    const T moment = half * p[0] * (before + after) * middle.defined;
    T work(0.0), slope(0.0), places(0.0);
    for (int a = 0; a < nodes; ++a) {
      g[a] = moment * g[a];
      work += dot(g[a], d[a]);
      slope += dot(g[a], g[a]);
      places += dot(mean[a], mean[a]);
    }
    const T E_n = energy_of(p, before), E = energy_of(p, after);
    const T defect = E - E_n - work;
    const T moved = remove_rigid_motion(mean, d);
    // What rounding makes of energies and of positions must not become a force.
    const T blur = T(1e-14) * (E_n + E) + T(4e-16) * sqrt(slope * places);
    const auto counts = (abs(defect) > blur) & (moved > T(1e-28) * places);
    const T sigma = select(counts, defect / max(moved, T(1e-280)), T(0.0));
    for (int a = 0; a < nodes; ++a) g[a] = (half * weight) * (g[a] + sigma * d[a]);
    return E;
  }
  /// The Hessian of what the gradient is nearly that of: E halfway.
  template <bool project, class T>
  BRIO_INLINE T discrete_hessian(const T* p, const Vector3<T> x_n[nodes], const Vector3<T> x[nodes], T weight,
                                 T hessian_weight, Vector3<T> g[nodes], Matrix3<T> K[10]) const {
    Vector3<T> mean[nodes];
    for (int a = 0; a < nodes; ++a) mean[a] = T(0.5) * (x_n[a] + x[a]);
    hessian<project>(p, mean, T(1.0), T(0.25) * hessian_weight, g, K);
    return discrete_gradient(p, x_n, x, weight, g);
  }

  /// Arms that differ are drawn together: what the energy does to arms at right angles to the segment.
  template <class T>
  BRIO_INLINE void laplacian(const T* p, T weight, T K[10]) const {
    constexpr double sign[nodes]{1, -1, -1, 1};
    for (int a = 0, k = 0; a < nodes; ++a)
      for (int b = 0; b <= a; ++b, ++k) K[k] = T(sign[a] * sign[b]) * weight * p[2];
  }

  /// For corrections of path means: any motion of vertices relative to each other counts, not that of arms alone.
  template <class T>
  BRIO_INLINE void metric(const T* p, T K[10]) const {
    for (int a = 0, k = 0; a < nodes; ++a)
      for (int b = 0; b <= a; ++b, ++k) K[k] = T(a == b ? nodes - 1.0 : -1.0) * p[2];
  }
  template <class T>
  BRIO_INLINE bool free_path(const T*, const Vector3<T>*, const Vector3<T>*) const {
    return true;
  }

  /// θ [rad] in [-π, π]; 0 where it has no meaning.
  static double twist(const Vector3<double> x[nodes]) { return Segment<double>(x).angle(); }

 private:
  /// Takes from d the rigid motion of x that is nearest to it; returns |d|² of what is left.
  template <class T>
  BRIO_INLINE static T remove_rigid_motion(const Vector3<T> x[nodes], Vector3<T> d[nodes]) {
    const T part(1.0 / nodes);
    const Vector3<T> center = part * (x[0] + x[1] + x[2] + x[3]);
    const Vector3<T> shift = part * (d[0] + d[1] + d[2] + d[3]);
    Vector3<T> turning{{T(0.0), T(0.0), T(0.0)}};
    Matrix3<T> inertia{};
    for (int a = 0; a < nodes; ++a) {
      const Vector3<T> arm = x[a] - center;
      turning = turning + cross(arm, d[a]);
      add_outer(T(-1.0), arm, arm, inertia);
      for (int i = 0; i < 3; ++i) inertia(i, i) += dot(arm, arm);
    }
    const T size = inertia(0, 0) + inertia(1, 1) + inertia(2, 2);
    const T det = determinant(inertia);
    const auto flat = det <= T(1e-14) * size * size * size;  // on a line: no twist there either
    const T inverse = select(flat, T(0.0), T(1.0) / select(flat, T(1.0), det));
    const Vector3<T> turn = inverse * (cofactor(inertia) * turning);
    T left(0.0);
    for (int a = 0; a < nodes; ++a) {
      d[a] = d[a] - shift - cross(turn, x[a] - center);
      left += dot(d[a], d[a]);
    }
    return left;
  }

  template <class T>
  BRIO_INLINE static T energy_of(const T* p, T excess) {
    return T(0.5) * p[0] * excess * excess;
  }

  /// K += s a bᵀ
  template <class T>
  BRIO_INLINE static void add_outer(T s, const Vector3<T>& a, const Vector3<T>& b, Matrix3<T>& K) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K(i, j) = fma(s * a[i], b[j], K(i, j));
  }
  /// K += s [a]x, the matrix of the cross product.
  template <class T>
  BRIO_INLINE static void add_cross(T s, const Vector3<T>& a, Matrix3<T>& K) {
    for (int i = 0; i < 3; ++i) {
      K(i, (i + 1) % 3) -= s * a[(i + 2) % 3];
      K(i, (i + 2) % 3) += s * a[(i + 1) % 3];
    }
  }

  template <class T>
  struct Arm {
    Vector3<T> a, n;  ///< n = e x a
    T along;          ///< e.a
    T inverse;        ///< 1/|n|²

    /// The derivatives of θ by a and a, by a and e, and by e and e (to be made symmetric with the other arm), times s.
    BRIO_INLINE void curvatures(T s, const Vector3<T>& e, T length, Matrix3<T>& aa, Matrix3<T>& ae,
                                Matrix3<T>& ee) const {
      const Vector3<T> m = cross(n, e);
      const Vector3<T> o = cross(n, a);
      const T once = s * inverse;
      const T twice = once * inverse;
      add_outer(-twice * length, n, m, aa);
      add_outer(-twice * length, m, n, aa);
      add_outer(once / length, n, e, ae);
      add_cross(-once * length, a, ae);
      add_outer(T(2.0) * twice * length, n, o, ae);
      const T slant = along / length;
      add_outer(-once / length, n, a, ee);
      add_outer(once * slant / (length * length), n, e, ee);
      add_cross(once * slant, a, ee);
      add_outer(T(-2.0) * twice * slant, n, o, ee);
    }
  };

  template <class T>
  struct Segment {
    Vector3<T> e;
    T length;
    Arm<T> u, w;
    T defined;  ///< 1, or 0 where an arm has no direction about e

    BRIO_INLINE explicit Segment(const Vector3<T> x[nodes]) : e(x[2] - x[0]), length(sqrt(dot(e, e))), defined(1.0) {
      u = arm(x[1] - x[0]);
      w = arm(x[3] - x[2]);
      length = max(length, T(1e-150));
    }

    BRIO_INLINE T angle() const {
      const T sine = length * dot(e, cross(u.a, w.a));
      const T cosine = dot(u.n, w.n);
      return each_pair(sine, cosine, [](double s, double c) { return std::atan2(s, c); });
    }
    BRIO_INLINE T excess(T rest) const {
      constexpr double turn = 2 * std::numbers::pi;
      return defined *
             each_pair(angle(), rest, [](double now, double then) { return std::remainder(now - then, turn); });
    }

    BRIO_INLINE void slopes(Vector3<T> g[nodes]) const {
      const Vector3<T> by_u = (-length * u.inverse) * u.n;
      const Vector3<T> by_w = (length * w.inverse) * w.n;
      const Vector3<T> by_e = (u.along / length * u.inverse) * u.n - (w.along / length * w.inverse) * w.n;
      g[0] = T(-1.0) * (by_u + by_e);
      g[1] = by_u;
      g[2] = by_e - by_w;
      g[3] = by_w;
    }

    /// s ∇²θ, the lower triangle of its blocks.
    BRIO_INLINE void curvatures(T s, Matrix3<T> K[10]) const {
      Matrix3<T> uu{}, ue{}, ww{}, we{}, ee{};
      u.curvatures(-s, e, length, uu, ue, ee);
      w.curvatures(s, e, length, ww, we, ee);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const T axis = T(0.5) * (ee(i, j) + ee(j, i));
          K[0](i, j) = uu(i, j) + ue(i, j) + ue(j, i) + axis;
          K[1](i, j) = -(uu(i, j) + ue(i, j));
          K[2](i, j) = uu(i, j);
          K[3](i, j) = we(i, j) - ue(j, i) - axis;
          K[4](i, j) = ue(j, i);
          K[5](i, j) = axis - we(i, j) - we(j, i) + ww(i, j);
          K[6](i, j) = -we(i, j);
          K[7](i, j) = T(0.0);
          K[8](i, j) = we(i, j) - ww(i, j);
          K[9](i, j) = ww(i, j);
        }
    }

   private:
    BRIO_INLINE Arm<T> arm(const Vector3<T>& a) {
      const Vector3<T> n = cross(e, a);
      const T size = dot(n, n);
      const auto clear = size > T(1e-24) * dot(e, e) * dot(a, a) + T(1e-280);
      defined = select(clear, defined, T(0.0));
      return {a, n, dot(e, a), select(clear, T(1.0) / max(size, T(1e-280)), T(0.0))};
    }

    template <class Function>
    BRIO_INLINE static T each_pair(T a, T b, Function function) {
      if constexpr (lane_count<T> == 1) {
        return function(a, b);
      } else {
        T r;
        for (int lane = 0; lane < lane_count<T>; ++lane) r.raw[lane] = function(a[lane], b[lane]);
        return r;
      }
    }
  };
};

}  // namespace brio
