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
    x_m_ = NodalField(model.vertices());
  }

  StepReport advance(const Model& model, State& state, double h) override {
    static constexpr Term terms[]{{.c = 1.0 / 9, .theta = 1}};
    StepReport report;
    if (!newmark_step(state, h / 2, report)) return report;
    x_m_ = x_next_;
    for_vertices(y_.size(), [&](std::size_t i) {
      y_[i] = (4 * x_m_[i] - state.x[i]) / 3 + h / 9 * (4 * v_next_[i] - state.v[i]);
      if (model.pinned()[i] == 0) x_next_[i] += h / 2 * v_next_[i];
    });
    strain_rule_ = {.time = 0.5};
    if (!solve(h, x_m_, terms, report)) return report;
    for_vertices(y_.size(), [&](std::size_t i) {
      if (model.pinned()[i] != 0) return;
      v_next_[i] = (state.x[i] - 4 * x_m_[i] + 3 * x_next_[i]) / h;
    });
    return commit(state, h, std::move(report));
  }

  NodalField x_m_;
};

}  // namespace

Method bathe() {
  return {.name = "bathe",
          .aliases = {"composite"},
          .family = "implicit",
          .order = 2,
          .energy = EnergyBehavior::decays,
          .reference = "Bathe 2007",
          .sentence = "accurate for what h resolves, calm for what it does not",
          .cost = "two solves per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<Bathe>(options.solver);
          }};
}

}  // namespace brio
