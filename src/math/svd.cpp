#include "math/svd.h"

namespace brio {
namespace {

template <class T>
BRIO_INLINE T column_dot(const Matrix3<T>& a, int p, int q) {
  return dot3(a(0, p), a(1, p), a(2, p), a(0, q), a(1, q), a(2, q));
}

/// Columns p, q <- c p - s q, s p + c q.
template <class T>
BRIO_INLINE void rotate_columns(Matrix3<T>& a, int p, int q, T c, T s) {
  for (int i = 0; i < 3; ++i) {
    const T ap = a(i, p);
    const T aq = a(i, q);
    a(i, p) = fma(c, ap, -(s * aq));
    a(i, q) = fma(s, ap, c * aq);
  }
}

/// Tangent of the smaller angle that makes two columns with squared lengths a, b and inner product c orthogonal.
template <class T>
BRIO_INLINE T jacobi_tangent(T a, T b, T c) {
  const T d = b - a;
  const T twice = c + c;
  const T root = sqrt(fma(d, d, twice * twice));
  return select(d < T(0.0), -twice, twice) / (abs(d) + root + T(1e-300));
}

/// Rotates columns p and q of B, and of V alike, until they are orthogonal in B. Positive where they were not: the
/// measure is relative to the product of their lengths, which makes small singular values accurate too.
template <int p, int q, class T>
BRIO_INLINE T orthogonalize(Matrix3<T>& B, Matrix3<T>& V) {
  const T a = column_dot(B, p, p);
  const T b = column_dot(B, q, q);
  const T c = column_dot(B, p, q);
  const T t = jacobi_tangent(a, b, c);
  const T cosine = T(1.0) / sqrt(fma(t, t, T(1.0)));
  rotate_columns(B, p, q, cosine, cosine * t);
  rotate_columns(V, p, q, cosine, cosine * t);
  return fma(c, c, T(-1e-31) * a * b);
}

/// Two-sided rotation that clears A(p, q); V collects the rotations.
template <int p, int q, class T>
BRIO_INLINE void diagonalize(Matrix3<T>& A, Matrix3<T>& V) {
  const T t = jacobi_tangent(A(p, p), A(q, q), A(p, q));
  const T cosine = T(1.0) / sqrt(fma(t, t, T(1.0)));
  const T sine = cosine * t;
  rotate_columns(A, p, q, cosine, sine);
  for (int j = 0; j < 3; ++j) {
    const T ap = A(p, j);
    const T aq = A(q, j);
    A(p, j) = fma(cosine, ap, -(sine * aq));
    A(q, j) = fma(sine, ap, cosine * aq);
  }
  rotate_columns(V, p, q, cosine, sine);
}

template <class T>
BRIO_INLINE void order_columns(Matrix3<T>& b, Matrix3<T>& v, Vector3<T>& n, int p, int q) {
  const auto swap = n[p] < n[q];
  // A swap with one sign turned keeps both determinants.
  for (Matrix3<T>* a : {&b, &v})
    for (int i = 0; i < 3; ++i) {
      const T ap = (*a)(i, p);
      const T aq = (*a)(i, q);
      (*a)(i, p) = select(swap, aq, ap);
      (*a)(i, q) = select(swap, -ap, aq);
    }
  const T np = n[p];
  n[p] = select(swap, n[q], np);
  n[q] = select(swap, np, n[q]);
}

/// A unit vector along a, or along `otherwise` when a is too short to have a direction.
template <class T>
BRIO_INLINE Vector3<T> direction(const Vector3<T>& a, T shortest, const Vector3<T>& otherwise) {
  const T length = sqrt(dot(a, a));
  const auto usable = length > shortest;
  const T inverse = T(1.0) / select(usable, length, T(1.0));
  Vector3<T> r;
  for (int i = 0; i < 3; ++i) r[i] = select(usable, a[i] * inverse, otherwise[i]);
  return r;
}

}  // namespace

template <class T>
Svd<T> svd(const Matrix3<T>& F) {
  Svd<T> r;
  Matrix3<T> B = F;
  const T one(1.0);
  const T zero(0.0);
  r.V = {{one, zero, zero, zero, one, zero, zero, zero, one}};
  constexpr int max_sweeps = 10;  // six are usual
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    const T worst = max(orthogonalize<0, 1>(B, r.V), max(orthogonalize<0, 2>(B, r.V), orthogonalize<1, 2>(B, r.V)));
    if (!any(worst > zero)) break;
  }
  Vector3<T> n{{column_dot(B, 0, 0), column_dot(B, 1, 1), column_dot(B, 2, 2)}};
  order_columns(B, r.V, n, 0, 1);
  order_columns(B, r.V, n, 0, 2);
  order_columns(B, r.V, n, 1, 2);

  const Vector3<T> b0{{B(0, 0), B(1, 0), B(2, 0)}};
  const Vector3<T> b1{{B(0, 1), B(1, 1), B(2, 1)}};
  const Vector3<T> b2{{B(0, 2), B(1, 2), B(2, 2)}};
  const Vector3<T> u0 = direction(b0, T(1e-150), {{one, zero, zero}});
  // Any direction normal to u0, for matrices of rank one: cross with the axis it is farthest from.
  const auto leans_x = abs(u0[0]) > T(0.6);
  const Vector3<T> normal{
      {select(leans_x, u0[2], zero), select(leans_x, zero, -u0[2]), select(leans_x, -u0[0], u0[1])}};
  const Vector3<T> rest = b1 - dot(u0, b1) * u0;
  const T floor = T(1e-15) * sqrt(n[0]) + T(1e-150);
  const Vector3<T> u1 = direction(rest, floor, direction(normal, T(0.0), normal));
  const Vector3<T> u2 = cross(u0, u1);
  r.U = {{u0[0], u1[0], u2[0], u0[1], u1[1], u2[1], u0[2], u1[2], u2[2]}};
  r.sigma = {{dot(u0, b0), dot(u1, b1), dot(u2, b2)}};
  return r;
}

template <class T>
Symmetric3<T> clamp_to_positive(const Symmetric3<T>& a) {
  Matrix3<T> A{{a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz}};
  const T one(1.0);
  const T zero(0.0);
  Matrix3<T> V{{one, zero, zero, zero, one, zero, zero, zero, one}};
  for (int sweep = 0; sweep < 5; ++sweep) {
    diagonalize<0, 1>(A, V);
    diagonalize<0, 2>(A, V);
    diagonalize<1, 2>(A, V);
  }
  Matrix3<T> W = V;
  for (int j = 0; j < 3; ++j) {
    const T clamped = max(A(j, j), zero);
    for (int i = 0; i < 3; ++i) W(i, j) *= clamped;
  }
  const Matrix3<T> r = times_transposed(W, V);
  return {r(0, 0), r(1, 1), r(2, 2), r(0, 1), r(0, 2), r(1, 2)};
}

template Svd<Doubles> svd(const Matrix3<Doubles>&);
template Svd<double> svd(const Matrix3<double>&);
template Svd<Floats> svd(const Matrix3<Floats>&);
template Symmetric3<Doubles> clamp_to_positive(const Symmetric3<Doubles>&);
template Symmetric3<double> clamp_to_positive(const Symmetric3<double>&);

}  // namespace brio
