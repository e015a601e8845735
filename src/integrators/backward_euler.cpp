#include "integrators/implicit.h"

namespace brio {
namespace {

/// Backward (implicit) Euler. Order 1. [Baraff & Witkin 1998; as a minimization: Martin et al. 2011]
///   y = x_n + h v_n;   terms (1 at θ=1);   v' = (x' − x_n)/h
/// Never gains energy on convex potentials; loses it the faster the larger h ω is.
class BackwardEuler final : public ImplicitIntegrator {
 public:
  explicit BackwardEuler(const SolverOptions& options) : ImplicitIntegrator(options) { bears_residual_ = true; }

 private:
  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    static constexpr Term terms[]{{.c = 1, .theta = 1}};
    static constexpr Impulse impulse[]{{.b = 1, .theta = 1}};
    StepReport report;
    expect_velocity(state, step.h, 1, 0);
    inertial_target(state, step, y_);
    x_next_ = y_;
    if (!solve(step, state.x, terms, report)) return report;
    set_velocity(state, step.h, 1, 0);
    book_supports(state, step, impulse, report);
    return commit(state, step, std::move(report));
  }
};

}  // namespace

Method backward_euler() {
  return {.name = "backward-euler",
          .aliases = {"bdf1", "implicit-euler"},
          .family = "implicit",
          .order = 1,
          .rayleigh_s0 = true,
          .energy = EnergyBehavior::decays,
          .reference = "Baraff & Witkin 1998; Martin et al. 2011",
          .sentence = "calm and unbreakable, when liveliness does not matter: motion is damped, the more the larger h",
          .cost = "one solve per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<BackwardEuler>(options.solver);
          }};
}

}  // namespace brio
