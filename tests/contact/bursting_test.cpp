/// What starts pressed to a point bursts against what it touches: stiff chains with contact in their way.
#include <gtest/gtest.h>

#include <cmath>

#include "contact_scenes.h"

namespace brio {
namespace {

/// A coil of particles, h omega = 1500, pressed to a point above a floor.
Simulation bursting_coil(const Method& method) {
  constexpr double size = 7.8e-4;
  Mesh mesh = make_helix({.radius = size, .pitch = size, .turns = 2, .segments = 10});
  for (Vec3& vertex : mesh.vertices) vertex.y() += size;
  Model model;
  model.add(ParticlesOptions{.mesh = mesh, .law = SpringLaw::stvk, .stiffness = 9.4e5, .mass = 6.5e-10});
  add_collider(model, {.name = "floor",
                       .shape = PlaneShape{.point = {0, -size, 0}, .normal = {0.1, 1, 0}},
                       .thickness = 1e-5,
                       .law = ColliderLaw::barrier});
  State state = model.rest_state();
  const Vec3 middle(0, size, 0);
  for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] = middle + 3e-4 * (state.x[i] - middle);
  return {std::move(model), std::move(state), {.integrator = method.name, .h = 0.08}};
}

}  // namespace

TEST(Bursting, ACoilThatStartsAsAPointComesApartAboveAFloor) {
  for (const char* name : {"avf", "stabilized", "backward-euler"}) {
    const Method& method = find_integrator(name);
    Simulation simulation = bursting_coil(method);
    const double before = simulation.ledger().total;
    for (int k = 0; k < 6; ++k) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.ok()) << name << ", step " << k << ": " << report.message;
    }
    const double error = std::abs(simulation.ledger().residual) / before;
    const double bound = method.energy == EnergyBehavior::tracked ? 2 * IntegratorOptions{}.epsilon : 1e-8;
    const double wrong = method.energy == EnergyBehavior::decays ? simulation.ledger().residual / before : error;
    EXPECT_LT(wrong, bound) << name;
  }
}

}  // namespace brio
