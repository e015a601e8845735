#include "integrators/implicit.h"
#include "model/memory.h"

namespace brio {
namespace {

/// Two-step backward differences. Order 2. [Curtiss & Hirschfelder 1952]
///   y = (4x_n − x_{n−1})/3 + (2h/9)(4v_n − v_{n−1});   terms (4/9 at θ=1);   v' = (3x' − 4x_n + x_{n−1})/(2h)
/// The first step, and the first after h changed, is one of backward Euler. Memory: x_{n−1}, v_{n−1}; h.
class Bdf2 final : public ImplicitIntegrator {
 public:
  using ImplicitIntegrator::ImplicitIntegrator;
  /// The step before stays the best that is known of the past.
  void disturbed(State&) const override {}
  bool fits(const Memory& memory, std::size_t vertices) const override {
    return memory.empty() || holds(memory, 2, vertices, 1);
  }

 private:
  StepReport advance(const Model& model, State& state, double h) override {
    static constexpr Term first_terms[]{{.c = 1, .theta = 1}};
    static constexpr Term terms[]{{.c = 4.0 / 9, .theta = 1}};
    Memory& memory = state.memory;
    const bool known = holds(memory, 2, state.x.size(), 1) && memory.numbers[0] == h;
    StepReport report;
    inertial_target(state, h, y_);
    x_next_ = y_;
    if (known) {
      const NodalField& x_before = memory.fields[0];
      const NodalField& v_before = memory.fields[1];
      for_vertices(y_.size(), [&](std::size_t i) {
        y_[i] = (4 * state.x[i] - x_before[i]) / 3 + 2 * h / 9 * (4 * state.v[i] - v_before[i]);
      });
    }
    if (!solve(h, state.x, known ? std::span<const Term>(terms) : first_terms, report)) return report;
    set_velocity(state, h, 1, 0);
    if (known)
      for_vertices(y_.size(), [&](std::size_t i) {
        if (model.pinned()[i] != 0) return;
        v_next_[i] = (3 * x_next_[i] - 4 * state.x[i] + memory.fields[0][i]) / (2 * h);
      });
    report = commit(state, h, std::move(report));
    if (report.ok()) {  // x_next_ and v_next_ now hold the state before the step
      if (!holds(memory, 2, y_.size(), 1)) memory.fields = {NodalField(y_.size()), NodalField(y_.size())};
      memory.fields[0] = x_next_;
      memory.fields[1] = v_next_;
      memory.numbers.assign(1, h);
    }
    return report;
  }
};

}  // namespace

Method bdf2() {
  return {.name = "bdf2",
          .family = "implicit",
          .order = 2,
          .energy = EnergyBehavior::decays,
          .reference = "Curtiss & Hirschfelder 1952; Hairer & Wanner 1996, section V.1",
          .sentence = "as robust as backward Euler with far less damping of slow motion",
          .cost = "one solve per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<Bdf2>(options.solver);
          }};
}

}  // namespace brio
