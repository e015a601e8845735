#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "integrators/implicit.h"
#include "solvers/damped_newton.h"
#include "solvers/definite_hessian.h"

namespace brio {
namespace {

/// The trapezoid step whose energy is held by a Lagrange multiplier. Order 2. [Hughes, Caughey & Liu 1978]
///   ∇Φ(x') + λ ∇C(x') = 0,   C(x') = H(x', v') − H(x_n, v_n) = 0
///   y = x_n + h v_n + h²/4 a_n;   terms (¼ at θ=1);   v' = 2(x' − x_n)/h − v_n
/// Since ∇²C = 4 ∇²Φ, each Newton step takes one factor and two solves:
///   δλ = ((1 + 4λ) C − ∇C·a) / (∇C·b),   d = −(a + δλ b)/(1 + 4λ),   a = H⁻¹(∇Φ + λ∇C),   b = H⁻¹∇C
/// H is taken in the frame of the supports or of the mean motion, and less the work of what is driven, so that every
/// observer finds the same multiplier. At large steps there may be no such x' near the trapezoid's, and the step fails.
/// The multiplier scales spin. Reversible: with A' = Mv'/(2h) + ¼∇E(x') and B = −Mv_n/(2h) + ¼∇E(x_n) the step is (1
/// + 4λ) A' + B = 0, which back is A' + (1 + 4λ)⁻¹ B.
class LagrangeEnergy final : public ImplicitIntegrator, private Equations {
 public:
  explicit LagrangeEnergy(const SolverOptions& options) : ImplicitIntegrator(options), hessian_(options) {
    strain_rule_ = {.weight = 0.5};
  }

 private:
  void prepare(const Model& model) override {
    for (NodalField* field : {&r_, &slope_, &a_, &b_, &trial_, &pinned_x_}) *field = NodalField(model.vertices());
    mass_ = 0;
    for (const double m : model.mass()) mass_ += m;
  }

  StepReport advance(const Model& model, State& state, const TimeStep& step) override {
    const double h = step.h;
    static constexpr Term terms[]{{.c = 0.25, .theta = 1}};
    StepReport report;
    acceleration(state, step, a_);
    inertial_target(state, step, y_);
    x_next_ = y_;
    for_vertices(y_.size(), [&](std::size_t i) { y_[i] += h * h / 4 * a_[i]; });
    if (!solve(step, state.x, terms, report)) return report;

    state_ = &state;
    step_ = step;
    const ReferenceFrame frame = reference_frame(model, state, step);
    frame_ = frame.velocity;
    held_ = frame.held;
    total_load_ = Vec3::Zero();
    if (const NodalField* const held = held_load(); held != nullptr)
      for (std::size_t i = 0; i < held->size(); ++i) total_load_ += (*held)[i];
    E_n_ = elastic_energy(state);
    const double in_play = relative_kinetic(state.v) + std::abs(E_n_);
    const double lifted = sum_(
        state.x.size(), [&](std::size_t i) { return model.mass()[i] * std::abs(model.gravity().dot(state.x[i])); });
    loss_ = strain_loss(state.x, x_next_, h);
    force_goal_ = objective().goal(options_.tolerance);
    energy_goal_ = 1e-12 * in_play + 16 * std::numeric_limits<double>::epsilon() * (in_play + lifted);
    if (!ImplicitIntegrator::accept(hold_energy(), h, report)) return report;
    set_velocity(state, h, 2, 1);
    book(report);
    return commit(state, step, std::move(report));
  }

  /// Of elasticity and contact.
  double elastic_energy(const Configuration& at) const {
    double sum = 0;
    for (const auto& energy : model().energies()) sum += energy->value(at);
    return sum;
  }
  double relative_kinetic(const NodalField& v) {
    return sum_(v.size(), [&](std::size_t i) {
      return model().pinned()[i] != 0 ? 0.0 : 0.5 * model().mass()[i] * (v[i] - frame_).squaredNorm();
    });
  }
  /// What pins, points and colliders do as the frame sees it; kinetic energy of pins apart, which is in no balance
  /// here.
  double driven_work(const NodalField& x) {
    if (!model().is_driven()) return 0;
    const SupportWork work = support_work(*state_, x, step_, impulse);
    double pinned = 0;
    place_driven(model(), *state_, step_.end, Side::after, pinned_x_, v_next_);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (model().pinned()[i] != 0)
        pinned +=
            0.5 * model().mass()[i] * ((v_next_[i] - frame_).squaredNorm() - (state_->v[i] - frame_).squaredNorm());
    return work.seen_from(frame_) - pinned;
  }
  void book(StepReport& report) {
    if (!supports().wanted()) return;
    const SupportWork work = support_work(*state_, x_next_, step_, impulse);
    if (model().is_driven()) report.user_work += seen_from_the_world(work, *state_, step_, frame_);
  }

  /// Velocity of the observer at the end of the step: of what nothing holds the mean of it, so that the multiplier
  /// gives no momentum; gravity then has no part, since it does nothing to motion relative to the mean.
  Vec3 frame_at(const NodalField& x) {
    if (held_) return frame_;
    Vec3 moved = Vec3::Zero();
    for (std::size_t i = 0; i < x.size(); ++i) moved += model().mass()[i] / mass_ * (x[i] - state_->x[i]);
    return 2 / step_.h * moved - frame_;
  }

