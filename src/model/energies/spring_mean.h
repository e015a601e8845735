/// A Hookean spring k/2 (|d| − r)² averaged along a path d₀ + s D, in closed form.
///
/// The mean direction is u = ∫ d/|d| ds = (2A/S) m − ((l₁ − l₀)/S²) B D with the lengths l₀, l₁ at the ends, S = l₀ +
/// l₁, the middle m = d₀ + D/2, and of e = |D|/S ≤ 1:  B = (A − 1)/e²,  A = artanh(e)/e. Whatever B is, A = 1 + e² B
/// makes u·D = l₁ − l₀ to rounding, which is what keeps energy. With
///   T = ∫ (|d| − l₀)/s ds = l₁ − l₀ + (2A/S) d₀·D − l₀ ln((l₀l₁ + d₀·d₁)/(2 l₀²)):
///   W = k (d₀·D + |D|²/4 − r T),   ∇W = k (m − r u),   ∇²W = k (I/2 − r ∂u/∂D).
/// A spring that passes through length zero has e = 1: u is finite there, its derivative is not.
#pragma once

#include "math/small.h"

namespace brio {

template <class T>
class SpringMean {
 public:
  BRIO_INLINE SpringMean(const Vector3<T>& d0, const Vector3<T>& D, T rest, T stiffness)
      : d0_(d0), D_(D), rest_(rest), k_(stiffness) {
    const T tiny(1e-150);
    const T half(0.5);
    for (int i = 0; i < 3; ++i) {
      d1_[i] = d0[i] + D[i];
      m_[i] = fma(half, D[i], d0[i]);
    }
    l0_ = max(sqrt(dot(d0, d0)), tiny);
    l1_ = max(sqrt(dot(d1_, d1_)), tiny);
    S_ = l0_ + l1_;
    gain_ = T(2.0) * dot(m_, D) / S_;
    const T DD = dot(D, D);
    e2_ = min(DD / (S_ * S_), T(1.0));
    w_ = max(T(2.0) * (l0_ * l1_ + dot(d0, d1_)) / (S_ * S_), T(1e-30));
    // The series where the closed form would lose digits.
    const T x = e2_;
    series_ = x < T(0.0025);
    const T safe = max(x, T(0.0025));
    const T e = sqrt(safe);
    const T artanh = half * log_of_positive((T(1.0) + e) * (T(1.0) + e) / select(series_, T(1.0) - safe, w_));
    const T sum = fma(x, fma(x, fma(x, fma(x, fma(x, T(1.0 / 13), T(1.0 / 11)), T(1.0 / 9)), T(1.0 / 7)), T(1.0 / 5)),
                      T(1.0 / 3));
    B_ = select(series_, sum, (artanh / e - T(1.0)) / safe);
    A_ = fma(x, B_, T(1.0));
    along_ = T(2.0) * A_ / S_;
    back_ = T(0.0) - gain_ / (S_ * S_) * B_;
  }

  BRIO_INLINE T value() const {
    const T ratio = S_ / l0_;
    const T logarithm = log_of_positive(min(max(T(0.25) * w_ * ratio * ratio, T(1e-300)), T(1e300)));
    const T d0D = dot(d0_, D_);
    const T integral = gain_ + along_ * d0D - l0_ * logarithm;
    return k_ * (d0D + T(0.25) * dot(D_, D_) - rest_ * integral);
  }

  BRIO_INLINE Vector3<T> gradient() const {
    Vector3<T> g;
    for (int i = 0; i < 3; ++i) g[i] = k_ * (m_[i] - rest_ * fma(along_, m_[i], back_ * D_[i]));
    return g;
  }

  BRIO_INLINE Matrix3<T> hessian() const {
    const T one(1.0);
    const T x = e2_;
    const T safe = max(x, T(0.0025));
    // Derivatives by e²; where the spring passes through length zero a large one stands in for an infinite one.
    const T Ax_closed = (one / max(w_, T(1e-8)) - A_) / (T(2.0) * safe);
    const T sum = fma(x, fma(x, fma(x, fma(x, T(5.0 / 13), T(4.0 / 11)), T(3.0 / 9)), T(2.0 / 7)), T(1.0 / 5));
    const T Bx = select(series_, sum, (Ax_closed - B_) / safe);
    const T Ax = select(series_, fma(x, Bx, B_), Ax_closed);
    const T inverse = one / S_;
    const T square = inverse * inverse;
    Matrix3<T> H;
    Vector3<T> by_along, by_back;
    for (int i = 0; i < 3; ++i) {
      const T direction = d1_[i] / l1_;
      const T by_x = T(2.0) * (square * D_[i] - x * inverse * direction);
      by_along[i] = T(2.0) * inverse * (Ax * by_x - A_ * inverse * direction);
      by_back[i] = T(0.0) - square * (B_ * direction + gain_ * (Bx * by_x - T(2.0) * B_ * inverse * direction));
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const T skew = m_[i] * by_along[j] + m_[j] * by_along[i] + D_[i] * by_back[j] + D_[j] * by_back[i];
        const T turn = T(0.5) * skew + (i == j ? T(0.5) * along_ + back_ : T(0.0));
        H(i, j) = k_ * ((i == j ? T(0.5) : T(0.0)) - rest_ * turn);
      }
    return H;
  }

 private:
  Vector3<T> d0_, D_, d1_, m_;
  T rest_, k_;
  T l0_, l1_, S_;
  T gain_;    ///< l₁ − l₀
  T e2_, w_;  ///< e², 1 − e²
  T A_, B_;
  T along_, back_;  ///< u = along m + back D
  decltype(T(0.0) < T(0.0)) series_;
};

}  // namespace brio
