/// Friction along a path: with r(s) = r_0 + s d the offset of a vertex from its anchor and W Huber's function
/// (contact/friction_contact.h),
///
///   P = ½ ∫₀¹ (W(r(s)) − W(r_0))/s ds,
///
/// whose gradient by r(1) is half of the mean of ∇W, so that its work over the step is the change of W exactly. The
/// path is cut where |r| = cap/k: within, W is a square; beyond, with û = d/|d|, r = r⊥ + τ û,
///   ∫ r/|r| dτ = û Δ|r| + r⊥ Δasinh(τ/|r⊥|).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "brio/core.h"

namespace brio::friction {

struct PathMean {
  double value = 0;
  Vec3 gradient = Vec3::Zero();
  Mat3 hessian = Mat3::Zero();
};

class PathAverage {
 public:
  /// Offsets across `normal`, where the path begins and ends [m].
  PathAverage(double k, double cap, const Vec3& r_0, const Vec3& r_1, const Vec3& normal)
      : k_(k),
        cap_(cap),
        r_0_(r_0),
        d_(r_1 - r_0),
        tangent_(Mat3::Identity() - normal * normal.transpose()),
        start_(energy(r_0_.norm())) {}

  template <int order>
  PathMean find() const {
    PathMean mean;
    const double length = d_.norm();
    const double rim = cap_ / k_;
    // Where the path is within the rim: roots of A s² + 2 b s + c = 0.
    const double A = d_.squaredNorm(), b = r_0_.dot(d_), c = r_0_.squaredNorm() - rim * rim;
    const double D = b * b - A * c;
    double enters = 1, leaves = 1;
    if (A == 0 || !std::isfinite(1 / A)) {
      (c <= 0 ? enters : leaves) = c <= 0 ? 0 : 1;
    } else if (D > 0) {
      const double q = -(b + std::copysign(std::sqrt(D), b));
      double first = q / A, second = q != 0 ? c / q : 0;
      if (first > second) std::swap(first, second);
      enters = std::clamp(first, 0.0, 1.0);
      leaves = std::clamp(second, 0.0, 1.0);
    }
    slip<order>(0, enters, length, mean);
    stick<order>(enters, leaves, mean);
    slip<order>(leaves, 1, length, mean);
    return mean;
  }

 private:
  double energy(double u) const { return k_ * u <= cap_ ? 0.5 * k_ * u * u : cap_ * (u - 0.5 * cap_ / k_); }
  static double log_ratio(double b, double a) { return a > 0 ? std::log(b / a) : 0; }

  template <int order>
  void stick(double a, double b, PathMean& mean) const {
    if (!(b > a)) return;
    mean.value += 0.5 * k_ * (0.25 * d_.squaredNorm() * (b * b - a * a) + r_0_.dot(d_) * (b - a)) +
                  0.5 * (0.5 * k_ * r_0_.squaredNorm() - start_) * log_ratio(b, a);
    if constexpr (order > 0) mean.gradient += 0.5 * k_ * (b - a) * (r_0_ + 0.5 * (a + b) * d_);
    if constexpr (order > 1) mean.hessian += 0.25 * k_ * (b * b - a * a) * tangent_;
  }

  template <int order>
  void slip(double a, double b, double length, PathMean& mean) const {
    if (!(b > a)) return;
    // A path that is short beside the offset turns little: there Gauss's rule is exact and differences are not.
    const bool is_short = (b - a) * length < 0.1 * (r_0_ + 0.5 * (a + b) * d_).norm();
    if (is_short) return gauss<order>(a, b, mean);
    const Vec3 u = d_ / length;
    const double tau_0 = r_0_.dot(u);
    const Vec3 across = r_0_ - tau_0 * u;
    const double rho = across.norm();
    const double tau_a = tau_0 + a * length, tau_b = tau_0 + b * length;
    const double r_a = std::hypot(tau_a, rho), r_b = std::hypot(tau_b, rho);
    const double turn = asinh_change(tau_a, r_a, tau_b, r_b, rho);
    mean.value += 0.5 * slip_value(a, b, length, tau_0, r_a, r_b, turn);
    if constexpr (order > 0) mean.gradient += 0.5 * cap_ / length * ((r_b - r_a) * u + turn * across);
    if constexpr (order > 1) mean.hessian += slip_hessian(length, tau_0, u, across, tau_a, tau_b);
  }

