#include "integrators/implicit.h"
#include "model/memory.h"

namespace brio {
namespace {

/// Two-step backward differences. Order 2. [Curtiss & Hirschfelder 1952]
///   y = (4x_n − x_{n−1})/3 + (2h/9)(4v_n − v_{n−1});   terms (4/9 at θ=1);   v' = (3x' − 4x_n + x_{n−1})/(2h)
/// The first step, and the first after h changed, is one of backward Euler. Since v' − v_n = ⅓(v_n − v_{n−1}) + ⅔h a',
/// supports and forces from outside act with the mean ⅓ḡ_{n−1} + ⅔g'. What changed v since the last step by Δ is taken
/// as if it always had: x_{n−1} − hΔ, v_{n−1} + Δ. Memory: x_{n−1}, v_{n−1}, v_n as the step left it, mean force from
/// outside; h, ḡ of supports.
class Bdf2 final : public ImplicitIntegrator {
 public:
  using ImplicitIntegrator::ImplicitIntegrator;
  void disturbed(State&) const override {}  ///< the change of v says it
  bool fits(const Memory& memory, const Model& model) const override {
    // Hands come and go, each with a force.
    const std::size_t count = memory.numbers.size(), lasting = 1 + SupportForces(model).lasting_numbers();
    const bool fitting = count == 1 || (count >= lasting && (count - lasting) % 3 == 0);
    return memory.empty() || (fitting && holds(memory, fields, model.vertices(), count));
  }

 private:
  static constexpr std::size_t fields = 4;

  void prepare(const Model& model) override { x_before_ = v_before_ = NodalField(model.vertices()); }

  StepReport advance(const Model& model, State& state, const TimeStep& step) override {
    static constexpr Term first_terms[]{{.c = 1, .theta = 1}};
    static constexpr Term terms[]{{.c = 4.0 / 9, .theta = 1}};
    const double h = step.h;
    Memory& memory = state.memory;
    const std::size_t numbers = 1 + supports().numbers();
    const bool known = holds(memory, fields, state.x.size(), numbers) && memory.numbers[0] == h;
    StepReport report;
    inertial_target(state, step, y_);
    x_next_ = y_;
    if (known)
      for_vertices(y_.size(), [&](std::size_t i) {
        const Vec3 changed = state.v[i] - memory.fields[2][i];
        x_before_[i] = memory.fields[0][i] - h * changed;
        v_before_[i] = memory.fields[1][i] + changed;
        y_[i] = (4 * state.x[i] - x_before_[i]) / 3 + 2 * h / 9 * (4 * state.v[i] - v_before_[i]);
      });
    if (known) {
      expect_velocity(1.5, [&](std::size_t i) -> Vec3 { return (4 * state.x[i] - x_before_[i]) / 3; });
    } else {
      expect_velocity(state, h, 1, 0);
    }
    if (!solve(step, state.x, known ? std::span<const Term>(terms) : first_terms, report)) return report;
    set_velocity(state, h, 1, 0);
    if (known)
      for_vertices(y_.size(), [&](std::size_t i) {
        if (model.pinned()[i] != 0) return;
        v_next_[i] = (3 * x_next_[i] - 4 * state.x[i] + x_before_[i]) / (2 * h);
      });
    book(state, step, known, report);
    report = commit(state, step, std::move(report));
    if (report.ok()) {  // x_next_ and v_next_ now hold the state before the step
      if (memory.fields.size() != fields) memory.fields.assign(fields, NodalField(y_.size()));
      memory.fields[0] = x_next_;
      memory.fields[1] = v_next_;
      memory.fields[2] = state.v;
      if (external().size() > 0) memory.fields[3] = external();
      memory.numbers.resize(numbers);
      memory.numbers[0] = h;
      if (numbers > 1) supports().write(std::span(memory.numbers).subspan(1));
    }
    return report;
  }

  void book(const State& state, const TimeStep& step, bool known, StepReport& report) {
    const Impulse impulse[]{{.b = known ? 2.0 / 3 : 1, .theta = 1}};
    if (known && external().size() > 0)
      for_vertices(y_.size(), [&](std::size_t i) {
        external()[i] = impulse[0].b * external()[i] + 1.0 / 3 * state.memory.fields[3][i];
      });
    if (!supports().wanted()) return;
    supports().clear();
    supports().add(state.x, x_next_, step, impulse, Averaging::none);
    supports().add_loads(held_load(), impulse[0].b);
    if (model().is_driven()) supports().add_damping(strain_gradient(state.x, x_next_, step.h), impulse[0].b);
    if (known) supports().add(std::span(state.memory.numbers).subspan(1), 1.0 / 3);
    report.user_work += supports().work(state, x_next_, step).energy;
  }

  NodalField x_before_, v_before_;
};

}  // namespace

Method bdf2() {
  return {.name = "bdf2",
          .family = "implicit",
          .order = 2,
          .rayleigh_s0 = true,
          .bounds_restitution = false,
          .energy = EnergyBehavior::decays,
          .resolves = 0.1,
          .reference = "Curtiss & Hirschfelder 1952; Hairer & Wanner 1996, section V.1",
          .sentence =
              "far less damping of slow motion than backward Euler; what is collapsed or inside out may gain energy at "
              "frame-size steps",
          .cost = "one solve per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<Bdf2>(options.solver);
          }};
}

}  // namespace brio
