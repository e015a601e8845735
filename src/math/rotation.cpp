#include "math/rotation.h"

#include "math/svd.h"

namespace brio {
namespace {

template <class T>
struct Quaternion {
  T w, x, y, z;
};

template <class T>
BRIO_INLINE Matrix3<T> to_matrix(const Quaternion<T>& q) {
  const T one(1.0);
  const T x2 = q.x + q.x;
  const T y2 = q.y + q.y;
  const T z2 = q.z + q.z;
  const T xx = x2 * q.x, yy = y2 * q.y, zz = z2 * q.z;
  const T xy = x2 * q.y, xz = x2 * q.z, yz = y2 * q.z;
  const T wx = x2 * q.w, wy = y2 * q.w, wz = z2 * q.w;
  return {{one - yy - zz, xy - wz, xz + wy, xy + wz, one - xx - zz, yz - wx, xz - wy, yz + wx, one - xx - yy}};
}

/// Horn 1987: the quaternion is the eigenvector of the largest eigenvalue of a 4x4 matrix K. Newton's method on its
/// characteristic polynomial from above, then the largest row of adj(K - l I).
template <class T>
BRIO_INLINE Quaternion<T> horn(const Matrix3<T>& F) {
  const T two(2.0);
  const T k00 = F(0, 0) + F(1, 1) + F(2, 2), k11 = F(0, 0) - F(1, 1) - F(2, 2);
  const T k22 = F(1, 1) - F(0, 0) - F(2, 2), k33 = F(2, 2) - F(0, 0) - F(1, 1);
  const T k01 = F(2, 1) - F(1, 2), k02 = F(0, 2) - F(2, 0), k03 = F(1, 0) - F(0, 1);
  const T k12 = F(0, 1) + F(1, 0), k13 = F(0, 2) + F(2, 0), k23 = F(1, 2) + F(2, 1);

  const T n2 = squared_norm(F);
  const T c2 = T(-2.0) * n2;
  const T c1 = T(-8.0) * determinant(F);
  // det K = |F|⁴ - 4 |cof F|² in terms of the invariants of F.
  const T c0 = fma(n2, n2, T(-4.0) * squared_norm(cofactor(F)));
  T l = sqrt(T(3.0) * n2);
  for (int step = 0; step < 4; ++step) {
    const T l2 = l * l;
    const T b = (l2 + c2) * l;
    const T a = b + c1;
    const T slope = fma(two * l2, l, b + a);
    l -= fma(a, l, c0) / (slope + T(1e-300));
  }

  const T a00 = k00 - l, a11 = k11 - l, a22 = k22 - l, a33 = k33 - l;
  const T m0 = fma(a22, a33, -(k23 * k23)), m1 = fma(k12, a33, -(k23 * k13)), m2 = fma(k12, k23, -(a22 * k13));
  const T m3 = fma(k02, a33, -(k23 * k03)), m4 = fma(k02, k23, -(a22 * k03)), m5 = fma(k02, k13, -(k12 * k03));
  const T p0 = fma(a00, a11, -(k01 * k01)), p1 = fma(a00, k12, -(k01 * k02)), p2 = fma(a00, k13, -(k01 * k03));
  const T p3 = fma(k01, k12, -(a11 * k02)), p4 = fma(k01, k13, -(a11 * k03));
  const T r00 = dot3(a11, -k12, k13, m0, m1, m2), r01 = -dot3(k01, -k12, k13, m0, m3, m4);
  const T r02 = dot3(k01, -a11, k13, m1, m3, m5), r03 = -dot3(k01, -a11, k12, m2, m4, m5);
  const T r11 = dot3(a00, -k02, k03, m0, m3, m4), r12 = -dot3(a00, -k01, k03, m1, m3, m5);
  const T r13 = dot3(a00, -k01, k02, m2, m4, m5);
  const T r22 = dot3(a33, -k13, k03, p0, p2, p4), r23 = -dot3(k23, -k13, k03, p0, p1, p3);
  const T r33 = dot3(a22, -k12, k02, p0, p1, p3);
  const T d0 = abs(r00), d1 = abs(r11), d2 = abs(r22), d3 = abs(r33);
  const auto first = d0 < d1;
  const auto second = d2 < d3;
  const auto half = max(d0, d1) < max(d2, d3);
  const Quaternion<T> q{select(half, select(second, r03, r02), select(first, r01, r00)),
                        select(half, select(second, r13, r12), select(first, r11, r01)),
                        select(half, select(second, r23, r22), select(first, r12, r02)),
                        select(half, select(second, r33, r23), select(first, r13, r03))};
  const T inverse = T(1.0) / sqrt(fma(q.w, q.w, fma(q.x, q.x, fma(q.y, q.y, q.z * q.z))) + T(1e-300));
  return {q.w * inverse, q.x * inverse, q.y * inverse, q.z * inverse};
}

/// One Newton step on the rotation by a Cayley update of its quaternion; lanes without a safely positive G stay as they
/// are.
template <class T>
BRIO_INLINE Quaternion<T> newton_step(const Stationarity<T>& s, const Quaternion<T>& q) {
  const auto safe = s.det > T(1e-9) * s.trace * s.trace * s.trace;
  const T scale = select(safe, T(0.5), T(0.0)) / select(safe, s.det, T(1.0));
  const Vector3<T> w = scale * (s.adjugate * s.axial);
  const T inverse = T(1.0) / sqrt(T(1.0) + dot(w, w));
  return {(q.w - dot3(w[0], w[1], w[2], q.x, q.y, q.z)) * inverse,
          (q.x + dot3(w[0], w[1], -w[2], q.w, q.z, q.y)) * inverse,
          (q.y + dot3(w[1], w[2], -w[0], q.w, q.x, q.z)) * inverse,
          (q.z + dot3(w[2], w[0], -w[1], q.w, q.y, q.x)) * inverse};
}

constexpr double rounding_squared(int lanes) {
  return lanes == 8 ? 1e-10 : 1e-26;
}  ///< 1e-5 for floats, 1e-13 for doubles

/// XᵀX - I.
template <class T>
BRIO_INLINE Symmetric3<T> strain_of(const Matrix3<T>& X) {
  const auto column = [&](int a, int b, double start) {
    return fma(X(0, a), X(0, b), fma(X(1, a), X(1, b), fma(X(2, a), X(2, b), T(start))));
  };
  return {column(0, 0, -1), column(1, 1, -1), column(2, 2, -1), column(0, 1, 0), column(0, 2, 0), column(1, 2, 0)};
}

/// X (I + E)^(-1/2), E = XᵀX - I, by the series up to E³: nearer to the same rotation, with a strain of the order of
/// E⁴.
template <class T>
BRIO_INLINE Matrix3<T> unstrained(const Matrix3<T>& X, const Symmetric3<T>& E) {
  const T c(-0.3125), d(0.375);
  const Symmetric3<T> cubic{fma(c, E.xx, d), fma(c, E.yy, d), fma(c, E.zz, d), c * E.xy, c * E.xz, c * E.yz};
  const Symmetric3<T> square = commuting_product(E, cubic, T(-0.5));
  return X * commuting_product(E, square, T(1.0));
}

/// For strains of any size: Horn's closed form, one Newton step to round-off, then proof: lanes whose F Rᵀ is not
/// symmetric with a safely positive G (nearly singular or extreme F, about one in a hundred of a hard set) take the
/// rotation of the Jacobi SVD instead.
template <class T>
BRIO_INLINE Matrix3<T> rotation_of_any(const Matrix3<T>& F) {
  const Quaternion<T> start = horn(F);
  const Quaternion<T> q = newton_step(stationarity(F, to_matrix(start)), start);
  Matrix3<T> R = to_matrix(q);
  const Stationarity<T> s = stationarity(F, R);
  constexpr double precision = rounding_squared(lane_count<T>);
  const T n2 = squared_norm(F);
  const auto doubtful = select(dot(s.axial, s.axial) > T(precision) * n2, T(1.0), T(0.0)) +
                            select(s.det > T(1e-9) * s.trace * s.trace * s.trace, T(0.0), T(1.0)) +
                            select(s.adjugate.zz > T(0.0), T(0.0), T(1.0)) + select(s.G.xx > T(0.0), T(0.0), T(1.0)) >
                        T(0.5);
  if (any(doubtful)) {
    const Svd<T> d = svd(F);
    const Matrix3<T> S = times_transposed(d.U, d.V);
    for (int k = 0; k < 9; ++k) R.m[k] = select(doubtful, S.m[k], R.m[k]);
  }
  return R;
}

}  // namespace

template <class T>
Matrix3<T> polar_rotation(const Matrix3<T>& F) {
  constexpr double moderate_strain = 0.36;  // squared; then three rounds reach round-off, and two do below 0.15
  constexpr double precision = rounding_squared(lane_count<T>);
  const Symmetric3<T> E = strain_of(F);
  const T strain = select(determinant(F) > T(0.0), squared_norm(E), T(1.0));
  const auto moderate = strain < T(moderate_strain);
  if (!any(moderate)) return rotation_of_any(F);
  Matrix3<T> R = unstrained(F, E);
  R = unstrained(R, strain_of(R));
  const Symmetric3<T> left = strain_of(R);
  const auto rough = select(moderate, squared_norm(left), T(0.0)) > T(precision);
  if (any(rough)) {
    const Matrix3<T> better = unstrained(R, left);
    for (int k = 0; k < 9; ++k) R.m[k] = select(rough, better.m[k], R.m[k]);
  }
  if (all(moderate)) return R;
  const Matrix3<T> other = rotation_of_any(F);
  for (int k = 0; k < 9; ++k) R.m[k] = select(moderate, R.m[k], other.m[k]);
  return R;
}

template Matrix3<Doubles> polar_rotation(const Matrix3<Doubles>&);
template Matrix3<double> polar_rotation(const Matrix3<double>&);
template Matrix3<Floats> polar_rotation(const Matrix3<Floats>&);

}  // namespace brio
