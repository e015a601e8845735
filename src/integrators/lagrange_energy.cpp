#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "integrators/implicit.h"
#include "integrators/island_targets.h"
#include "solvers/damped_newton.h"
#include "solvers/definite_hessian.h"

namespace brio {
namespace {

/// The trapezoid step whose energy is held by a Lagrange multiplier. Order 2. [Hughes, Caughey & Liu 1978]
///   ∇Φ(x') + λ ∇C(x') = 0,   C(x') = H(x', v') − H(x_n, v_n) = 0
///   y = x_n + h v_n + h²/4 a_n;   terms (¼ at θ=1);   v' = 2(x' − x_n)/h − v_n
/// Since ∇²C = 4 ∇²Φ, each Newton step takes one factor and two solves:
///   δλ = ((1 + 4λ) C − ∇C·a) / (∇C·b),   d = −(a + δλ b)/(1 + 4λ),   a = H⁻¹(∇Φ + λ∇C),   b = H⁻¹∇C
/// Departs: every island of bodies that touch (islands.h) has a multiplier of its own, which costs nothing since H does
/// not couple them; its energy is taken in the frame of what holds it or of its mean motion, and less the work of what
/// is driven, so that every observer finds the same multiplier. At large steps there may be no such x' near the
/// trapezoid's, and the step fails. The multiplier scales spin, and momenta of what is held. Reversible: with A' =
/// Mv'/(2h) + ¼∇E(x') and B = −Mv_n/(2h) + ¼∇E(x_n) the step is (1 + 4λ) A' + B = 0, which back is A' + (1 + 4λ)⁻¹ B.
class LagrangeEnergy final : public ImplicitIntegrator, private Equations {
 public:
  explicit LagrangeEnergy(const SolverOptions& options)
      : ImplicitIntegrator(options),
        targets_({}, [](const NodalField&) { return IslandTargets::Forces{}; }),
        hessian_(options) {
    strain_rule_ = {.weight = 0.5};
  }

 private:
  /// An island's constraint.
  struct Held {
    Vec3 frame = Vec3::Zero();  ///< velocity of its observer where the step begins [m/s]
    Vec3 frame_end = Vec3::Zero(), drift = Vec3::Zero();
    Vec3 load = Vec3::Zero();                   ///< total [N]
    double stored = 0, C = 0, energy_goal = 0;  ///< [J]
    double loss = 0, lost = 0;                  ///< to damping, as it is held to, and as it was [J]
    double loss_before = 0, off_before = 0;     ///< of the round before: that, and what it was off by [J]
    double lambda = 0, change = 0;              ///< multiplier, and its part of the direction
    double slope_a = 0, slope_b = 0;
  };

  void prepare(const Model& model) override {
    for (NodalField* field : {&r_, &slope_, &a_, &b_, &trial_, &pinned_x_}) *field = NodalField(model.vertices());
    const std::size_t bodies = model.bodies().size();
    held_.resize(bodies);
    works_.resize(bodies);
    energies_.resize(bodies);
    targets_.prepare(model);
  }

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    const double h = step.h;
    static constexpr Term terms[]{{.c = 0.25, .theta = 1}};
    StepReport report;
    state_ = &state;
    step_ = step;
    acceleration(state, step, a_);
    inertial_target(state, step, y_);
    x_next_ = y_;
    for_vertices(y_.size(), [&](std::size_t i) { y_[i] += h * h / 4 * a_[i]; });
    if (!solve(step, state.x, terms, report)) return report;

    force_goal_ = objective().goal(options_.tolerance);
    targets_.begin(state, step);
    for (islands().meet({x_next_, Moment::at(step.end)});;) {
      set_up();
      do {
        if (!accept_root(hold_energy(), h, report)) return report;
      } while (loses_otherwise());
      if (!islands().meet({x_next_, Moment::at(step.end)})) break;
    }
    set_velocity(state, h, 2, 1);
    place_driven(model(), state, step.end, Side::after, x_next_, v_next_);
    report.user_work += work_in_the_world();
    return commit(state, step, std::move(report));
  }

  Islands& islands() { return targets_.islands(); }
  Held& of_vertex(std::size_t k) { return held_[islands().parts()[static_cast<int>(k)]]; }

