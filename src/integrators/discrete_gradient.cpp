#include "integrators/discrete_gradient.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace brio {

double DiscreteGradientIntegrator::difference_step(const NodalField& x, const NodalField& v) {
  constexpr double part = 1e-6;
  const std::size_t count = model().vertices();
  const Vec3 first = x[0];
  double size =
      std::sqrt(sum_(count, [&](std::size_t i) { return (x[i] - first).squaredNorm(); }) / static_cast<double>(count));
  if (size == 0) size = first.norm() > 0 ? first.norm() : 1;
  double longest = 0;
  for (std::size_t i = 0; i < v.size(); ++i) longest = std::max(longest, v[i].squaredNorm());
  return longest > 0 ? part * size / std::sqrt(longest) : 1;
}

SolveReport DiscreteGradientIntegrator::solve_equations(double merit) {
  SolveReport report;
  if (!std::isfinite(merit)) {
    report.message = "the energy is not finite where the step starts";
    return report;
  }
  hessian_.begin(objective(), report);
  const int max_iterations = options_.iterations > 0 ? options_.iterations : 100;
  damped_newton(*this, merit, max_iterations, report);
  report.linear = hessian_.description();
  if (!report.converged())
    report.message = fmt::format("{} iterations did not balance the discrete gradient", report.iterations);
  return report;
}

double DiscreteGradientIntegrator::energy_of(const Configuration& at, Averaging apart) const {
  double sum = 0;
  for (const auto& energy : model().energies())
    if (!energy->takes_mean(apart)) sum += energy->value(at);
  return sum;
}

namespace {

/// Discrete gradients of the potential: forces whose work over the step is exactly the change of the energy. Order 2.
/// [Gonzalez 1996, 2000]
///   M(x' − y)/h² + ½ ∇̄E = 0,   ∇̄E·Δx = E(x') − E(x_n);   y = x_n + h v_n;   v' = 2(x' − x_n)/h − v_n
/// Elastodynamic: each element has its own, in its strain, which keeps both momenta (model/materials/discrete_stress.h,
/// model/energies/spring_kernel.h). What has no such form (colliders by penalty, energies of users) is taken as in
/// Potential: of all energy at once,
///   ∇̄E = ∇E(x̄) + σ Δx,   σ = (E(x') − E(x_n) − ∇E(x̄)·Δx) / |Δx|²,   x̄ = (x_n + x')/2
/// Δx is measured in the frame of the supports, or where there are none less its own mean, so that the correction gives
/// no momentum; what is driven counts among the points, so that E changes by its differences only. It points along the
/// step, so angular momentum is not kept. Where Δx is so small that the rounding of E would show in the force, σ = 0.
class DiscreteGradient final : public DiscreteGradientIntegrator {
 public:
  DiscreteGradient(const SolverOptions& options, Averaging elements) : DiscreteGradientIntegrator(options) {
    averages_paths_ = elements;
  }

 private:
  void prepare(const Model& model) override {
    for (NodalField* field : {&F_, &minus_, &dx_, &mean_, &slope_, &unused_, &a_, &trial_, &other_})
      *field = NodalField(model.vertices());
    gmres_.prepare(model.vertices());
    corrects_ = false;
    for (const auto& energy : model.energies()) corrects_ = corrects_ || !energy->takes_mean(averages_paths_);
  }

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    const double h = step.h;
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    StepReport report;
    inertial_target(state, step, y_);
    x_next_ = y_;
    declare(h, step, state.x, terms);
    objective().average_paths(averages_paths_);
    if (objective().averages_path_forces()) {
      find_guess(solver(), state.x, report);
      objective().unsettle();
    } else {
      admit_guess(solver(), report);
    }
    if (!report.ok()) return report;
    state_ = &state;
    step_ = step;
    const ReferenceFrame frame = reference_frame(model(), state, step);
    frame_ = frame.velocity;
    held_ = frame.held;
    E_n_ = energy_of({state.x, Moment::at(step.start)}, averages_paths_);  // with what is let go: that is booked
    norm_ = evaluate(x_next_, F_);
    if (!std::isfinite(norm_)) {
      objective().return_to_start(x_next_);
      norm_ = evaluate(x_next_, F_);
    }
    if (!accept_root(solve_equations(norm_), h, report)) return report;
    set_velocity(state, h, 2, 1);
    book(report);
    return commit(state, step, std::move(report));
  }

  /// The correction acts on pins as on all vertices.
  void book(StepReport& report) {
    static constexpr Impulse impulse[]{{.b = 1, .theta = 0.5}};
    if (!supports().wanted()) return;
    evaluate(x_next_, F_);
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
    supports().add(state_->x, x, step_, impulse, averages_paths_);
    SupportWork sum;
    for (const Driven* support : model().supports())
      if (!support->is_made_of_vertices() && !support->takes_mean(averages_paths_))
        sum += support->work(*state_, x, step_);
    return sum.seen_from(frame_);
  }

  Vec3 mean_of(const NodalField& field) {
    Vec3 sum = Vec3::Zero();
    for (int c = 0; c < 3; ++c) sum[c] = sum_(field.size(), [&](std::size_t i) { return field[i][c]; });
    return sum / static_cast<double>(field.size());
  }

