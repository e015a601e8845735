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
/// Δx is measured in the frame of the supports, or where there are none less its own mean, so that the correction gives
/// no momentum; what is driven counts among the points, so that E changes by its differences only.
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

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    const double h = step.h;
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    StepReport report;
    inertial_target(state, step, y_);
    x_next_ = y_;
    declare(h, step, state.x, terms);
    if (!admit_guess(solver(), report)) return report;
    state_ = &state;
    step_ = step;
    const ReferenceFrame frame = reference_frame(model(), state, step);
    frame_ = frame.velocity;
    held_ = frame.held;
    if (!ImplicitIntegrator::accept(solve_equations(), h, report)) return report;
    set_velocity(state, h, 2, 1);
    book(report);
    return commit(state, step, std::move(report));
  }

  double elastic(const Configuration& at) const {
    double sum = 0;
    for (const auto& energy : model().energies()) sum += energy->value(at);
    return sum;
  }

  /// The correction acts on pins as on all vertices.
  void book(StepReport& report) {
    static constexpr Impulse impulse[]{{.b = 1, .theta = 0.5}};
    if (!supports().wanted()) return;
    evaluate(x_next_);
    const SupportWork work = support_work(*state_, x_next_, step_, impulse);
    if (!model().is_driven()) return;
    double corrected = 0;
    for (std::size_t i = 0; i < x_next_.size(); ++i)
      if (model().pinned()[i] != 0) corrected += sigma_ * dx_[i].squaredNorm();
    report.user_work += corrected + seen_from_the_world(work, *state_, step_, frame_);
  }

  /// What the points of attachments and colliders do with the forces of the middle, as the frame sees it [J].
  double points_work(const NodalField& x) {
    static constexpr Impulse impulse[]{{.b = 1, .theta = 0.5}};
    if (!model().is_driven()) return 0;
    supports().clear();
    supports().add(state_->x, x, step_, impulse, Averaging::none);
    SupportWork sum;
    for (const Driven* support : model().supports())
      if (!support->is_made_of_vertices()) sum += support->work(*state_, x, step_);
    return sum.seen_from(frame_);
  }

  Vec3 mean_of(const NodalField& field) {
    Vec3 sum = Vec3::Zero();
    for (int c = 0; c < 3; ++c) sum[c] = sum_(field.size(), [&](std::size_t i) { return field[i][c]; });
    return sum / static_cast<double>(field.size());
  }

  /// Sets F_, dx_, slope_ = ∇E(x̄) and σ; returns |F|, or what is not finite.
  double evaluate(const NodalField& x) {
    objective().gradient(x, F_);
    for_vertices(x.size(), [&](std::size_t i) {
      dx_[i] = x[i] - state_->x[i];
      mean_[i] = state_->x[i] + 0.5 * dx_[i];
    });
    const Vec3 drift = held_ ? Vec3(step_.h * frame_) : mean_of(dx_);
    for_vertices(x.size(), [&](std::size_t i) { dx_[i] -= drift; });
    slope_.set_zero();
    const Configuration middle{mean_, Moment::along(step_, state_->x, 0.5)};
    for (const auto& energy : model().energies()) energy->gradient(middle, {}, slope_);
    const double E = elastic({x, Moment::along(step_, state_->x, 1)});
    squared_ = sum_.dot(dx_, dx_);
    const double excess = E - E_n_ - sum_.dot(slope_, dx_) - points_work(x);
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
    const double blur = rounding * (std::abs(E) + std::abs(E_n_)) / squared_;  // of σ
    const bool moves = squared_ > rounding * rounding * sum_.dot(x, x);
    sigma_ = moves && blur * objective().norm(dx_) <= objective().goal(options_.tolerance) ? excess / squared_ : 0;
    for_vertices(x.size(), [&](std::size_t i) {
      if (model().pinned()[i] == 0) F_[i] += 0.5 * sigma_ * dx_[i];
    });
    return std::isfinite(E) ? objective().norm(F_) : E;
  }

  SolveReport solve_equations() {
    SolveReport report;
    hessian_.begin(objective(), report);
    E_n_ = elastic({state_->x, Moment::at(step_.start)});  // with what is let go: that is booked
    norm_ = evaluate(x_next_);
    if (!std::isfinite(norm_)) {
      objective().return_to_start(x_next_);
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

  /// b_ = ½∇²E(x̄)Δx. H = M/h² + ¼∇²E + σ/2 I has it, but for what is driven: there it is a difference of ∇E along the
  /// step.
  void find_half_curvature() {
    if (!model().is_driven()) {
      multiply(hessian_.matrix(), dx_, b_);
      for_vertices(b_.size(), [&](std::size_t i) {
        b_[i] = 2 * (b_[i] - (model().mass()[i] / (step_.h * step_.h) + 0.5 * sigma_) * dx_[i]);
      });
      return;
    }
    constexpr double apart = 1e-3;
    b_.set_zero();
    for (const double side : {-1.0, 1.0}) {
      const double theta = 0.5 + side * apart;
      for_vertices(b_.size(), [&](std::size_t i) { trial_[i] = state_->x[i] + theta * (x_next_[i] - state_->x[i]); });
      const Configuration at{trial_, Moment::along(step_, state_->x, theta)};
      for (const auto& energy : model().energies()) energy->gradient(at, {.gradient = side / (4 * apart)}, b_);
    }
  }

  /// a_ = −J⁻¹F at x_next_.
  bool find_direction(SolveReport& report) override {
    if (!hessian_.make_and_solve(objective(), x_next_, w_, F_, a_, report, 0.5 * sigma_)) return false;
    // w = ½∇σ.
    w_.set_zero();
    if (sigma_ != 0) {
      const Configuration end{x_next_, Moment::along(step_, state_->x, 1)};
      for (const auto& energy : model().energies()) energy->gradient(end, {}, w_);
      find_half_curvature();
      for_vertices(w_.size(), [&](std::size_t i) {
        const Vec3 half_curved = b_[i];
        w_[i] = (w_[i] - slope_[i] - half_curved - 2 * sigma_ * dx_[i]) / (2 * squared_);
        if (model().pinned()[i] != 0) w_[i].setZero();
      });
    }
    for_vertices(trial_.size(), [&](std::size_t i) {
      trial_[i] = dx_[i];
      if (model().pinned()[i] != 0) trial_[i].setZero();
    });
    if (!hessian_.solve(trial_, b_, report)) return false;
    const double ratio = sum_.dot(w_, a_) / (1 + sum_.dot(w_, b_));
    for_vertices(a_.size(), [&](std::size_t i) { a_[i] = ratio * b_[i] - a_[i]; });
    return true;
  }

  DefiniteHessian hessian_;
  NodalField F_, dx_, mean_, slope_, w_, a_, b_, trial_;
  double E_n_ = 0, sigma_ = 0, squared_ = 0;  ///< E(x_n) [J], σ [N/m], |Δx|² [m²]
  double norm_ = 0, trial_norm_ = 0;          ///< |F| at x', and where the last step led
  const State* state_ = nullptr;              ///< where the step starts
  TimeStep step_;
  Vec3 frame_ = Vec3::Zero();  ///< velocity of the observer [m/s]
  bool held_ = true;           ///< else the observer moves with the mean of the step, and momentum is kept
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
