#include <cmath>
#include <limits>

#include "integrators/implicit.h"
#include "integrators/island_blend.h"

namespace brio {
namespace {

/// Energy budgeting: implicit midpoint, then velocities are scaled so that the energy is what it should be. [Su, Sheth
/// & Fedkiw 2013]
///   K'(v') = K'(v_IM) − e,   e = H(x', v_IM) − H_target;   positions are untouched
/// for each island of bodies that touch (island_targets.h). K' is the kinetic energy relative to what holds it or,
/// where nothing does, to its mean motion: what is scaled is the same for every observer, whatever else is in the
/// scene. Order 2. Scaling changes spin, and momenta of what is held.
/// Departs: where elastic energy alone exceeds the budget, the step ends nearer to where it began, whose energy does
/// not; they stop the motion and leave the excess, which the next steps may multiply.
class EnergyBudget final : public ImplicitIntegrator {
 public:
  explicit EnergyBudget(const SolverOptions& options)
      : ImplicitIntegrator(options), targets_({}, [this](const NodalField& x) { return forces_to(x); }) {
    bears_residual_ = true;
  }
  void disturbed(State&) const override {}  ///< what was done counts as added
  bool fits(const Memory& memory, const Model& model) const override { return IslandTargets::fits(memory, model); }

 private:
  void prepare(const Model& model) override {
    middle_ = v_midpoint_ = NodalField(model.vertices());
    blend_.prepare(model);
    works_.resize(model.bodies().size());
    scalings_.resize(model.bodies().size());
    targets_.prepare(model);
  }

  StepReport advance(const Model& model, State& state, const TimeStep& step) override {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    static constexpr Impulse impulse[]{{.b = 1, .theta = 0.5}};
    StepReport report;
    state_ = &state;
    step_ = step;
    inertial_target(state, step, y_);
    x_next_ = y_;
    if (!solve(step, state.x, terms, report)) return report;
    set_velocity(state, step.h, 2, 1);
    place_driven(model, state, step.end, Side::after, x_next_, v_next_);

    book_supports(state, step, impulse, report);
    std::ranges::fill(works_, SupportWork{});
    if (model.is_driven()) supports().add_work(state, x_next_, step, targets_.islands().bodies(), works_);
    find_islands(report);
    for (std::size_t b = 0; b < works_.size(); ++b) targets_.of_body(b).work += works_[b].energy;
    v_midpoint_ = v_next_;
    scale();
    if (any_has_too_much()) shorten();
    if (any_has_too_much() && !is_last_resort()) {
      missed_energy_ = true;
      report.status = StepReport::Status::failed;
      report.message = "the energy could not be held";
      return report;
    }
    for_scaled([&](std::size_t, double given) { report.user_work += given; });
    if (!targets_.book(report)) return report;
    report = commit(state, step, std::move(report));
    if (report.ok()) targets_.remember(state.memory);
    return report;
  }

  IslandTargets::Forces forces_to(const NodalField& x) {
    return {.external = model().forces().empty() ? nullptr : &external(),
            .damping = strain_gradient(state_->x, x, step_.h)};
  }
  void find_islands(const StepReport& report) {
    targets_.begin(*state_, step_);
    for_vertices(middle_.size(), [&](std::size_t i) { middle_[i] = 0.5 * (state_->x[i] + x_next_[i]); });
    targets_.islands().meet({middle_, Moment::along(step_, state_->x, 0.5)});
    targets_.islands().meet({x_next_, Moment::at(step_.end)});
    targets_.set_up(objective(), report.unconverged ? 0 : options_.tolerance);
  }

  bool any_has_too_much() {
    for (std::size_t i = 0; i < targets_.count(); ++i)
      if (targets_[i].has_too_much()) return true;
    return false;
  }
  /// Brings islands whose elastic energy exceeds their budget back towards where the step began.
  void shorten() {
    blend_.clear();
    for (std::size_t i = 0; i < targets_.count(); ++i) blend_[i].base_work = scalings_[i].work = targets_[i].work;
    for_scaled([&](std::size_t island, double given) { blend_[island].base_work += given; });
    blend_.x = x_next_;
    blend_.v = v_next_;
    blend_.slow_down(state_->x, objective());
    x_next_ = blend_.x;
    for (std::size_t i = 0; i < targets_.count(); ++i) targets_[i].work = scalings_[i].work;
    v_next_ = v_midpoint_;
    scale();
  }

  /// Scales velocities in x_next_'s islands to their budgets.
  void scale() {
    targets_.judge(x_next_, v_next_, [](std::size_t) { return true; });
    const Islands& islands = targets_.islands();
    const auto& mass = model().mass();
    const Parts parts = islands.parts();
    for (std::size_t i = 0; i < targets_.count(); ++i)
      scalings_[i] = {.frame =
                          islands.is_held(i) ? targets_[i].frame : Vec3(targets_.judged(i).momentum / islands.mass(i))};
    for (std::size_t k = 0; k < v_next_.size(); ++k) {
      if (model().pinned()[k] != 0) continue;
      Scaling& scaling = scalings_[parts[static_cast<int>(k)]];
      scaling.relative += 0.5 * mass[k] * (v_next_[k] - scaling.frame).squaredNorm();
    }
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
    for_vertices(v_next_.size(), [&](std::size_t k) {
      const Scaling& scaling = scalings_[parts[static_cast<int>(k)]];
      if (model().pinned()[k] == 0) v_next_[k] += (scaling.factor - 1) * (v_next_[k] - scaling.frame);
    });
  }
  /// Calls take(island, what supports did for the velocity of a vertex to be scaled [J]).
  template <class Take>
  void for_scaled(Take take) {
    const Islands& islands = targets_.islands();
    for (std::size_t k = 0; k < v_next_.size(); ++k) {
      const std::size_t i = islands.parts()[static_cast<int>(k)];
      if (model().pinned()[k] == 0 && islands.is_held(i))
        take(i, model().mass()[k] * scalings_[i].frame.dot(v_next_[k] - v_midpoint_[k]));
    }
  }

  struct Scaling {
    Vec3 frame = Vec3::Zero();  ///< [m/s]
    double relative = 0;        ///< kinetic energy of what moves freely [J]
    double factor = 1;
    double work = 0;  ///< of supports in the midpoint step [J]
  };
  const State* state_ = nullptr;
  TimeStep step_;
  IslandTargets targets_;
  std::vector<SupportWork> works_;  ///< per body
  std::vector<Scaling> scalings_;   ///< per island
  IslandBlend blend_{targets_};
  NodalField middle_;
  NodalField v_midpoint_;  ///< before velocities are scaled
};

}  // namespace

Method energy_budget() {
  return {.name = "energy-budget",
          .family = "comparison",
          .order = 2,
          .energy = EnergyBehavior::kept,
          .resolves = 1,
          .reference = "Su, Sheth & Fedkiw 2013",
          .sentence =
              "for comparison: implicit midpoint with velocities scaled to the energy; spin suffers, and where "
              "elastic energy alone exceeds the budget the step ends nearer to where it began",
          .cost = "one solve and two energy evaluations per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<EnergyBudget>(options.solver);
          }};
}

}  // namespace brio
