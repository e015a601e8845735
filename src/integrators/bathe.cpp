#include "integrators/newmark.h"

namespace brio {
namespace {

/// Bathe's composite method: trapezoid over h/2, then the three-point backward difference. Order 2. [Bathe 2007]
///   stage 2: y = (4x_m − x_n)/3 + (h/9)(4v_m − v_n);   terms (1/9 at θ=1);   v' = (x_n − 4x_m + 3x')/h
/// Damps what h does not resolve and hardly anything else.
class Bathe final : public NewmarkIntegrator {
 public:
  explicit Bathe(const SolverOptions& options) : NewmarkIntegrator(options, {}) {}

 private:
  void prepare(const Model& model) override {
    NewmarkIntegrator::prepare(model);
    x_m_ = v_end_ = NodalField(model.vertices());
  }

  StepReport advance(const Model& model, State& state, const TimeStep& step) override {
    const double h = step.h;
    static constexpr Term terms[]{{.c = 1.0 / 9, .theta = 1}};
    StepReport report;
    if (!newmark_step(state, step.part(0, 0.5), report)) return report;
    x_m_ = x_next_;
    for_vertices(y_.size(), [&](std::size_t i) {
      y_[i] = (4 * x_m_[i] - state.x[i]) / 3 + h / 9 * (4 * v_next_[i] - state.v[i]);
      if (model.pinned()[i] == 0) x_next_[i] += h / 2 * v_next_[i];
    });
    place_driven(model, state, step.end, Side::before, x_next_, v_end_);
    strain_rule_ = {.time = 0.5};
    if (!solve(solver(), h, step.part(0.5, 1), x_m_, terms, report)) return report;
    for_vertices(y_.size(), [&](std::size_t i) {
      if (model.pinned()[i] != 0) return;
      v_next_[i] = (state.x[i] - 4 * x_m_[i] + 3 * x_next_[i]) / h;
    });
    book(state, step, report);
    return commit(state, step, std::move(report));
  }

  /// The velocity update takes (g_0 + g_m + g_1)/3, each of them where and when it was.
  void book(const State& state, const TimeStep& step, StepReport& report) {
    if (!supports().wanted()) return;
    supports().clear();
    const TimeStep parts[]{step.part(0, 0.5), step.part(0.5, 1)};
    static constexpr Impulse ends[]{{.b = 1.0 / 3, .theta = 0}, {.b = 1.0 / 3, .theta = 1}};
    static constexpr Impulse end[]{{.b = 1.0 / 3, .theta = 1}};
    supports().add(state.x, x_m_, parts[0], ends, Averaging::none);
    supports().add(x_m_, x_next_, parts[1], end, Averaging::none);
    supports().add_loads(held_load());
    if (model().is_driven()) {
      supports().add_damping(strain_gradient(state.x, x_m_, parts[0].h), 2.0 / 3);
      supports().add_damping(strain_gradient(x_m_, x_next_, parts[1].h), 1.0 / 3);
    }
    report.user_work += supports().work(state, x_next_, step).energy;
  }

  NodalField x_m_;
  NodalField v_end_;  ///< not used: driven vertices have their own velocity in the end
};

}  // namespace

Method bathe() {
  return {.name = "bathe",
          .aliases = {"composite"},
          .family = "implicit",
          .order = 2,
          .bounds_restitution = false,
          .energy = EnergyBehavior::decays,
          .resolves = 0.1,
          .reference = "Bathe 2007",
          .sentence =
              "accurate for what h resolves, calm for what it does not; what is collapsed or inside out may gain "
              "energy at frame-size steps",
          .cost = "two solves per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<Bathe>(options.solver);
          }};
}

}  // namespace brio
