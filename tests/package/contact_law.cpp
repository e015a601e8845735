/// A contact law of one's own: Hertz's, as two round things touch. V = 2/5 k sqrt(|q|/d) q² with d = 1 mm: soft at
/// first, and as hard as the spring k where it is some d deep.
#include <brio/brio.h>

#include <cmath>
#include <cstdio>

namespace {

brio::GapEnergy hertz(double stiffness, double gap) {
  const double depth = -gap, k = stiffness * std::sqrt(depth / 1e-3);
  return {.value = 0.4 * k * depth * depth, .slope = -k * depth, .curvature = 1.5 * k};
}

}  // namespace

int main() {
  brio::register_penalty_law({.name = "hertz",
                              .formula = "2/5 k sqrt(|q|/d) q^2",
                              .sentence = "two round things",
                              .reference = "Hertz 1882",
                              .energy = hertz});
  // Scenes know it as they know the others.
  brio::Scene scene = brio::parse_scene(R"(
[time]
h = 0.01
frames = 1
start = "equilibrium"
[integrator]
name = "avf"
[[body]]
mesh = { generate = "cube", size = 0.2, cells = 2 }
position = [0, 0.1, 0]
[[collider]]
shape = "plane"
stiffness = 4000
penalty = "hertz"
)");
  const brio::Model& model = scene.simulation.model();
  const brio::State& state = scene.simulation.state();
  double weight = 0, carried = 0;
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    weight += 9.81 * model.mass()[i];
    if (state.x[i].y() < 0) carried -= hertz(4000, state.x[i].y()).slope;
  }
  const auto report = scene.simulation.step(50);
  const double kinetic = scene.simulation.ledger().kinetic;
  std::printf("%s: weight %.6f N, carried %.6f N, kinetic %.1e J\n", report.message.c_str(), weight, carried, kinetic);
  return report.ok() && std::abs(carried - weight) < 1e-9 * weight && kinetic < 1e-12 ? 0 : 1;
}
