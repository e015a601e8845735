/// An integrator of one's own: Ruth's of third order, three kicks and drifts.
#include <brio/brio.h>

#include <cmath>
#include <cstdio>

namespace {

class Ruth final : public brio::Integrator {
 public:
  brio::StepReport step(const brio::Model& model, brio::State& state, const brio::TimeStep& step) override {
    brio::NodalField f(model.vertices());
    double time = step.start;
    for (const auto [kick, drift] : {std::pair{7. / 24, 2. / 3}, {3. / 4, -2. / 3}, {-1. / 24, 1.}}) {
      f.set_zero();
      model.force({state.x, brio::Moment::stage(time, step.end)}, state.v, f);
      for (std::size_t i = 0; i < model.vertices(); ++i) {
        if (model.pinned()[i] != 0) continue;
        state.v[i] += kick * step.h / model.mass()[i] * f[i];
        state.x[i] += drift * step.h * state.v[i];
      }
      time += drift * step.h;
    }
    state.time = step.end;
    ++state.step;
    return {};
  }
};

/// Where a swinging bar is after half a second.
brio::Vec3 tip(double h) {
  const brio::Mesh mesh = brio::make_bar({.size = {1, 0.25, 0.25}, .cells = {4, 1, 1}});
  brio::Model model;
  const brio::BodyId bar = model.add(brio::SolidOptions{.mesh = mesh, .material = {.mu = 2e3, .lambda = 2e3}});
  model.pin(bar, brio::select(mesh, brio::BeyondPlane{{-0.499, 0, 0}, {-1, 0, 0}}));
  model.set_gravity({0, -9.81, 0});
  brio::Simulation simulation(std::move(model), {.integrator = "ruth", .h = h});
  simulation.step(static_cast<int>(std::lround(0.5 / h)));
  return simulation.state().x[4];
}

}  // namespace

int main() {
  brio::register_integrator({.name = "ruth",
                             .family = "explicit",
                             .order = 3,
                             .symplectic = true,
                             .angular_momentum = true,
                             .energy = brio::EnergyBehavior::oscillates,
                             .force_evaluations = 3,
                             .make = [](const brio::IntegratorOptions&) -> std::unique_ptr<brio::Integrator> {
                               return std::make_unique<Ruth>();
                             }});
  const double order = std::log2((tip(4e-3) - tip(2e-3)).norm() / (tip(2e-3) - tip(1e-3)).norm());
  std::printf("order %.2f\n", order);
  return std::abs(order - 3) < 0.3 ? 0 : 1;
}
