/// 3-vectors and 3x3 matrices of any number type, for element kernels. Everything inlines and unrolls; sums are fused
/// in a fixed order.
#pragma once

#include "math/lanes.h"

namespace brio {

template <class T>
struct Vector3 {
  T v[3];
  T& operator[](int i) { return v[i]; }
  const T& operator[](int i) const { return v[i]; }
};

/// Row-major.
template <class T>
struct Matrix3 {
  T m[9];
  T& operator()(int i, int j) { return m[3 * i + j]; }
  const T& operator()(int i, int j) const { return m[3 * i + j]; }
};

template <class T>
BRIO_INLINE T dot3(T a0, T a1, T a2, T b0, T b1, T b2) {
  return fma(a2, b2, fma(a1, b1, a0 * b0));
}

template <class T>
BRIO_INLINE T dot(const Vector3<T>& a, const Vector3<T>& b) {
  return dot3(a[0], a[1], a[2], b[0], b[1], b[2]);
}

template <class T>
BRIO_INLINE Vector3<T> operator+(const Vector3<T>& a, const Vector3<T>& b) {
  return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}

template <class T>
BRIO_INLINE Vector3<T> operator-(const Vector3<T>& a, const Vector3<T>& b) {
  return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}

template <class T>
BRIO_INLINE Vector3<T> operator*(T s, const Vector3<T>& a) {
  return {{s * a[0], s * a[1], s * a[2]}};
}

template <class T>
BRIO_INLINE Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {{fma(a[1], b[2], -(a[2] * b[1])), fma(a[2], b[0], -(a[0] * b[2])), fma(a[0], b[1], -(a[1] * b[0]))}};
}

template <class T>
BRIO_INLINE Vector3<T> operator*(const Matrix3<T>& a, const Vector3<T>& b) {
  return {{dot3(a.m[0], a.m[1], a.m[2], b[0], b[1], b[2]), dot3(a.m[3], a.m[4], a.m[5], b[0], b[1], b[2]),
           dot3(a.m[6], a.m[7], a.m[8], b[0], b[1], b[2])}};
}

/// aᵀ b
template <class T>
BRIO_INLINE Vector3<T> transposed_times(const Matrix3<T>& a, const Vector3<T>& b) {
  return {{dot3(a.m[0], a.m[3], a.m[6], b[0], b[1], b[2]), dot3(a.m[1], a.m[4], a.m[7], b[0], b[1], b[2]),
           dot3(a.m[2], a.m[5], a.m[8], b[0], b[1], b[2])}};
}

template <class T>
BRIO_INLINE Matrix3<T> operator*(const Matrix3<T>& a, const Matrix3<T>& b) {
  Matrix3<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = dot3(a(i, 0), a(i, 1), a(i, 2), b(0, j), b(1, j), b(2, j));
  return c;
}

/// a bᵀ
template <class T>
BRIO_INLINE Matrix3<T> times_transposed(const Matrix3<T>& a, const Matrix3<T>& b) {
  Matrix3<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = dot3(a(i, 0), a(i, 1), a(i, 2), b(j, 0), b(j, 1), b(j, 2));
  return c;
}

/// aᵀ b
template <class T>
BRIO_INLINE Matrix3<T> transposed_times(const Matrix3<T>& a, const Matrix3<T>& b) {
  Matrix3<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = dot3(a(0, i), a(1, i), a(2, i), b(0, j), b(1, j), b(2, j));
  return c;
}

/// a : b. Three independent sums, so that none waits for nine additions in a row.
template <class T>
BRIO_INLINE T inner(const Matrix3<T>& a, const Matrix3<T>& b) {
  return dot3(a.m[0], a.m[1], a.m[2], b.m[0], b.m[1], b.m[2]) + dot3(a.m[3], a.m[4], a.m[5], b.m[3], b.m[4], b.m[5]) +
         dot3(a.m[6], a.m[7], a.m[8], b.m[6], b.m[7], b.m[8]);
}

template <class T>
BRIO_INLINE T squared_norm(const Matrix3<T>& a) {
  return inner(a, a);
}

/// dJ/dF: the matrix with F : cof(F) = 3 det F.
template <class T>
BRIO_INLINE Matrix3<T> cofactor(const Matrix3<T>& f) {
  Matrix3<T> c;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3;
    const int i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3;
      const int j2 = (j + 2) % 3;
      c(i, j) = fma(f(i1, j1), f(i2, j2), -(f(i1, j2) * f(i2, j1)));
    }
  }
  return c;
}

template <class T>
BRIO_INLINE T determinant(const Matrix3<T>& f) {
  const T c0 = fma(f(1, 1), f(2, 2), -(f(1, 2) * f(2, 1)));
  const T c1 = fma(f(1, 2), f(2, 0), -(f(1, 0) * f(2, 2)));
  const T c2 = fma(f(1, 0), f(2, 1), -(f(1, 1) * f(2, 0)));
  return dot3(f(0, 0), f(0, 1), f(0, 2), c0, c1, c2);
}

/// Symmetric 3x3: xx, yy, zz, xy, xz, yz.
template <class T>
struct Symmetric3 {
  T xx, yy, zz, xy, xz, yz;
};

template <class T>
BRIO_INLINE T squared_norm(const Symmetric3<T>& s) {
  return fma(T(2.0), dot3(s.xy, s.xz, s.yz, s.xy, s.xz, s.yz), dot3(s.xx, s.yy, s.zz, s.xx, s.yy, s.zz));
}

/// d I + a b of matrices that commute, so that their product is symmetric as well.
template <class T>
BRIO_INLINE Symmetric3<T> commuting_product(const Symmetric3<T>& a, const Symmetric3<T>& b, T d) {
  return {d + dot3(a.xx, a.xy, a.xz, b.xx, b.xy, b.xz), d + dot3(a.xy, a.yy, a.yz, b.xy, b.yy, b.yz),
          d + dot3(a.xz, a.yz, a.zz, b.xz, b.yz, b.zz), dot3(a.xx, a.xy, a.xz, b.xy, b.yy, b.yz),
          dot3(a.xx, a.xy, a.xz, b.xz, b.yz, b.zz),     dot3(a.xy, a.yy, a.yz, b.xz, b.yz, b.zz)};
}

template <class T>
BRIO_INLINE Matrix3<T> operator*(const Matrix3<T>& a, const Symmetric3<T>& s) {
  Matrix3<T> r;
  for (int i = 0; i < 3; ++i) {
    r(i, 0) = dot3(a(i, 0), a(i, 1), a(i, 2), s.xx, s.xy, s.xz);
    r(i, 1) = dot3(a(i, 0), a(i, 1), a(i, 2), s.xy, s.yy, s.yz);
    r(i, 2) = dot3(a(i, 0), a(i, 1), a(i, 2), s.xz, s.yz, s.zz);
  }
  return r;
}

template <class T>
BRIO_INLINE Vector3<T> operator*(const Symmetric3<T>& s, const Vector3<T>& b) {
  return {{dot3(s.xx, s.xy, s.xz, b[0], b[1], b[2]), dot3(s.xy, s.yy, s.yz, b[0], b[1], b[2]),
           dot3(s.xz, s.yz, s.zz, b[0], b[1], b[2])}};
}

}  // namespace brio
