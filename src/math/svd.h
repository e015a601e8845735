/// Singular values and eigenvalues of 3x3 matrices, several at once: for lanes and for single numbers. What is long is
/// compiled once, in svd.cpp.
#pragma once

#include "math/small.h"

namespace brio {

/// F = U diag(sigma) Vᵀ with rotations U, V (det = +1) and sigma_0 >= sigma_1 >= |sigma_2|: the last one carries the
/// sign of det F.
template <class T>
struct Svd {
  Matrix3<T> U;
  Vector3<T> sigma;
  Matrix3<T> V;
};

/// One-sided Jacobi (Hestenes 1958): rotates the columns of F until they are orthogonal. Accurate for tiny and negative
/// sigma alike.
template <class T>
Svd<T> svd(const Matrix3<T>& F);

/// Whether the matrix is positive definite, by its leading minors.
template <class T>
BRIO_INLINE auto is_positive(const Symmetric3<T>& a) {
  const T minor = fma(a.xx, a.yy, -(a.xy * a.xy));
  const T det = dot3(a.zz, fma(a.xy, a.yz, -(a.xz * a.yy)), fma(a.xy, a.xz, -(a.xx * a.yz)), minor, a.xz, a.yz);
  return (a.xx > T(0.0)) & (minor > T(0.0)) & (det > T(0.0));
}

/// The nearest positive semi-definite matrix: negative eigenvalues become zero. Two-sided Jacobi.
template <class T>
Symmetric3<T> clamp_to_positive(const Symmetric3<T>& a);

}  // namespace brio
