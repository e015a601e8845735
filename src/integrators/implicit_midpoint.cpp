#include "integrators/implicit.h"

namespace brio {
namespace {

/// Implicit midpoint. Order 2. [Hairer, Lubich & Wanner 2006, section II.1]
///   y = x_n + h v_n;   terms (1 at θ=½);   v' = 2(x' − x_n)/h − v_n
/// Symplectic and reversible, keeps both momenta. Energy is kept for linear forces only: at frame-size steps stiff
/// nonlinear bodies may explode.
class ImplicitMidpoint final : public ImplicitIntegrator {
 public:
  using ImplicitIntegrator::ImplicitIntegrator;

 private:
  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    static constexpr Impulse impulse[]{{.b = 1, .theta = 0.5}};
    StepReport report;
    expect_velocity(state, step.h, 2, 1);
    inertial_target(state, step, y_);
    x_next_ = y_;
    if (!solve(step, state.x, terms, report)) return report;
    set_velocity(state, step.h, 2, 1);
    book_supports(state, step, impulse, report);
    return commit(state, step, std::move(report));
  }
};

}  // namespace

Method implicit_midpoint() {
  return {.name = "implicit-midpoint",
          .aliases = {"midpoint-implicit"},
          .family = "implicit",
          .order = 2,
          .rayleigh_s0 = true,
          .symplectic = true,
          .reversible = true,
          .angular_momentum = true,
          .energy = EnergyBehavior::oscillates,
          .resolves = 1,
          .reference = "Hairer, Lubich & Wanner 2006, section II.1; Dinev et al. 2018",
          .sentence = "lively and accurate while h resolves the motion; may explode at frame-size steps",
          .cost = "one solve per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<ImplicitMidpoint>(options.solver);
          }};
}

}  // namespace brio
