/// A program that needs the engine and nothing else of brio.
#include <brio/engine.h>

#include <cstdio>

int main() {
  brio::Model model;
  model.add(brio::ClothOptions{.mesh = brio::make_sheet({.size = {1, 1}, .cells = {10, 10}})});
  model.set_gravity({0, -9.81, 0});
  brio::Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = 0.01});
  if (const auto report = simulation.step(10); !report.ok()) return std::puts(report.message.c_str());
  std::printf("%.3f J of motion after %.2f s\n", simulation.ledger().kinetic, simulation.state().time);
  return simulation.ledger().kinetic > 0 ? 0 : 1;
}