  void set_up() {
    targets_.set_up(objective(), options_.tolerance);
    std::fill_n(held_.begin(), targets_.count(), Held{});
    for (std::size_t i = 0; i < targets_.count(); ++i) {
      const IslandTarget& target = targets_[i];
      held_[i].frame = islands().is_held(i) ? target.frame : Vec3(target.start.momentum / islands().mass(i));
      held_[i].stored = target.start.stored;
      held_[i].energy_goal = 1e-12 * target.in_play + target.rounding;
    }
    if (const NodalField* const load = held_load(); load != nullptr)
      for (std::size_t k = 0; k < x_next_.size(); ++k) of_vertex(k).load += (*load)[k];
    rounds_ = 0;
    loses_otherwise();
  }
  /// Whether damping of strain loses something else on the way to x_next_ than what the energy was held to. The next
  /// round then takes what the secant of the last two leads to.
  bool loses_otherwise() {
    constexpr int max_rounds = 20;
    const NodalField* const damping = strain_gradient(state_->x, x_next_, step_.h);
    if (damping == nullptr || rounds_ > max_rounds) return false;
    for (std::size_t i = 0; i < targets_.count(); ++i) held_[i].lost = 0;
    for (std::size_t k = 0; k < x_next_.size(); ++k) of_vertex(k).lost += (*damping)[k].dot(x_next_[k] - state_->x[k]);
    bool differs = false;
    for (std::size_t i = 0; i < targets_.count(); ++i) {
      Held& held = held_[i];
      const double off = held.lost - held.loss;
      differs = differs || std::abs(off) > held.energy_goal;
      const double by_secant = held.loss - off * (held.loss - held.loss_before) / (off - held.off_before);
      held.loss_before = std::exchange(held.loss, rounds_ > 1 && std::isfinite(by_secant) ? by_secant : held.lost);
      held.off_before = off;
    }
    ++rounds_;
    return differs;
  }

  /// Less what pins, points and colliders do as the frame sees it; kinetic energy of pins apart, which is in no balance
  /// here.
  void subtract_driven_work(const NodalField& x) {
    if (!model().is_driven()) return;
    support_work(*state_, x, step_, impulse, islands().parts(), works_);
    for (std::size_t i = 0; i < targets_.count(); ++i) held_[i].C -= works_[i].seen_from(held_[i].frame);
    place_driven(model(), *state_, step_.end, Side::after, pinned_x_, v_next_);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (model().pinned()[k] == 0) continue;
      Held& held = of_vertex(k);
      held.C += 0.5 * model().mass()[k] *
                ((v_next_[k] - held.frame).squaredNorm() - (state_->v[k] - held.frame).squaredNorm());
    }
  }
  /// What supports do as the world sees it: in an island's frame they do what they do there, and give besides what its
  /// momentum has changed by. [J]
  double work_in_the_world() {
    if (!supports().wanted()) return 0;
    support_work(*state_, x_next_, step_, impulse);
    if (!model().is_driven()) return 0;
    std::ranges::fill(works_, SupportWork{});
    supports().add_work(*state_, x_next_, step_, islands().parts(), works_);
    double work = 0;
    for (std::size_t i = 0; i < targets_.count(); ++i) work += works_[i].seen_from(held_[i].frame);
    const NodalField* const load = held_load();
    for (std::size_t k = 0; k < x_next_.size(); ++k) {
      if (!islands().is_held(islands().parts()[static_cast<int>(k)])) continue;
      Vec3 given = model().mass()[k] * (v_next_[k] - state_->v[k] - step_.h * model().gravity());
      if (load != nullptr) given -= step_.h * (*load)[k];
      work += of_vertex(k).frame.dot(given);
    }
    return work;
  }

  /// Velocities of observers at the end of the step: of what nothing holds the mean of it, so that the multiplier gives
  /// no momentum; gravity then has no part, since it does nothing to motion relative to the mean.
  void move_frames(const NodalField& x) {
    for (std::size_t i = 0; i < targets_.count(); ++i) {
      held_[i].frame_end = islands().is_held(i) ? held_[i].frame : Vec3(-held_[i].frame);
      held_[i].C = -held_[i].stored + held_[i].loss;
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
      const std::size_t i = islands().parts()[static_cast<int>(k)];
      if (islands().is_held(i)) continue;
      held_[i].frame_end += 2 / step_.h * model().mass()[k] / islands().mass(i) * (x[k] - state_->x[k]);
    }
    for (std::size_t i = 0; i < targets_.count(); ++i)
      held_[i].drift = step_.h * 0.5 * (held_[i].frame + held_[i].frame_end);
  }

  /// Sets C, slope_ = ∇C and r_ = ∇Φ + λ∇C, with multipliers λ + `step` δλ; returns |r| and |C| together, in units of
  /// what each must come down to.
  double evaluate(const NodalField& x, double step) {
    const auto& mass = model().mass();
    const double h = step_.h;
    move_frames(x);
    objective().gradient(x, r_);
    slope_.set_zero();
    const Configuration at{x, Moment::along(step_, state_->x, 1)};
    for (const auto& energy : model().energies()) energy->gradient(at, {}, slope_);
    islands().measure(
        at, state_->v, true, [](std::size_t) { return true; }, energies_);
    for (std::size_t i = 0; i < targets_.count(); ++i) held_[i].C += energies_[i].stored;
    const NodalField* const external = held_load();
    for (std::size_t k = 0; k < x.size(); ++k) {
      const std::size_t i = islands().parts()[static_cast<int>(k)];
      Held& held = held_[i];
      Vec3 load = islands().is_held(i) ? Vec3(mass[k] * model().gravity()) : Vec3(Vec3::Zero());
      if (external != nullptr) load += (*external)[k];
      if (external != nullptr && !islands().is_held(i)) load -= mass[k] / islands().mass(i) * held.load;
      held.C -= load.dot(x[k] - state_->x[k] - held.drift);
      if (model().pinned()[k] != 0) {
        slope_[k].setZero();
        continue;
      }
      const Vec3 v = 2 / h * (x[k] - state_->x[k]) - state_->v[k] - held.frame_end;
      slope_[k] += 2 / h * mass[k] * v - load;
      r_[k] += (held.lambda + step * held.change) * slope_[k];
      held.C += 0.5 * mass[k] * (v.squaredNorm() - (state_->v[k] - held.frame).squaredNorm());
    }
    subtract_driven_work(x);
    norm_ = objective().norm(r_);
    double merit = norm_ / force_goal_;
    for (std::size_t i = 0; i < targets_.count(); ++i) merit = std::hypot(merit, held_[i].C / held_[i].energy_goal);
    return merit;
  }

