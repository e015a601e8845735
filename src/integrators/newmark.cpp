#include "integrators/newmark.h"

namespace brio {
namespace {

class Newmark final : public NewmarkIntegrator {
 public:
  using NewmarkIntegrator::NewmarkIntegrator;
  void check(const Model& model) const override {
    if (rule().gamma == 0 && RayleighDamping::acts_in(model))
      throw InputError(
          {.key = "integrator.gamma",
           .value = "0",
           .problem = "leaves velocities to where the step starts, which damping \"rayleigh-s0\" cannot be",
           .advice = "set gamma = 0.5"});
  }

 private:
  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    StepReport report;
    if (!newmark_step(state, step, report)) return report;
    book_supports(state, step, impulse(), report);
    return commit(state, step, std::move(report));
  }
};

}  // namespace

Method newmark() {
  return {.name = "newmark",
          .aliases = {"trapezoid"},
          .family = "implicit",
          .order = 2,
          .rayleigh_s0 = true,
          .reversible = true,
          .bounds_restitution = false,
          .energy = EnergyBehavior::oscillates,
          .resolves = 1,
          .options = {"beta", "gamma"},
          .reference = "Newmark 1959",
          .sentence =
              "the engineer's standard: the trapezoid rule by default, numerical damping with gamma > 1/2; may explode "
              "at frame-size steps",
          .cost = "one solve and one force evaluation per step",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<Newmark>(options.solver, NewmarkRule{options.beta, options.gamma});
          }};
}

}  // namespace brio
