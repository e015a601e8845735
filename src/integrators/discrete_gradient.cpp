#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "integrators/implicit.h"
#include "solvers/damped_newton.h"
#include "solvers/definite_hessian.h"

namespace brio {
namespace {

/// Midpoint discrete gradient: the force of implicit midpoint, corrected along the step so that its work is exactly the
/// change of the energy. Order 2. [Gonzalez 1996]
///   M(x' − y)/h² + ½(∇E(x̄) + σ Δx) = 0,   σ = (E(x') − E(x_n) − ∇E(x̄)·Δx) / |Δx|²,   x̄ = (x_n + x')/2
///   y = x_n + h v_n;   v' = 2(x' − x_n)/h − v_n
/// No minimum: its equations are solved by Newton's method. Their Jacobian is the Hessian of implicit midpoint + σ/2 I
/// + ½ Δx ∇σᵀ, the last of rank one, so two solves with one factor do [Sherman & Morrison 1950]. Where Δx is so small
/// that the rounding of E would show in the force, σ = 0. The correction points along the step, so momenta are not
/// kept.
class DiscreteGradient final : public ImplicitIntegrator, private Equations {
 public:
  explicit DiscreteGradient(const SolverOptions& options) : ImplicitIntegrator(options), hessian_(options) {}

 private:
  void prepare(const Model& model) override {
    for (NodalField* field : {&F_, &dx_, &mean_, &slope_, &w_, &a_, &b_, &trial_})
      *field = NodalField(model.vertices());
  }

  StepReport advance(const Model&, State& state, double h) override {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    StepReport report;
    inertial_target(state, h, y_);
    x_next_ = y_;
    declare(h, state.x, terms);
    objective().admit(x_next_);
    if (!ImplicitIntegrator::accept(solve_equations(state.x, h), h, report)) return report;
    set_velocity(state, h, 2, 1);
    return commit(state, h, std::move(report));
  }

  double elastic(const NodalField& x) const {
    double sum = 0;
    for (const auto& energy : model().energies()) sum += energy->value(x);
    return sum;
  }

  /// Sets F_, dx_, slope_ = ∇E(x̄) and σ; returns |F|, or what is not finite.
  double evaluate(const NodalField& x) {
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
    objective().gradient(x, F_);
    for_vertices(x.size(), [&](std::size_t i) {
      dx_[i] = x[i] - (*x_n_)[i];
      mean_[i] = (*x_n_)[i] + 0.5 * dx_[i];
    });
    slope_.set_zero();
    for (const auto& energy : model().energies()) energy->gradient(mean_, {}, slope_);
    const double E = elastic(x);
    squared_ = sum_.dot(dx_, dx_);
    const double excess = E - E_n_ - sum_.dot(slope_, dx_);
    const double blur = rounding * (std::abs(E) + std::abs(E_n_)) / squared_;  // of σ
    sigma_ = blur * objective().norm(dx_) <= objective().goal(options_.tolerance) ? excess / squared_ : 0;
    for_vertices(x.size(), [&](std::size_t i) { F_[i] += 0.5 * sigma_ * dx_[i]; });
    return std::isfinite(E) ? objective().norm(F_) : E;
  }

  SolveReport solve_equations(const NodalField& x_n, double h) {
    SolveReport report;
    hessian_.begin(objective(), report);
    x_n_ = &x_n;
    h_ = h;
    E_n_ = elastic(x_n);
    norm_ = evaluate(x_next_);
    if (!std::isfinite(norm_)) {
      x_next_ = x_n;
      norm_ = evaluate(x_next_);
    }
    if (!std::isfinite(norm_)) {
      report.message = "the energy is not finite where the step starts";
      return report;
    }
    const int max_iterations = options_.iterations > 0 ? options_.iterations : 100;
    damped_newton(*this, norm_, max_iterations, report);
    report.linear = hessian_.description();
    if (report.converged()) return report;
    report.message = fmt::format("{} iterations did not balance the discrete gradient", report.iterations);
    return report;
  }

  bool converged(SolveReport& report) override {
    report.residual = objective().relative(norm_);
    return norm_ <= objective().goal(options_.tolerance);
  }
  double max_step() override { return objective().domain_step(x_next_, a_); }
  double try_step(double step) override {
    for_vertices(trial_.size(), [&](std::size_t i) { trial_[i] = x_next_[i] + step * a_[i]; });
    return trial_norm_ = evaluate(trial_);
  }
  void accept(double) override {
    std::swap(x_next_, trial_);
    norm_ = trial_norm_;
  }
  bool only_rounding_left() override { return objective().at_rounding(norm_); }

  /// a_ = −J⁻¹F at x_next_.
  bool find_direction(SolveReport& report) override {
    if (!hessian_.make_and_solve(objective(), x_next_, w_, F_, a_, report, 0.5 * sigma_)) return false;
    // w = ½∇σ. The curvature of E along the step comes from H = M/h² + ¼∇²E + σ/2 I.
    w_.set_zero();
    if (sigma_ != 0) {
      for (const auto& energy : model().energies()) energy->gradient(x_next_, {}, w_);
      multiply(hessian_.matrix(), dx_, b_);
      for_vertices(w_.size(), [&](std::size_t i) {
        const Vec3 half_curved = 2 * (b_[i] - (model().mass()[i] / (h_ * h_) + 0.5 * sigma_) * dx_[i]);
        w_[i] = (w_[i] - slope_[i] - half_curved - 2 * sigma_ * dx_[i]) / (2 * squared_);
        if (model().pinned()[i] != 0) w_[i].setZero();
      });
    }
    if (!hessian_.solve(dx_, b_, report)) return false;
    const double ratio = sum_.dot(w_, a_) / (1 + sum_.dot(w_, b_));
    for_vertices(a_.size(), [&](std::size_t i) { a_[i] = ratio * b_[i] - a_[i]; });
    return true;
  }

  DefiniteHessian hessian_;
  NodalField F_, dx_, mean_, slope_, w_, a_, b_, trial_;
  double E_n_ = 0, sigma_ = 0, squared_ = 0;  ///< E(x_n) [J], σ [N/m], |Δx|² [m²]
  double norm_ = 0, trial_norm_ = 0;          ///< |F| at x', and where the last step led
  const NodalField* x_n_ = nullptr;
  double h_ = 0;  ///< [s]
  NodalSum sum_;
};

}  // namespace

Method discrete_gradient() {
  return {.name = "discrete-gradient",
          .aliases = {"gonzalez"},
          .family = "comparison",
          .order = 2,
          .reversible = true,
          .linear_momentum = false,
          .energy = EnergyBehavior::kept,
          .reference = "Gonzalez 1996",
          .sentence = "for comparison: exact energy for any material, by root finding; momenta are not kept",
          .cost = "one solve of equations per step, two linear solves per iteration",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<DiscreteGradient>(options.solver);
          }};
}

}  // namespace brio
