#include <gtest/gtest.h>

#include "brio/contact.h"
#include "brio/sim.h"
#include "experiments/problems.h"

namespace brio {

TEST(StableRun, OfAnOscillatorFindsTheLimitOfTheory) {
  const StableRun run{.steps = 400, .growth = 100, .longest = 10, .resolution = 1e-3};
  Problem problem = oscillator();
  const double omega = highest_frequency(problem.model, problem.start.x);
  Simulation simulation(std::move(problem.model), problem.start, {});
  for (const std::string name : {"symplectic-euler", "verlet", "leapfrog", "stormer-verlet", "forest-ruth", "rk4"}) {
    const double linear = stability_limit(find_integrator(name)) / omega;
    EXPECT_NEAR(max_stable_step(simulation, {.integrator = name}, run) / linear, 1, 0.02) << name;
  }
}

TEST(StableRun, AboveTheLimitARunExplodesAndBelowItDoesNot) {
  const StableRun run{.steps = 300, .growth = 1};
  Problem problem = solid();
  const double linear = max_stable_step(find_integrator("verlet"), {}, problem.model, problem.start.x);
  Simulation simulation(std::move(problem.model), problem.start, {});
  const double before = simulation.ledger().total;
  const Snapshot start = simulation.snapshot();
  const double h = max_stable_step(simulation, {.integrator = "verlet"}, run);
  EXPECT_LT(h, linear) << "large motions are stiffer";
  for (const double factor : {0.9, 1.3}) {
    simulation.restore(start);
    simulation.use({.integrator = "verlet", .h = factor * h});
    double most = 0;
    for (int i = 0; i < run.steps && simulation.step().ok(); ++i) most = std::max(most, simulation.ledger().total);
    EXPECT_EQ(most > 2 * before, factor > 1) << factor;
  }
}

/// A ball that flies is stable at any step; once it meets a stiff floor the floor's spring sets the limit, 2/omega.
TEST(StableRun, SeesColliders) {
  constexpr double mass = 2, stiffness = 2e4;  // kg, N/m
  const StableRun run{.duration = 0.5, .longest = 0.1};
  const auto limit = [&](bool floor) {
    Model model;
    Mesh ball;
    ball.vertices = {Vec3(0, 0.1, 0)};
    model.add(ParticlesOptions{.mesh = ball, .mass = mass});
    model.set_gravity({0, -9.81, 0});
    if (floor) add_collider(model, {.shape = PlaneShape{}, .stiffness = stiffness});
    Simulation simulation(std::move(model), {});
    return max_stable_step(simulation, {.integrator = "symplectic-euler"}, run);
  };
  EXPECT_GT(limit(false), 0.1);
  EXPECT_GT(limit(true), 1 / std::sqrt(stiffness / mass));
  EXPECT_LT(limit(true), 6 / std::sqrt(stiffness / mass)) << "of a contact of few steps";
}

TEST(StableRun, LeavesTheSimulationWhereItWas) {
  Problem problem = oscillator();
  Simulation simulation(std::move(problem.model), problem.start, {});
  const auto hash = simulation.hash();
  max_stable_step(simulation, {.integrator = "verlet"}, {.longest = 10, .resolution = 0.1});
  EXPECT_EQ(simulation.hash(), hash);
}

TEST(StableRun, AStartWithoutEnergyIsRefused) {
  Problem problem = oscillator();
  problem.start.x[0].setZero();
  Simulation simulation(std::move(problem.model), problem.start, {});
  EXPECT_THROW(max_stable_step(simulation, {.integrator = "verlet"}, StableRun{}), InputError);
}

}  // namespace brio
