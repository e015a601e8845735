#include <cmath>
#include <limits>

#include "integrators/implicit.h"
#include "model/memory.h"

namespace brio {
namespace {

/// Energy budgeting: implicit midpoint, then velocities are scaled so that the energy is what it should be. [Su, Sheth
/// & Fedkiw 2013]
///   K'(v') = K'(v_IM) − e,   e = H(x', v_IM) − H_target;   positions are untouched
/// K' is the kinetic energy relative to the frame of the supports or, where there are none, of the mean motion: what is
/// scaled is the same for every observer. Where elastic energy alone exceeds the budget, the relative motion stops: the
/// excess stays until the body has moved on. Order 2. Keeps energy while the budget suffices; scaling changes spin,
/// and momenta of what is held. Memory: H_target and the H reached, so that what is done to the state in between counts
/// as added.
class EnergyBudget final : public ImplicitIntegrator {
 public:
  using ImplicitIntegrator::ImplicitIntegrator;
  void disturbed(State&) const override {}  ///< what was done counts as added
  bool fits(const Memory& memory, const Model&) const override { return memory.empty() || holds(memory, 0, 0, 2); }

 private:
  StepReport advance(const Model& model, State& state, const TimeStep& step) override {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    static constexpr Impulse impulse[]{{.b = 1, .theta = 0.5}};
    const double now = model.potential_energy(state) + model.kinetic_energy(state.v);
    std::vector<double>& numbers = state.memory.numbers;
    double target = numbers.size() == 2 ? numbers[0] + now - numbers[1] : now;
    StepReport report;
    inertial_target(state, step, y_);
    x_next_ = y_;
    if (!solve(step, state.x, terms, report)) return report;
    set_velocity(state, step.h, 2, 1);
    place_driven(model, state, step.end, Side::after, x_next_, v_next_);

    book_supports(state, step, impulse, report);
    target += report.user_work + external_work(state.x, x_next_) - strain_loss(state.x, x_next_, step.h);
    const double rest = model.potential_energy({x_next_, Moment::at(step.end)});
    const Frame frame = frame_of(state, step);
    const double relative = relative_kinetic(frame.velocity);
    const double kinetic = model.kinetic_energy(v_next_);
    const double wanted = relative - (rest + kinetic - target);
    const bool is_rounding = relative <= 16 * std::numeric_limits<double>::epsilon() * (kinetic + std::abs(rest));
    const double factor = is_rounding ? 1 : std::sqrt(std::max(wanted, 0.0) / relative);
    Vec3 given = Vec3::Zero();  // to what is free [N s]
    for (std::size_t i = 0; i < v_next_.size(); ++i) {
      if (model.pinned()[i] != 0) continue;
      const Vec3 change = (factor - 1) * (v_next_[i] - frame.velocity);
      v_next_[i] += change;
      given += model.mass()[i] * change;
    }
    report.user_work += frame.velocity.dot(given);  // the supports took it
    target += frame.velocity.dot(given);
    const double reached = rest + model.kinetic_energy(v_next_);
    report = commit(state, step, std::move(report));
    if (report.ok()) numbers.assign({target, reached});
    return report;
  }

  using Frame = ReferenceFrame;
  /// Without supports the mean of what has moved, so that scaling gives no momentum.
  Frame frame_of(const State& state, const TimeStep& step) const {
    Frame frame = reference_frame(model(), state, step);
    if (!frame.held) {
      double mass = 0;
      for (const double m : model().mass()) mass += m;
      frame.velocity = model().linear_momentum(v_next_) / mass;
    }
    return frame;
  }
  double relative_kinetic(const Vec3& velocity) const {
    double sum = 0;
    for (std::size_t i = 0; i < v_next_.size(); ++i)
      if (model().pinned()[i] == 0) sum += 0.5 * model().mass()[i] * (v_next_[i] - velocity).squaredNorm();
    return sum;
  }
};

}  // namespace

Method energy_budget() {
  return {.name = "energy-budget",
          .family = "comparison",
          .order = 2,
          .energy = EnergyBehavior::kept,
          .energy_unless = "unless elastic energy alone exceeds it",
          .reference = "Su, Sheth & Fedkiw 2013",
          .sentence =
              "for comparison: implicit midpoint with velocities scaled to the energy; spin suffers, and where "
              "elastic energy exceeds the budget the body is stopped",
          .cost = "one solve and two energy evaluations per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<EnergyBudget>(options.solver);
          }};
}

}  // namespace brio
