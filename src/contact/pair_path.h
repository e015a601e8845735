/// The force of a pair over a step whose work is exactly what the pair's energy changes by, and which neither moves nor
/// turns anything as a whole, however long the step is and wherever its nearest points go.
///
/// A pair's squared distance is a minimum, D = min |Σ c_i x_i|² over weights c of a convex set, Σ c = 0. With the
/// minimizers c₀, c₁ at both ends of the step and φ(c) = |c·x₁|² − |c·x₀|², φ(c₀) ≥ D₁ − D₀ ≥ φ(c₁): one t in [0, 1]
/// has φ(c) = ΔD on c = c₀ + t(c₁ − c₀),
///   a₁(1 − t) − a₀ t − g t(1 − t) = 0,   a₁ = |c₀·x₁|² − D₁,   a₀ = |c₁·x₀|² − D₀,   g = |Δc·x₁|² − |Δc·x₀|²
/// Then the discrete gradient of B(d) is 2q c_i (c·x̄), q = ΔB/ΔD, x̄ in the middle of the step: no derivative of D is in
/// it, so that changes of region and parallel edges are no special cases. B is a function of d less the core that its
/// simplices have, which Δd does not see: q = (ΔB/Δd)/(d₀ + d₁) in closed form, in which nothing cancels, with d less
/// the core in
///   ΔB/Δd = −½k d̂ (d̂²/(d₀d₁) − 1) with both ends within d̂;   −½k d̂ (d̂ − l)²/(l (u − l)) with d = l within, u beyond
/// The fading m of parallel edges is a function of c× = |u×v|², which has an exact product rule:
///   Δ(mB) = m̄ ΔB + B̄ Δm,   Δc× = 2(‖v‖² ū − u·v v̄)·Δu + 2(‖u‖² v̄ − u·v ū)·Δv,   with means of both ends
/// A damper takes the factor 1 − ρΔd of q, but never less than 0, and with it −ρ m̄ ΔB Δd ≥ 0 of the energy.
/// c₁ depends on x₁, so the force is the gradient of nothing: its derivative is not symmetric.
#pragma once

#include "contact/barrier.h"

namespace brio {

/// Mean slope of the barrier between two distances, of which one at least is within d̂, and its derivative by the
/// second.
struct PathSlope {
  double slope, curvature;  ///< ΔB/Δd [N], [N/m]
};
PathSlope path_slope(const Barrier& barrier, double d_0, double d_1);

class PairPath {
 public:
  /// One end at least is within d̂, both beyond zero. `damper` is ρ [1/m].
  PairPath(PairKind kind, const Barrier& barrier, const Vec3* from, const Vec3* to, double damper = 0);

  double energy() const { return fade_1_.m * B_1_; }  ///< where the path ends [J]
  /// What the damper takes [J].
  double loss() const;
  /// The discrete gradient, and what damps [N].
  PairGradient gradient() const;
  /// Its derivative by `to` [N/m].
  PairHessian jacobian() const;
  /// A positive semidefinite part of that, with the normal held.
  PairHessian positive_part() const;

 private:
  using Row = Eigen::Matrix<double, 1, 12>;
  struct Fade {
    Vec3 u = Vec3::Zero(), v = Vec3::Zero();
    double c = 0, m = 1, slope = 0;  ///< m by c
  };
  Fade fade(const Vec3* x) const;
  void find_contact_point();
  Vec3 at_from(const double* weights) const;
  Vec3 at_to(const double* weights) const;
  /// ∂p/∂to of the parameters of c₁.
  void parameter_rows(Row* rows) const;
  Row point_row(const Row* parameters) const;
  PairGradient fade_gradient() const;
  void add_fade_jacobian(PairHessian& J) const;

  PairKind kind_;
  const Barrier& barrier_;
  int count_;
  Vec3 from_[4], to_[4];  ///< relative to the first vertex where the path begins
  Nearest near_0_, near_1_;
  double d_0_, d_1_;
  double B_0_, B_1_;
  double damper_;
  PathSlope slope_;      ///< damped
  double undamped_;      ///< ΔB/Δd [N]
  double c_[4], dc_[4];  ///< the contact point, and c₁ − c₀
  double t_ = 0.5;
  double a_0_ = 0, a_1_ = 0, g_ = 0;
  bool moves_ = false;  ///< t depends on the path
  Vec3 y_;              ///< c·x̄
  Fade fade_0_, fade_1_;
  double fade_quotient_ = 0, fade_quotient_slope_ = 0;  ///< Δm/Δc×, and its derivative by c× of the end
};

}  // namespace brio
