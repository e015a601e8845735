#include "contact/barrier.h"

#include <Eigen/LU>
#include <limits>

#include "math/symmetric_eigen.h"

namespace brio {
namespace {

/// The fading factor m(c) of two segments and its derivatives by c.
struct Fade {
  Vec3 u, v;
  double m = 1, slope = 0, curvature = 0;

  Fade(PairKind kind, double epsilon, const Vec3* x) : u(x[1] - x[0]), v(Vec3::Zero()) {
    if (kind != PairKind::segment_segment || epsilon == 0) return;
    v = x[3] - x[2];
    const double c = u.cross(v).squaredNorm() / epsilon;
    if (c >= 1) return;
    m = c * (2 - c);
    slope = 2 * (1 - c) / epsilon;
    curvature = -2 / (epsilon * epsilon);
  }
  bool fades() const { return slope != 0; }

  /// ∇c over the four vertices.
  PairGradient gradient() const {
    const Vec3 by_u = 2 * (v.squaredNorm() * u - u.dot(v) * v);
    const Vec3 by_v = 2 * (u.squaredNorm() * v - u.dot(v) * u);
    PairGradient g;
    for (Eigen::Index i = 0; i < 4; ++i) g.segment<3>(3 * i) = (i % 2 == 0 ? -1.0 : 1.0) * (i < 2 ? by_u : by_v);
    return g;
  }

  PairHessian hessian() const {
    const Eigen::Matrix3d uu = 2 * (v.squaredNorm() * Eigen::Matrix3d::Identity() - v * v.transpose());
    const Eigen::Matrix3d vv = 2 * (u.squaredNorm() * Eigen::Matrix3d::Identity() - u * u.transpose());
    const Eigen::Matrix3d uv = 2 * (2 * u * v.transpose() - v * u.transpose() - u.dot(v) * Eigen::Matrix3d::Identity());
    PairHessian H;
    for (Eigen::Index i = 0; i < 4; ++i)
      for (Eigen::Index j = 0; j < 4; ++j) {
        const double sign = i % 2 == j % 2 ? 1 : -1;
        const bool first_i = i < 2, first_j = j < 2;
        const Eigen::Matrix3d block =
            first_i == first_j ? (first_i ? uu : vv) : (first_i ? uv : Eigen::Matrix3d(uv.transpose()));
        H.block<3, 3>(3 * i, 3 * j) = sign * block;
      }
    return H;
  }
};

/// ∇d = (w_i n).
PairGradient distance_gradient(const Nearest& nearest, const Vec3& n) {
  PairGradient g;
  for (Eigen::Index i = 0; i < 4; ++i) g.segment<3>(3 * i) = nearest.w[i] * n;
  return g;
}

/// Hessian of ½d².
PairHessian square_hessian(int vertices, const Vec3* x, const Nearest& nearest) {
  PairHessian H = PairHessian::Zero();
  for (Eigen::Index i = 0; i < 4; ++i)
    for (Eigen::Index j = 0; j < 4; ++j) H.block<3, 3>(3 * i, 3 * j).diagonal().array() = nearest.w[i] * nearest.w[j];
  if (nearest.free == 0) return H;
  Eigen::Matrix<double, 3, 2> A = Eigen::Matrix<double, 3, 2>::Zero();
  for (int p = 0; p < nearest.free; ++p)
    for (Eigen::Index i = 0; i < vertices; ++i) A.col(p) += nearest.dw[p][i] * x[i];
  Eigen::Matrix<double, 12, 2> F = Eigen::Matrix<double, 12, 2>::Zero();
  for (int p = 0; p < nearest.free; ++p)
    for (Eigen::Index i = 0; i < vertices; ++i)
      F.block<3, 1>(3 * i, p) = nearest.w[i] * A.col(p) + nearest.dw[p][i] * nearest.r;
  Eigen::Matrix2d inverse = Eigen::Matrix2d::Zero();
  if (nearest.free == 1)
    inverse(0, 0) = 1 / A.col(0).squaredNorm();
  else
    inverse = (A.transpose() * A).inverse();
  H -= (F * inverse).lazyProduct(F.transpose());
  return H;
}

/// Moving all four vertices alike changes nothing, so that three differences, orthonormal as the vertices are, hold all
/// of H.
PairHessian positive_part(const PairHessian& H) {
  constexpr double sign[3][4] = {{1, 1, -1, -1}, {1, -1, 1, -1}, {1, -1, -1, 1}};
  Eigen::Matrix<double, 9, 9> K = Eigen::Matrix<double, 9, 9>::Zero();
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          K.block<3, 3>(3 * a, 3 * b) += (0.25 * sign[a][i] * sign[b][j]) * H.block<3, 3>(3 * i, 3 * j);
  K = SymmetricEigen<9>(K).positive_part();
  PairHessian P = PairHessian::Zero();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          P.block<3, 3>(3 * i, 3 * j) += (0.25 * sign[a][i] * sign[b][j]) * K.block<3, 3>(3 * a, 3 * b);
  return P;
}

}  // namespace

double fading(PairKind kind, const Barrier& barrier, const Vec3* x) { return Fade(kind, barrier.epsilon, x).m; }

double pair_energy(PairKind kind, const Barrier& barrier, const Vec3* x, const Nearest& nearest) {
  const double gap = nearest.distance() - barrier.core;
  if (!(gap > 0)) return std::numeric_limits<double>::infinity();
  return Fade(kind, barrier.epsilon, x).m * barrier_at(barrier, gap).B;
}

double pair_gradient(PairKind kind, const Barrier& barrier, const Vec3* x, const Nearest& nearest, PairGradient& g) {
  const double d = nearest.distance();
  g.setZero();
  if (!(d > barrier.core)) return std::numeric_limits<double>::infinity();
  const BarrierValue b = barrier_at(barrier, d - barrier.core);
  const Fade fade(kind, barrier.epsilon, x);
  g = fade.m * b.slope * distance_gradient(nearest, nearest.r / d);
  if (fade.fades()) g += b.B * fade.slope * fade.gradient();
  return fade.m * b.B;
}

double pair_hessian(PairKind kind, const Barrier& barrier, const Vec3* x, const Nearest& nearest, bool positive,
                    PairGradient& g, PairHessian& H) {
  const double d = nearest.distance();
  g.setZero();
  H.setZero();
  if (!(d > barrier.core)) return std::numeric_limits<double>::infinity();
  const BarrierValue b = barrier_at(barrier, d - barrier.core);
  const Fade fade(kind, barrier.epsilon, x);
  const PairGradient dd = distance_gradient(nearest, nearest.r / d);
  g = fade.m * b.slope * dd;
  H = fade.m * b.curvature * dd * dd.transpose();
  if (!positive || fade.fades())
    H += fade.m * b.slope / d * (square_hessian(vertices_of(kind), x, nearest) - dd * dd.transpose());
  if (fade.fades()) {
    const PairGradient dc = fade.gradient();
    g += b.B * fade.slope * dc;
    H += b.slope * fade.slope * (dd * dc.transpose() + dc * dd.transpose());
    H += b.B * (fade.slope * fade.hessian() + fade.curvature * dc * dc.transpose());
    if (positive) H = positive_part(H);
  }
  return fade.m * b.B;
}

}  // namespace brio