  /// From the trapezoid step in x_next_.
  SolveReport hold_energy() {
    SolveReport report;
    hessian_.begin(objective(), report);
    const double merit = evaluate(x_next_, 0);
    const int max_iterations = options_.iterations > 0 ? options_.iterations : 100;
    damped_newton(*this, merit, max_iterations, report);
    report.linear = hessian_.description();
    if (report.converged()) return report;
    double most = 0;
    for (std::size_t i = 0; i < targets_.count(); ++i)
      if (std::abs(held_[i].C) > std::abs(most)) most = held_[i].C;
    report.message = fmt::format("no multiplier was found that keeps the energy; {:.1e} J too much", most);
    return report;
  }
  bool energies_are_held() const {
    for (std::size_t i = 0; i < targets_.count(); ++i)
      if (!(std::abs(held_[i].C) <= held_[i].energy_goal)) return false;
    return true;
  }

  bool converged(SolveReport& report) override {
    report.residual = objective().relative(norm_);
    return energies_are_held() && norm_ <= objective().goal(options_.tolerance);
  }
  bool find_direction(SolveReport& report) override {
    if (!hessian_.make_and_solve(objective(), x_next_, trial_, r_, a_, report)) return false;
    if (!hessian_.solve(slope_, b_, report)) return false;
    for (std::size_t i = 0; i < targets_.count(); ++i) held_[i].slope_a = held_[i].slope_b = 0;
    for (std::size_t k = 0; k < a_.size(); ++k) {
      of_vertex(k).slope_a += slope_[k].dot(a_[k]);
      of_vertex(k).slope_b += slope_[k].dot(b_[k]);
    }
    for (std::size_t i = 0; i < targets_.count(); ++i) {
      Held& held = held_[i];
      // What does not move has nothing to be scaled.
      held.change = held.slope_b == 0 ? 0 : ((1 + 4 * held.lambda) * held.C - held.slope_a) / held.slope_b;
    }
    for_vertices(a_.size(), [&](std::size_t k) {
      const Held& held = of_vertex(k);
      a_[k] = -(a_[k] + held.change * b_[k]) / (1 + 4 * held.lambda);
    });
    return true;
  }
  double max_step() override { return objective().domain_step(x_next_, a_); }
  double try_step(double step) override {
    for_vertices(trial_.size(), [&](std::size_t i) { trial_[i] = x_next_[i] + step * a_[i]; });
    return evaluate(trial_, step);
  }
  void accept(double step) override {
    std::swap(x_next_, trial_);
    for (std::size_t i = 0; i < targets_.count(); ++i) {
      held_[i].lambda += step * held_[i].change;
      held_[i].change = 0;
    }
  }
  bool is_exhausted() const override { return objective().is_exhausted(); }
  bool only_rounding_left() override {
    evaluate(x_next_, 0);
    return energies_are_held() && objective().at_rounding(norm_);
  }

  static constexpr Impulse impulse[]{{.b = 0.5, .theta = 0}, {.b = 0.5, .theta = 1}};
  IslandTargets targets_;
  DefiniteHessian hessian_;
  std::vector<Held> held_;          ///< per island
  std::vector<SupportWork> works_;  ///< per island
  std::vector<IslandEnergy> energies_;
  NodalField r_, slope_, a_, b_, trial_;
  NodalField pinned_x_;  ///< not used but where driven vertices are placed
  int rounds_ = 0;
  double norm_ = 0, force_goal_ = 0;  ///< |∇Φ + λ∇C| and what it is measured by
  TimeStep step_;
  const State* state_ = nullptr;  ///< where the step starts
};

}  // namespace

Method lagrange_energy() {
  return {
      .name = "lagrange-energy",
      .aliases = {"hughes-caughey-liu"},
      .family = "comparison",
      .order = 2,
      .reversible = true,
      .bounds_restitution = false,
      .energy = EnergyBehavior::kept,
      .reference = "Hughes, Caughey & Liu 1978",
      .sentence =
          "for comparison: the trapezoid rule with energy held by a multiplier; where none is found the step is halved",
      .cost = "one solve per step, then some iterations of two linear solves for the multiplier",
      .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
        return std::make_unique<LagrangeEnergy>(options.solver);
      }};
}

}  // namespace brio