  /// ½ cap ∫ s (I − r̂ r̂ᵀ)/|r| ds, with w = ln(|r| ± τ), dτ/|r| = ± dw, in which it is smooth: by panels.
  Mat3 slip_hessian(double length, double tau_0, const Vec3& u, const Vec3& across, double tau_a, double tau_b) const {
    const double rho = across.norm();
    const double sign = tau_a + tau_b >= 0 ? 1 : -1;
    const auto to_w = [&](double tau) { return std::log(std::hypot(tau, rho) + sign * tau); };
    const double from = to_w(tau_a), span = to_w(tau_b) - from;
    const int panels = std::clamp(static_cast<int>(std::ceil(std::abs(span))), 1, 64);
    Mat3 sum = Mat3::Zero();
    for (int panel = 0; panel < panels; ++panel)
      for (const auto& [node, weight] : rule) {
        const double e = std::exp(from + span * (panel + node) / panels);
        const double tau = sign * 0.5 * (e - rho * rho / e), r = 0.5 * (e + rho * rho / e);
        const Vec3 along = (across + tau * u) / r;
        sum += weight * span / panels * (tau - tau_0) / length * (tangent_ - along * along.transpose());
      }
    return sign * 0.5 * cap_ / length * sum;
  }

  /// asinh(τ_b/ρ) − asinh(τ_a/ρ), also where ρ vanishes.
  static double asinh_change(double tau_a, double r_a, double tau_b, double r_b, double rho) {
    if (tau_a >= 0 && tau_b >= 0) return std::log((tau_b + r_b) / (tau_a + r_a));
    if (tau_a <= 0 && tau_b <= 0) return std::log((r_a - tau_a) / (r_b - tau_b));
    return std::asinh(tau_b / rho) - std::asinh(tau_a / rho);
  }

  /// ∫ (cap (|r| − cap/2k) − W(r_0))/s ds; ∫ |r|/s = |r| + τ_0 asinh(τ/ρ) − |r_0| ln((r_0·r + |r_0||r|)/s).
  double slip_value(double a, double b, double length, double tau_0, double r_a, double r_b, double turn) const {
    const double size = r_0_.norm();
    const auto ahead = [&](double s) { return r_0_.squaredNorm() + s * length * tau_0; };  // r_0·r
    double roots = 0;
    if (size > 0 && ahead(a) < 0 && ahead(b) < 0) {
      // Beyond the anchor the sum r_0·r + |r_0||r| vanishes; its product with the difference grows with s².
      roots = size * (std::log((size * r_b - ahead(b)) / (size * r_a - ahead(a))) - 2 * log_ratio(b, a));
    } else if (size > 0) {
      roots = -size * std::log((size * r_b + ahead(b)) / (size * r_a + ahead(a)));
    }
    roots += (size - 0.5 * cap_ / k_ - start_ / cap_) * log_ratio(b, a);
    return cap_ * (r_b - r_a + tau_0 * turn + roots);
  }

  template <int order>
  void gauss(double a, double b, PathMean& mean) const {
    for (const auto& [node, weight] : rule) {
      const double s = a + node * (b - a);
      const double w = 0.5 * weight * (b - a);
      const Vec3 r = r_0_ + s * d_;
      const double size = r.norm();
      mean.value += w * (cap_ * (size - 0.5 * cap_ / k_) - start_) / s;
      if constexpr (order > 0) mean.gradient += w * cap_ / size * r;
      if constexpr (order > 1) mean.hessian += w * s * cap_ / size * (tangent_ - r * r.transpose() / (size * size));
    }
  }

  /// Gauss, five points.
  static constexpr std::array<std::pair<double, double>, 5> rule{{{0.04691007703066802, 0.11846344252809454},
                                                                  {0.23076534494715845, 0.23931433524968324},
                                                                  {0.5, 0.28444444444444444},
                                                                  {0.7692346550528415, 0.23931433524968324},
                                                                  {0.9530899229693319, 0.11846344252809454}}};

  double k_, cap_;
  Vec3 r_0_, d_;
  Mat3 tangent_;
  double start_;  ///< W(r_0) [J]
};

}  // namespace brio::friction