  /// Sets C_, slope_ = ∇C and r_ = ∇Φ + λ∇C; returns |r| and |C| together, in units of what each must come down to.
  double evaluate(const NodalField& x, double lambda) {
    const auto& mass = model().mass();
    const double h = step_.h;
    const Vec3 frame = frame_at(x);
    const Vec3 gravity = held_ ? model().gravity() : Vec3(Vec3::Zero());
    const Vec3 drift = h * (held_ ? frame_ : Vec3(0.5 * (frame_ + frame)));
    objective().gradient(x, r_);
    slope_.set_zero();
    double elastic = 0;
    const Configuration at{x, Moment::along(step_, state_->x, 1)};
    for (const auto& energy : model().energies()) elastic += energy->gradient(at, {}, slope_);
    const auto load = [&](std::size_t i) -> Vec3 {
      const NodalField* const held = held_load();
      if (held == nullptr) return mass[i] * gravity;
      return mass[i] * gravity + (*held)[i] - (held_ ? Vec3(Vec3::Zero()) : Vec3(mass[i] / mass_ * total_load_));
    };
    const double kinetic = sum_(x.size(), [&](std::size_t i) {
      if (model().pinned()[i] != 0) {
        slope_[i].setZero();
        return 0.0;
      }
      const Vec3 v = 2 / h * (x[i] - state_->x[i]) - state_->v[i] - frame;
      slope_[i] += 2 / h * mass[i] * v - load(i);
      r_[i] += lambda * slope_[i];
      return 0.5 * mass[i] * (v.squaredNorm() - (state_->v[i] - frame_).squaredNorm());
    });
    const double lifted = -sum_(x.size(), [&](std::size_t i) { return load(i).dot(x[i] - state_->x[i] - drift); });
    C_ = kinetic + elastic - E_n_ + lifted + loss_ - driven_work(x);
    norm_ = objective().norm(r_);
    return std::hypot(norm_ / force_goal_, C_ / energy_goal_);
  }

  /// From the trapezoid step in x_next_.
  SolveReport hold_energy() {
    SolveReport report;
    hessian_.begin(objective(), report);
    lambda_ = 0;
    const double merit = evaluate(x_next_, lambda_);
    const int max_iterations = options_.iterations > 0 ? options_.iterations : 100;
    damped_newton(*this, merit, max_iterations, report);
    report.linear = hessian_.description();
    if (report.converged()) return report;
    report.message = fmt::format("no multiplier was found that keeps the energy; {:.1e} J too much", C_);
    return report;
  }

  bool converged(SolveReport& report) override {
    report.residual = objective().relative(norm_);
    return std::abs(C_) <= energy_goal_ && norm_ <= objective().goal(options_.tolerance);
  }
  bool find_direction(SolveReport& report) override {
    if (!hessian_.make_and_solve(objective(), x_next_, trial_, r_, a_, report)) return false;
    if (!hessian_.solve(slope_, b_, report)) return false;
    const double stretch = 1 + 4 * lambda_;
    change_ = (stretch * C_ - sum_.dot(slope_, a_)) / sum_.dot(slope_, b_);
    for_vertices(a_.size(), [&](std::size_t i) { a_[i] = -(a_[i] + change_ * b_[i]) / stretch; });
    return true;
  }
  double max_step() override { return objective().domain_step(x_next_, a_); }
  double try_step(double step) override {
    for_vertices(trial_.size(), [&](std::size_t i) { trial_[i] = x_next_[i] + step * a_[i]; });
    return evaluate(trial_, lambda_ + step * change_);
  }
  void accept(double step) override {
    std::swap(x_next_, trial_);
    lambda_ += step * change_;
  }
  bool only_rounding_left() override {
    evaluate(x_next_, lambda_);
    return std::abs(C_) <= energy_goal_ && objective().at_rounding(norm_);
  }

  DefiniteHessian hessian_;
  static constexpr Impulse impulse[]{{.b = 0.5, .theta = 0}, {.b = 0.5, .theta = 1}};
  NodalField r_, slope_, a_, b_, trial_;
  NodalField pinned_x_;                                  ///< not used but where driven vertices are placed
  double E_n_ = 0, loss_ = 0, C_ = 0, energy_goal_ = 0;  ///< [J]
  Vec3 frame_ = Vec3::Zero();                            ///< velocity of the observer [m/s]
  bool held_ = true;                                     ///< by supports or the world
  double mass_ = 0;                                      ///< of all vertices [kg]
  Vec3 total_load_ = Vec3::Zero();                       ///< [N]
  TimeStep step_;
  double norm_ = 0, force_goal_ = 0;  ///< |∇Φ + λ∇C| and what it is measured by
  double lambda_ = 0, change_ = 0;    ///< multiplier, and its part of the direction
  const State* state_ = nullptr;      ///< where the step starts
  NodalSum sum_;
};

}  // namespace

Method lagrange_energy() {
  return {.name = "lagrange-energy",
          .aliases = {"hughes-caughey-liu"},
          .family = "comparison",
          .order = 2,
          .reversible = true,
          .energy = EnergyBehavior::kept,
          .reference = "Hughes, Caughey & Liu 1978",
          .sentence = "for comparison: the trapezoid rule with energy held by a multiplier; fails at large steps",
          .cost = "one solve per step, then some iterations of two linear solves for the multiplier",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<LagrangeEnergy>(options.solver);
          }};
}

}  // namespace brio
