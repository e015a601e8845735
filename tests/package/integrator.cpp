/// An integrator of one's own: Ruth's of third order, three kicks and drifts; with whatever is driven from outside.
#include <brio/brio.h>

#include <cmath>
#include <cstdio>

namespace {

class Ruth final : public brio::Integrator {
 public:
  brio::StepReport step(const brio::Model& model, brio::State& state, const brio::TimeStep& step) override {
    brio::NodalField x = state.x, v = state.v, f(model.vertices());
    stages_.begin(model, state, step);
    double fraction = 0;
    for (const auto [kick, drift] : {std::pair{7. / 24, 2. / 3}, {3. / 4, -2. / 3}, {-1. / 24, 1.}}) {
      stages_.force(x, v, fraction, kick, f);
      for (std::size_t i = 0; i < model.vertices(); ++i) {
        v[i] += kick * step.h / model.mass()[i] * f[i];
        x[i] += drift * step.h * v[i];
      }
      stages_.place(fraction += drift, x, v);
    }
    return stages_.finish(x, v, state);
  }
  bool accounts_for_all() const override { return true; }

 private:
  brio::StageForces stages_;
};

/// Where a swinging bar, whose other end is carried along, is after half a second; and the energy that is missing.
std::pair<brio::Vec3, double> tip(double h) {
  const brio::Mesh mesh = brio::make_bar({.size = {1, 0.25, 0.25}, .cells = {4, 1, 1}});
  brio::Model model;
  const brio::BodyId bar = model.add(brio::SolidOptions{.mesh = mesh, .material = {.mu = 2e3, .lambda = 2e3}});
  const brio::Motion lift{.keys = {{.time = 0}, {.time = 0.5, .translate = {0.2, 0.3, 0}}},
                          .interpolation = brio::Motion::Interpolation::smooth};
  model.pin(bar, brio::select(mesh, brio::BeyondPlane{{-0.499, 0, 0}, {-1, 0, 0}}), lift);
  model.set_gravity({0, -9.81, 0});
  brio::Simulation simulation(std::move(model), {.integrator = "ruth", .h = h});
  simulation.step(static_cast<int>(std::lround(0.5 / h)));
  return {simulation.state().x[4], std::abs(simulation.ledger().residual)};
}
}  // namespace

int main() {
  brio::register_integrator({.name = "ruth",
                             .family = "explicit",
                             .order = 3,
                             .force_evaluations = 3,
                             .make = [](const brio::IntegratorOptions&) -> std::unique_ptr<brio::Integrator> {
                               return std::make_unique<Ruth>();
                             }});
  const auto [x1, e1] = tip(4e-3);
  const auto [x2, e2] = tip(2e-3);
  const double order = std::log2((x1 - x2).norm() / (x2 - tip(1e-3).first).norm()), of_work = std::log2(e1 / e2);
  std::printf("order %.2f, of the work %.2f\n", order, of_work);
  return std::abs(order - 3) < 0.3 && of_work > 2.7 ? 0 : 1;
}
