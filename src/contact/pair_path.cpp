#include "contact/pair_path.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace brio {
namespace {

using Mat3x12 = Eigen::Matrix<double, 3, 12>;

Vec3 combined(const double* weights, const Vec3* x) {
  return weights[0] * x[0] + weights[1] * x[1] + weights[2] * x[2] + weights[3] * x[3];
}

/// Σ w_i dx_i as a matrix.
Mat3x12 combination(const double* weights) {
  Mat3x12 sum = Mat3x12::Zero();
  for (Eigen::Index i = 0; i < 4; ++i) sum.block<3, 3>(0, 3 * i).diagonal().setConstant(weights[i]);
  return sum;
}

constexpr double first_edge[4] = {-1, 1, 0, 0}, second_edge[4] = {0, 0, -1, 1};

}  // namespace

PathSlope path_slope(const Barrier& barrier, double d_0, double d_1) {
  const double dhat = barrier.dhat;
  const double half = 0.5 * barrier.k * dhat;
  if (d_0 < dhat && d_1 < dhat) {
    const double product = d_0 * d_1, deep_0 = dhat - d_0, deep_1 = dhat - d_1;
    return {.slope = -half * (dhat * (deep_0 + deep_1) - deep_0 * deep_1) / product,  // d̂² − d₀d₁ would cancel
            .curvature = half * dhat * dhat / (product * d_1)};
  }
  const double inner = std::min(d_0, d_1);
  const double length = std::max(d_0, d_1) - inner, deep = dhat - inner;
  const double mean = half * deep * deep / (inner * length);
  const double grows = d_1 < d_0 ? 2 / deep + 1 / inner - 1 / length : 1 / length;
  return {.slope = -mean, .curvature = deep > 0 ? mean * grows : 0};
}

PairPath::PairPath(PairKind kind, const Barrier& barrier, const Vec3* from, const Vec3* to, double damper)
    : kind_(kind), barrier_(barrier), count_(vertices_of(kind)), damper_(damper) {
  for (int i = 0; i < 4; ++i) {
    const bool used = i < count_;
    from_[i] = used ? Vec3(from[i] - from[0]) : Vec3::Zero();
    to_[i] = used ? Vec3(to[i] - from[0]) : Vec3::Zero();
  }
  near_0_ = nearest(kind, from_);
  near_1_ = nearest(kind, to_);
  d_0_ = near_0_.distance();
  d_1_ = near_1_.distance();
  const double gap_0 = d_0_ - barrier.core, gap_1 = d_1_ - barrier.core;
  B_0_ = gap_0 < barrier.dhat ? barrier_at(barrier, gap_0).B : 0;
  B_1_ = gap_1 < barrier.dhat ? barrier_at(barrier, gap_1).B : 0;
  slope_ = path_slope(barrier, gap_0, gap_1);
  undamped_ = slope_.slope;
  if (damper_ > 0) {
    const double factor = std::max(1 - damper_ * (d_1_ - d_0_), 0.0);
    slope_.curvature = factor > 0 ? factor * slope_.curvature - damper_ * undamped_ : 0;
    slope_.slope *= factor;
  }
  find_contact_point();
  fade_0_ = fade(from_);
  fade_1_ = fade(to_);
  const double epsilon = barrier.epsilon;
  const double low = std::min(fade_0_.c, fade_1_.c), high = std::max(fade_0_.c, fade_1_.c);
  if (kind != PairKind::segment_segment || !(low < epsilon)) return;
  if (high < epsilon) {
    fade_quotient_ = (2 - (low + high) / epsilon) / epsilon;
    fade_quotient_slope_ = -1 / (epsilon * epsilon);
  } else {
    const double left = 1 - low / epsilon, length = high - low;
    fade_quotient_ = left * left / length;
    const double grows = left * left / (length * length);
    fade_quotient_slope_ = fade_1_.c < fade_0_.c ? grows - 2 * left / (epsilon * length) : -grows;
  }
}

PairPath::Fade PairPath::fade(const Vec3* x) const {
  Fade fade;
  if (kind_ != PairKind::segment_segment || barrier_.epsilon == 0) return fade;
  fade.u = x[1] - x[0];
  fade.v = x[3] - x[2];
  fade.c = fade.u.cross(fade.v).squaredNorm();
  const double fraction = fade.c / barrier_.epsilon;
  if (fraction >= 1) return fade;
  fade.m = fraction * (2 - fraction);
  fade.slope = 2 * (1 - fraction) / barrier_.epsilon;
  return fade;
}

Vec3 PairPath::at_from(const double* weights) const { return combined(weights, from_); }
Vec3 PairPath::at_to(const double* weights) const { return combined(weights, to_); }

