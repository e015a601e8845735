#include <brio/brio.h>

#include <cstdio>

int main() {
  const brio::Mesh mesh = brio::make_bar({.size = {1, 0.25, 0.25}, .cells = {8, 2, 2}});  // m
  brio::Model model;
  const brio::BodyId bar = model.add(brio::SolidOptions{.mesh = mesh, .material = {.name = "stable-neo-hookean"}});
  model.pin(bar, brio::select(mesh, brio::BeyondPlane{{-0.499, 0, 0}, {-1, 0, 0}}));  // its left end
  model.set_gravity({0, -9.81, 0});
  brio::Simulation simulation(std::move(model), {.integrator = "avf", .h = 0.02});  // s
  if (const auto report = simulation.step(50); !report.ok()) return std::puts(report.message.c_str());
  const brio::LedgerRow& row = simulation.ledger();
  std::printf("kinetic %.3f J, elastic %.3f J, residual %.0e J\n", row.kinetic, row.elastic, row.residual);
}