  /// Sets F, and σ with what it is made of; returns |F|, or what is not finite.
  double evaluate(const NodalField& x, NodalField& F) {
    const double phi = objective().gradient(x, F);
    return complete(x, phi, F);
  }
  /// The same without forces whose derivative is known.
  double evaluate_rest(const NodalField& x, NodalField& F) {
    const double phi = objective().smooth_gradient(x, F);
    return complete(x, phi, F);
  }
  double complete(const NodalField& x, double phi, NodalField& F) {
    sigma_ = 0;
    if (corrects_) {
      if (const double E = correct(x); !std::isfinite(E)) return E;
      for_vertices(x.size(), [&](std::size_t i) {
        if (model().pinned()[i] == 0) F[i] += 0.5 * sigma_ * dx_[i];
      });
    }
    return std::isfinite(phi) ? objective().norm(F) : phi;
  }

  /// Sets σ and dx_; returns the energy.
  double correct(const NodalField& x) {
    for_vertices(x.size(), [&](std::size_t i) {
      dx_[i] = x[i] - state_->x[i];
      mean_[i] = state_->x[i] + 0.5 * dx_[i];
    });
    const Vec3 drift = held_ ? Vec3(step_.h * frame_) : mean_of(dx_);
    for_vertices(x.size(), [&](std::size_t i) { dx_[i] -= drift; });
    slope_.set_zero();
    const Configuration middle{mean_, Moment::along(step_, state_->x, 0.5)};
    for (const auto& energy : model().energies())
      if (!energy->takes_mean(averages_paths_)) energy->gradient(middle, {}, slope_);
    const double E = energy_of({x, Moment::along(step_, state_->x, 1)}, averages_paths_);
    const double squared = sum_.dot(dx_, dx_);
    const double excess = E - E_n_ - sum_.dot(slope_, dx_) - points_work(x);
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
    const double blur = rounding * (std::abs(E) + std::abs(E_n_)) / squared;  // of σ
    const bool moves = squared > rounding * rounding * sum_.dot(x, x);
    if (moves && blur * objective().norm(dx_) <= objective().goal(options_.tolerance)) sigma_ = excess / squared;
    return E;
  }

  bool converged(SolveReport& report) override {
    report.residual = objective().relative(norm_);
    return norm_ <= objective().goal(options_.tolerance);
  }
  double max_step() override { return objective().domain_step(x_next_, a_); }
  double try_step(double step) override {
    for_vertices(trial_.size(), [&](std::size_t i) { trial_[i] = x_next_[i] + step * a_[i]; });
    return trial_norm_ = evaluate(trial_, F_);
  }
  void accept(double) override {
    std::swap(x_next_, trial_);
    norm_ = trial_norm_;
  }
  bool only_rounding_left() override {
    norm_ = evaluate(x_next_, F_);
    return objective().at_rounding(norm_);
  }

  /// a_ = −J⁻¹F at x_next_.
  bool find_direction(SolveReport& report) override {
    evaluate(x_next_, F_);
    for_vertices(F_.size(), [&](std::size_t i) { minus_[i] = -F_[i]; });
    if (!make_preconditioner(report)) return false;
    const bool has_path_forces = objective().averages_path_forces() && objective().linearize_path_forces(x_next_);
    const auto product = [&](const NodalField& v, NodalField& Jv) {
      report.evaluations += 5;  // two, and a linear solve
      differentiate(x_next_, v, Jv, [&](const NodalField& x, NodalField& F) { evaluate_rest(x, F); });
      if (has_path_forces) objective().add_path_product(v, Jv);
    };
    const auto precondition = [&](const NodalField& v, NodalField& z) { return hessian_.solve(v, z, report); };
    const auto weight = [&](std::size_t i) { return model().pinned()[i] != 0 ? 0.0 : 1 / model().mass()[i]; };
    gmres_.solve(minus_, direction_tolerance, product, precondition, weight, a_);
    return sum_.finite(a_);
  }

  /// The Hessian of discrete gradients, or of midpoint steps where it is not finite, as where elements are mirrored.
  bool make_preconditioner(SolveReport& report) {
    const auto make = [&] {
      return hessian_.make_and_solve(objective(), x_next_, unused_, minus_, a_, report, 0.5 * sigma_);
    };
    if (make()) return true;
    objective().average_paths(Averaging::none);
    const bool made = make();
    objective().average_paths(averages_paths_);
    return made;
  }

  NodalField F_, minus_, dx_, mean_, slope_, unused_, a_;
  bool corrects_ = true;              ///< some energy has no discrete gradient of its own
  double E_n_ = 0, sigma_ = 0;        ///< of what is corrected: E(x_n) [J], σ [N/m]
  double norm_ = 0, trial_norm_ = 0;  ///< |F| at x', and where the last step led
  const State* state_ = nullptr;      ///< where the step starts
  TimeStep step_;
  Vec3 frame_ = Vec3::Zero();  ///< velocity of the observer [m/s]
  bool held_ = true;           ///< else the observer moves with the mean of the step, and momentum is kept
};

}  // namespace

Method discrete_gradient() {
  return {.name = "discrete-gradient",
          .aliases = {"gonzalez"},
          .family = "comparison",
          .order = 2,
          .reversible = true,
          .angular_momentum = true,
          .energy = EnergyBehavior::kept,
          .resolves = 0.1,
          .options = {"form"},
          .reference = "Gonzalez 1996, 2000; Simo & Tarnow 1992",
          .sentence =
              "exact energy and both momenta for any material, by root finding, which may fail at large steps and then "
              "takes smaller ones; form = \"potential\" keeps energy and linear momentum, \"phase-space\" energy alone",
          .cost = "one solve of equations per step, some linear solves and twice as many evaluations per iteration",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            if (options.form == DiscreteForm::phase_space) return make_phase_space_gradient(options.solver);
            const bool elements = options.form == DiscreteForm::elastodynamic;
            return std::make_unique<DiscreteGradient>(options.solver, elements ? Averaging::discrete : Averaging::none);
          }};
}

}  // namespace brio