void PairPath::find_contact_point() {
  constexpr double rounding = 1e-28;  // of squared distances: c₀ = c₁ but for rounding, so that any t will do
  double sum[4];
  for (int i = 0; i < 4; ++i) {
    dc_[i] = near_1_.w[i] - near_0_.w[i];
    sum[i] = near_1_.w[i] + near_0_.w[i];
  }
  const Vec3 e_0 = at_from(dc_), e_1 = at_to(dc_), s_0 = at_from(sum), s_1 = at_to(sum);
  a_1_ = std::max(-e_1.dot(s_1), 0.0);
  a_0_ = std::max(e_0.dot(s_0), 0.0);
  g_ = e_1.squaredNorm() - e_0.squaredNorm();
  moves_ = a_0_ + a_1_ > rounding * (s_0.squaredNorm() + s_1.squaredNorm());
  if (moves_) {
    const double b = a_1_ + a_0_ + g_;
    const double root = std::sqrt(std::max(b * b - 4 * g_ * a_1_, 0.0));
    t_ = std::clamp(b >= 0 ? 2 * a_1_ / (b + root) : (b - root) / (2 * g_), 0.0, 1.0);
  }
  for (int i = 0; i < 4; ++i) c_[i] = near_0_.w[i] + t_ * dc_[i];
  y_ = 0.5 * (at_from(c_) + at_to(c_));
}

double PairPath::loss() const { return 0.5 * (fade_0_.m + fade_1_.m) * (slope_.slope - undamped_) * (d_1_ - d_0_); }

PairGradient PairPath::gradient() const {
  const double m = 0.5 * (fade_0_.m + fade_1_.m);
  const double q = slope_.slope / (d_0_ + d_1_);
  PairGradient g;
  for (Eigen::Index i = 0; i < 4; ++i) g.segment<3>(3 * i) = 2 * m * q * c_[i] * y_;
  if (fade_quotient_ != 0) g += 0.5 * (B_0_ + B_1_) * fade_quotient_ * fade_gradient();
  return g;
}

/// The discrete gradient of c×.
PairGradient PairPath::fade_gradient() const {
  const auto& [u_0, v_0, c_0, m_0, slope_0] = fade_0_;
  const auto& [u_1, v_1, c_1, m_1, slope_1] = fade_1_;
  const Vec3 u = 0.5 * (u_0 + u_1), v = 0.5 * (v_0 + v_1);
  const double uu = 0.5 * (u_0.squaredNorm() + u_1.squaredNorm()), vv = 0.5 * (v_0.squaredNorm() + v_1.squaredNorm());
  const double uv = 0.5 * (u_0.dot(v_0) + u_1.dot(v_1));
  const Vec3 by_u = 2 * (vv * u - uv * v), by_v = 2 * (uu * v - uv * u);
  PairGradient g;
  for (Eigen::Index i = 0; i < 4; ++i) g.segment<3>(3 * i) = (i % 2 == 0 ? -1.0 : 1.0) * (i < 2 ? by_u : by_v);
  return g;
}

void PairPath::parameter_rows(Row* rows) const {
  const int free = near_1_.free;
  if (free == 0) return;
  // ½|r|² is stationary by the parameters: (AᵀA) dp = −Fᵀ dx, as in distance.h.
  Eigen::Matrix<double, 3, 2> A = Eigen::Matrix<double, 3, 2>::Zero();
  Eigen::Matrix<double, 2, 12> F = Eigen::Matrix<double, 2, 12>::Zero();
  for (int p = 0; p < free; ++p) A.col(p) = at_to(near_1_.dw[p]);
  for (int p = 0; p < free; ++p)
    for (Eigen::Index i = 0; i < 4; ++i)
      F.block<1, 3>(p, 3 * i) = (near_1_.w[i] * A.col(p) + near_1_.dw[p][i] * near_1_.r).transpose();
  if (free == 1) {
    rows[0] = -F.row(0) / A.col(0).squaredNorm();
    return;
  }
  const Eigen::Matrix<double, 2, 12> both = -(A.transpose() * A).inverse() * F;
  for (int p = 0; p < 2; ++p) rows[p] = both.row(p);
}

