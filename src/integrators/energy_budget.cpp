#include <cmath>

#include "integrators/implicit.h"
#include "model/memory.h"

namespace brio {
namespace {

/// Energy budgeting: implicit midpoint, then all velocities are scaled so that the energy is what it should be. [Su,
/// Sheth & Fedkiw 2013]
///   K(v') = H_target − E(x') − gravity(x');   positions are untouched
/// Where elastic energy alone exceeds the budget, v' = 0: the excess stays until the body has moved on. Order 2. Keeps
/// energy while the budget suffices; scaling changes momenta. Memory: H_target and the H reached, so that what is done
/// to the state in between counts as added.
class EnergyBudget final : public ImplicitIntegrator {
 public:
  using ImplicitIntegrator::ImplicitIntegrator;
  void disturbed(State&) const override {}  ///< what was done counts as added
  bool fits(const Memory& memory, std::size_t) const override { return memory.empty() || holds(memory, 0, 0, 2); }

 private:
  double potential(const NodalField& x) const {
    double sum = model().gravity_energy(x);
    for (const auto& energy : model().energies()) sum += energy->value(x);
    return sum;
  }

  StepReport advance(const Model& model, State& state, double h) override {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    const double now = potential(state.x) + model.kinetic_energy(state.v);
    std::vector<double>& numbers = state.memory.numbers;
    double target = numbers.size() == 2 ? numbers[0] + now - numbers[1] : now;
    StepReport report;
    inertial_target(state, h, y_);
    x_next_ = y_;
    if (!solve(h, state.x, terms, report)) return report;
    set_velocity(state, h, 2, 1);

    target += gain(state.x, x_next_, h);
    const double rest = potential(x_next_);
    const double kinetic = model.kinetic_energy(v_next_);
    const double wanted = std::max(target - rest, 0.0);
    const double factor = kinetic > 0 ? std::sqrt(wanted / kinetic) : 0;
    for_vertices(v_next_.size(), [&](std::size_t i) { v_next_[i] *= factor; });
    const double reached = rest + model.kinetic_energy(v_next_);
    report = commit(state, h, std::move(report));
    if (report.ok()) numbers.assign({target, reached});
    return report;
  }
};

}  // namespace

Method energy_budget() {
  return {.name = "energy-budget",
          .family = "comparison",
          .order = 2,
          .linear_momentum = false,
          .energy = EnergyBehavior::kept,
          .reference = "Su, Sheth & Fedkiw 2013",
          .sentence =
              "for comparison: implicit midpoint with velocities scaled to the energy; momenta suffer, and where "
              "elastic energy exceeds the budget the body is stopped",
          .cost = "one solve and two energy evaluations per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<EnergyBudget>(options.solver);
          }};
}

}  // namespace brio
