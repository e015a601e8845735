/// A simulation by someone who knows only the installed headers; and what the library links privately works for them.
#include <brio/brio.h>

#include <cstdio>
#include <string_view>

namespace {

/// A jelly bar, held at one end, falls for a tenth of a second.
bool simulates() {
  brio::Model model;
  const brio::Mesh mesh = brio::make_bar({.size = {1, 0.25, 0.25}, .cells = {8, 2, 2}});
  const brio::BodyId bar = model.add(brio::SolidOptions{.mesh = mesh});
  model.pin(bar, brio::select(mesh, brio::BeyondPlane{{-0.499, 0, 0}, {-1, 0, 0}}));
  model.set_gravity({0, -9.81, 0});

  brio::Simulation simulation(std::move(model), {.integrator = "symplectic-euler", .h = 2e-4});
  const double start = simulation.ledger().gravity;
  while (simulation.state().step < 500)
    if (const auto report = simulation.step(); !report.ok()) return std::puts(report.message.c_str()) < 0;
  const brio::LedgerRow& row = simulation.ledger();
  std::printf("%.3f s: %.4f J kinetic, %.4f J elastic\n", row.time, row.kinetic, row.elastic);
  return row.gravity < start && row.kinetic > 0 && row.elastic > 0;
}

bool complains_by_name() {
  try {
    brio::set_threads(-1);
  } catch (const brio::InputError& error) {
    return std::string_view(error.what()).find("threads = -1") != std::string_view::npos;
  }
  return false;
}

}  // namespace

int main() { return simulates() && complains_by_name() ? 0 : 1; }