/// ∂t/∂to.
PairPath::Row PairPath::point_row(const Row* parameters) const {
  const double root = a_1_ + a_0_ + g_ * (1 - 2 * t_);
  if (!moves_ || !(root > 0)) return Row::Zero();
  const Vec3 e_0 = at_from(dc_), e_1 = at_to(dc_);
  Row da_1 =
      2 * at_to(near_0_.w).transpose() * combination(near_0_.w) - 2 * near_1_.r.transpose() * combination(near_1_.w);
  Row da_0 = Row::Zero();
  Row dg = 2 * e_1.transpose() * combination(dc_);
  const Vec3 far = at_from(near_1_.w);
  for (int p = 0; p < near_1_.free; ++p) {
    const Vec3 before = at_from(near_1_.dw[p]), after = at_to(near_1_.dw[p]);
    da_0 += 2 * far.dot(before) * parameters[p];
    dg += 2 * (e_1.dot(after) - e_0.dot(before)) * parameters[p];
  }
  return ((1 - t_) * da_1 - t_ * da_0 - t_ * (1 - t_) * dg) / root;
}

PairHessian PairPath::jacobian() const {
  const double m = 0.5 * (fade_0_.m + fade_1_.m);
  const double length = d_0_ + d_1_;
  const double q = slope_.slope / length;
  Row parameters[2] = {Row::Zero(), Row::Zero()};
  parameter_rows(parameters);
  const Row dt = point_row(parameters);
  const Row dd = near_1_.r.transpose() / d_1_ * combination(near_1_.w);
  const Row dq = (slope_.curvature - q) / length * dd;
  Mat3x12 dy = 0.5 * combination(c_) + 0.5 * (at_from(dc_) + at_to(dc_)) * dt;
  for (int p = 0; p < near_1_.free; ++p)
    dy += 0.5 * t_ * (at_from(near_1_.dw[p]) + at_to(near_1_.dw[p])) * parameters[p];
  PairHessian J;
  for (Eigen::Index i = 0; i < 4; ++i) {
    Row dc = dc_[i] * dt;
    for (int p = 0; p < near_1_.free; ++p) dc += t_ * near_1_.dw[p][i] * parameters[p];
    J.middleRows<3>(3 * i) = 2 * m * (y_ * (c_[i] * dq + q * dc) + q * c_[i] * dy);
  }
  if (kind_ == PairKind::segment_segment && (fade_quotient_ != 0 || fade_1_.slope != 0)) add_fade_jacobian(J);
  return J;
}

void PairPath::add_fade_jacobian(PairHessian& J) const {
  const auto& [u_0, v_0, c_0, m_0, slope_0] = fade_0_;
  const auto& [u_1, v_1, c_1, m_1, slope_1] = fade_1_;
  const Mat3x12 du = combination(first_edge), dv = combination(second_edge);
  const double uv_1 = u_1.dot(v_1);
  const Row dc = 2 * (v_1.squaredNorm() * u_1 - uv_1 * v_1).transpose() * du +
                 2 * (u_1.squaredNorm() * v_1 - uv_1 * u_1).transpose() * dv;
  const double q = slope_.slope / (d_0_ + d_1_);
  for (Eigen::Index i = 0; i < 4; ++i) J.middleRows<3>(3 * i) += q * c_[i] * slope_1 * y_ * dc;
  if (fade_quotient_ == 0) return;
  const double B = 0.5 * (B_0_ + B_1_);
  const Vec3 u = 0.5 * (u_0 + u_1), v = 0.5 * (v_0 + v_1);
  const double uu = 0.5 * (u_0.squaredNorm() + u_1.squaredNorm()), vv = 0.5 * (v_0.squaredNorm() + v_1.squaredNorm());
  const double uv = 0.5 * (u_0.dot(v_0) + uv_1);
  const Row duv = 0.5 * (u_1.transpose() * dv + v_1.transpose() * du);
  const Mat3x12 by_u = 2 * (u * (v_1.transpose() * dv) + 0.5 * vv * du - v * duv - 0.5 * uv * dv);
  const Mat3x12 by_v = 2 * (v * (u_1.transpose() * du) + 0.5 * uu * dv - u * duv - 0.5 * uv * du);
  for (Eigen::Index i = 0; i < 4; ++i)
    J.middleRows<3>(3 * i) += (i % 2 == 0 ? -1.0 : 1.0) * B * fade_quotient_ * (i < 2 ? by_u : by_v);
  Row scale = B * fade_quotient_slope_ * dc;
  if (const double gap = d_1_ - barrier_.core; gap < barrier_.dhat)
    scale +=
        0.5 * barrier_at(barrier_, gap).slope * fade_quotient_ / d_1_ * near_1_.r.transpose() * combination(near_1_.w);
  J += fade_gradient() * scale;
}

PairHessian PairPath::positive_part() const {
  const double size = y_.norm();
  if (!(size > 0)) return PairHessian::Zero();
  PairGradient normal;
  for (Eigen::Index i = 0; i < 4; ++i) normal.segment<3>(3 * i) = c_[i] / size * y_;
  return 0.5 * (fade_0_.m + fade_1_.m) * slope_.curvature * normal * normal.transpose();
}

}  // namespace brio
