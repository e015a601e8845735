#include <cmath>
#include <limits>

#include "integrators/implicit.h"
#include "integrators/island_targets.h"

namespace brio {
namespace {

/// Energy budgeting: implicit midpoint, then velocities are scaled so that the energy is what it should be. [Su, Sheth
/// & Fedkiw 2013]
///   K'(v') = K'(v_IM) − e,   e = H(x', v_IM) − H_target;   positions are untouched
/// for each island of bodies that touch (island_targets.h). K' is the kinetic energy relative to what holds it or,
/// where nothing does, to its mean motion: what is scaled is the same for every observer, whatever else is in the
/// scene. Order 2. Scaling changes spin, and momenta of what is held.
/// Departs: where elastic energy alone exceeds the budget, as at steps that are long beside the oscillations in them,
/// positions are those of backward Euler from x_n. Its Φ falls from H_n, so that E(x') ≤ H_n whatever h is. What is
/// scaled is 2(x' − x_n)/h − v_n there too, since (x' − x_n)/h may vanish. What is driven may exceed the budget even
/// so: then the step is halved, and at last the relative motion stops.
class EnergyBudget final : public ImplicitIntegrator {
 public:
  explicit EnergyBudget(const SolverOptions& options)
      : ImplicitIntegrator(options), targets_({}, [this](const NodalField& x) { return forces_to(x); }) {}
  void disturbed(State&) const override {}  ///< what was done counts as added
  bool fits(const Memory& memory, const Model& model) const override { return IslandTargets::fits(memory, model); }

 private:
  void prepare(const Model& model) override {
    middle_ = midpoint_x_ = midpoint_v_ = NodalField(model.vertices());
    works_.resize(model.bodies().size());
    scalings_.resize(model.bodies().size());
    targets_.prepare(model);
  }

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    StepReport report;
    state_ = &state;
    step_ = step;
    if (!midpoint_step(report)) return report;
    if (exceeds_budget() && !backward_step(report)) return report;
    if (exceeds_budget() && !is_last_resort()) {
      missed_energy_ = true;
      report.status = StepReport::Status::failed;
      report.message = "elastic energy alone exceeds the budget";
      return report;
    }
    report.user_work += work_ + scale();
    if (!targets_.book(report)) return report;
    report = commit(state, step, std::move(report));
    if (report.ok()) targets_.remember(state.memory);
    return report;
  }

  bool midpoint_step(StepReport& report) {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    static constexpr Impulse impulse[]{{.b = 1, .theta = 0.5}};
    inertial_target(*state_, step_, y_);
    x_next_ = y_;
    if (!solve(step_, state_->x, terms, report)) return false;
    set_velocity(*state_, step_.h, 2, 1);
    place_driven(model(), *state_, step_.end, Side::after, x_next_, v_next_);
    targets_.begin(*state_, step_);
    meet_on_the_way();
    judge_end(impulse, report);
    return true;
  }
  /// Instead of what midpoint_step found. The mean motion of what is free stays that of implicit midpoint, a parabola.
  bool backward_step(StepReport& report) {
    static constexpr Term terms[]{{.c = 1, .theta = 1}};
    static constexpr Impulse impulse[]{{.b = 1, .theta = 1}};
    std::swap(x_next_, midpoint_x_);
    std::swap(v_next_, midpoint_v_);
    x_next_ = y_;
    for_vertices(y_.size(), [&](std::size_t k) {
      if (model().pinned()[k] == 0) x_next_[k] = state_->x[k];
    });
    if (!solve(step_, state_->x, terms, report)) return false;
    set_velocity(*state_, step_.h, 2, 1);
    place_driven(model(), *state_, step_.end, Side::after, x_next_, v_next_);
    meet_on_the_way();
    targets_.islands().number();
    share_mean_motion();
    judge_end(impulse, report);
    return true;
  }
  void share_mean_motion() {
    const Islands& islands = targets_.islands();
    const Parts parts = islands.parts();
    std::ranges::fill(scalings_, Scaling{});
    for (std::size_t k = 0; k < x_next_.size(); ++k) {
      Scaling& scaling = scalings_[parts[static_cast<int>(k)]];
      scaling.apart_x += model().mass()[k] * (midpoint_x_[k] - x_next_[k]);
      scaling.apart_v += model().mass()[k] * (midpoint_v_[k] - v_next_[k]);
    }
    for_vertices(x_next_.size(), [&](std::size_t k) {
      const std::size_t i = parts[static_cast<int>(k)];
      if (islands.is_held(i)) return;
      x_next_[k] += scalings_[i].apart_x / islands.mass(i);
      v_next_[k] += scalings_[i].apart_v / islands.mass(i);
    });
  }

