/// Colliders that turn: with which order methods see them.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "brio/contact.h"
#include "brio/sim.h"

namespace brio {
namespace {

struct Tilted {
  Vec3 x = Vec3::Zero();
  double work = 0, residual = 0;
};

/// A kilogram that lies, sunk in as it would rest, on a plane which tips over smoothly and lets it slide.
Tilted tilted(const Method& method, int steps) {
  constexpr double duration = 0.5, stiffness = 400, weight = 9.81;
  Mesh mesh;
  mesh.vertices = {Vec3(0.4, -weight / stiffness, 0)};
  Model model;
  model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
  model.set_gravity({0, -weight, 0});
  const Vec3 turn = Vec3(0, 0, -0.15);  // little enough for the mass never to lift off: kinks would hide orders
  add_collider(model, {.shape = PlaneShape{},
                       .stiffness = stiffness,
                       .motion = {.keys = {{.time = -duration}, {.time = 2 * duration, .turn = turn}},
                                  .interpolation = Motion::Interpolation::smooth}});
  Simulation simulation(
      std::move(model),
      {.integrator = method.name, .h = duration / steps, .options = {.solver = {.tolerance = 1e-13}}});
  EXPECT_TRUE(simulation.step(steps).ok()) << method.name;
  return {Vec3(simulation.state().x[0]), simulation.ledger().user_work, simulation.ledger().residual};
}

}  // namespace

/// Terms within a step push along the normal that the plane has at its end: of first order for methods that have such
/// terms (docs/driving.md).
TEST(Turning, OrdersInPositionAndWorkAreThoseOfTheDocs) {
  const Tilted right = tilted(find_integrator("rk4"), 20000);
  const std::map<std::string, double> within{{"implicit-midpoint", 1}, {"variational", 1},       {"avf", 1},
                                             {"stabilized", 1},        {"discrete-gradient", 1}, {"energy-budget", 1}};
  for (const Method& method : integrators()) {
    if (!method.dynamic) continue;
    const int steps = method.order > 2 ? 64 : 200;
    const Tilted coarse = tilted(method, steps), fine = tilted(method, 2 * steps);
    const double order_x = std::log2((coarse.x - right.x).norm() / (fine.x - right.x).norm());
    const double order_W = std::log2(std::abs((coarse.work - right.work) / (fine.work - right.work)));
    const auto known = within.find(method.name);
    const double wanted = known != within.end() ? known->second : method.order;
    std::printf("%-20s order in x %5.2f, in W %5.2f, residual %9.1e J\n", method.name.c_str(), order_x, order_W,
                fine.residual);
    EXPECT_GT(order_x, wanted - 0.3) << method.name;
    EXPECT_GT(order_W, wanted - 0.3) << method.name;
    if (method.name == "avf") {
      EXPECT_LT(std::abs(fine.residual), 1e-10);
    }
  }
}

}  // namespace brio