  IslandTargets::Forces forces_to(const NodalField& x) {
    return {.external = model().forces().empty() ? nullptr : &external(),
            .damping = strain_gradient(state_->x, x, step_.h)};
  }
  void meet_on_the_way() {
    for_vertices(middle_.size(), [&](std::size_t i) { middle_[i] = 0.5 * (state_->x[i] + x_next_[i]); });
    targets_.islands().meet({middle_, Moment::along(step_, state_->x, 0.5)});
    targets_.islands().meet({x_next_, Moment::at(step_.end)});
  }
  /// Of the step as it is in x_next_ and v_next_: too much energy in each island, and what there is to scale.
  void judge_end(std::span<const Impulse> rule, const StepReport& report) {
    work_ = support_work(*state_, x_next_, step_, rule).energy;
    std::ranges::fill(works_, SupportWork{});
    if (model().is_driven()) supports().add_work(*state_, x_next_, step_, targets_.islands().bodies(), works_);
    targets_.set_up(objective(), report.unconverged ? 0 : options_.tolerance);
    for (std::size_t b = 0; b < works_.size(); ++b) targets_.of_body(b).work += works_[b].energy;
    targets_.judge(x_next_, v_next_, [](std::size_t) { return true; });
    const Islands& islands = targets_.islands();
    const Parts parts = islands.parts();
    for (std::size_t i = 0; i < targets_.count(); ++i)
      scalings_[i] = {.frame =
                          islands.is_held(i) ? targets_[i].frame : Vec3(targets_.judged(i).momentum / islands.mass(i))};
    for (std::size_t k = 0; k < v_next_.size(); ++k) {
      if (model().pinned()[k] != 0) continue;
      Scaling& scaling = scalings_[parts[static_cast<int>(k)]];
      scaling.relative += 0.5 * model().mass()[k] * (v_next_[k] - scaling.frame).squaredNorm();
    }
  }
  bool exceeds_budget() {
    for (std::size_t i = 0; i < targets_.count(); ++i)
      if (!(targets_[i].e <= scalings_[i].relative + targets_[i].allowed)) return true;
    return false;
  }

  /// Scales velocities in x_next_'s islands to their budgets. Returns what supports did for it [J].
  double scale() {
    const Islands& islands = targets_.islands();
    const auto& mass = model().mass();
    const Parts parts = islands.parts();
    for (std::size_t i = 0; i < targets_.count(); ++i) {
      Scaling& scaling = scalings_[i];
      const IslandEnergy& energy = targets_.judged(i);
      const double size =
          energy.kinetic + std::abs(energy.stored) + (islands.is_held(i) ? std::abs(energy.gravity) : 0);
      if (scaling.relative <= 16 * std::numeric_limits<double>::epsilon() * size) continue;
      const double wanted = std::max(scaling.relative - targets_[i].e, 0.0);
      scaling.factor = std::sqrt(wanted / scaling.relative);
      targets_[i].e += wanted - scaling.relative;
    }
    double given = 0;
    for (std::size_t k = 0; k < v_next_.size(); ++k) {
      if (model().pinned()[k] != 0) continue;
      const std::size_t i = parts[static_cast<int>(k)];
      const Vec3 change = (scalings_[i].factor - 1) * (v_next_[k] - scalings_[i].frame);
      v_next_[k] += change;
      if (islands.is_held(i)) given += mass[k] * scalings_[i].frame.dot(change);
    }
    return given;
  }

  struct Scaling {
    Vec3 frame = Vec3::Zero();  ///< [m/s]
    double relative = 0;        ///< kinetic energy of what moves freely [J]
    double factor = 1;
    Vec3 apart_x = Vec3::Zero(), apart_v = Vec3::Zero();  ///< of backward Euler, by mass [kg m], [kg m/s]
  };
  const State* state_ = nullptr;
  TimeStep step_;
  IslandTargets targets_;
  std::vector<SupportWork> works_;  ///< per body
  std::vector<Scaling> scalings_;   ///< per island
  double work_ = 0;                 ///< of supports [J]
  NodalField middle_, midpoint_x_, midpoint_v_;
};

}  // namespace

Method energy_budget() {
  return {.name = "energy-budget",
          .family = "comparison",
          .order = 2,
          .energy = EnergyBehavior::kept,
          .energy_unless = "unless elastic energy alone exceeds it, and that of backward Euler too",
          .reference = "Su, Sheth & Fedkiw 2013",
          .sentence =
              "for comparison: implicit midpoint with velocities scaled to the energy; spin suffers, and where "
              "elastic energy exceeds the budget the step is that of backward Euler",
          .cost = "one solve and two energy evaluations per step; where the budget does not suffice a second solve",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<EnergyBudget>(options.solver);
          }};
}

}  // namespace brio
