/// The methods that others are compared with: what they keep, and how they fail.
#include <gtest/gtest.h>

#include <cmath>

#include "brio/sim.h"
#include "integrators/testing.h"
#include "model/only_known.h"

namespace brio {
namespace {

using testing::mass_on_spring;
using testing::pulled;
using testing::tumbling;

Model soft_bar_made_of(const std::string& material) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.cells = {4, 2, 2}}),
                         .material = testing::only_known({.name = material, .mu = 2e3, .lambda = 3e3}),
                         .density = 10});
  return model;
}

}  // namespace

TEST(ComparisonMethods, KeepTheEnergyOfATumblingSolid) {
  for (const std::string name : {"discrete-gradient", "lagrange-energy", "energy-budget"})
    for (const std::string material : {"stvk", "stable-neo-hookean", "corotated"}) {
      Model model = soft_bar_made_of(material);
      model.set_gravity({0, -9.81, 0});
      State state = tumbling(model);
      const double start = measure(model, state).total;
      const double scale = model.kinetic_energy(state.v) + model.elastic_energy(BodyId(0), state.x);
      const auto integrator = make_integrator(find_integrator(name), {}, model);
      double worst = 0;
      for (int i = 0; i < 200; ++i) {
        const StepReport report = integrator->step(model, state, 2e-3);
        ASSERT_TRUE(report.ok()) << name << ' ' << material << ": " << report.message;
        worst = std::max(worst, std::abs(measure(model, state).total - start));
      }
      EXPECT_LT(worst, 1e-9 * scale) << name << ' ' << material;
    }
}

/// What damping takes is taken where the step ends, not where it was guessed to end.
TEST(KeptEnergy, ClosesItsBalanceUnderEveryDamping) {
  const std::pair<const char*, Damping> dampings[]{{"weak strain", {.strain = 1e-4}},
                                                   {"strain", {.strain = 5e-3}},
                                                   {"relative", {.relative = 3}},
                                                   {"drag", {.drag = 0.02}},
                                                   {"per step", {.per_step = 0.02}}};
  for (const Method& method : integrators()) {
    if (method.energy != EnergyBehavior::kept) continue;
    for (const auto& [name, damping] : dampings) {
      Model model = soft_bar_made_of("stvk");
      model.set_damping(damping);
      model.set_gravity({0, -9.81, 0});
      State state = tumbling(model);
      for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] *= 1.4;
      Simulation simulation(std::move(model), std::move(state), {.integrator = method.name, .h = 5e-3});
      const LedgerRow first = simulation.ledger();
      const double in_play = first.kinetic + first.elastic;
      for (int i = 0; i < 30; ++i) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.ok()) << method.name << ", " << name << ": " << report.message;
      }
      EXPECT_LT(std::abs(simulation.ledger().residual), 1e-8 * in_play) << method.name << ", " << name;
      EXPECT_GT(simulation.ledger().damping_loss, 1e-4 * in_play) << method.name << ", " << name;
    }
  }
}

TEST(DiscreteGradient, ABodyAtRestStaysAtRest) {
  const Model model = soft_bar_made_of("stvk");
  State state = model.rest_state();
  const auto integrator = make_integrator(find_integrator("discrete-gradient"), {}, model);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(integrator->step(model, state, 0.01).ok());
  for (std::size_t i = 0; i < model.vertices(); ++i) EXPECT_LT((state.x[i] - model.rest()[i]).norm(), 1e-12);
}

TEST(DiscreteGradient, ConvergesQuadratically) {
  // Newton's method with the exact Jacobian: a handful of iterations for ten digits, at a step that deforms much.
  const Model model = soft_bar_made_of("stvk");
  State state = tumbling(model);
  const auto integrator = make_integrator(find_integrator("discrete-gradient"), {}, model);
  for (int i = 0; i < 20; ++i) {
    const StepReport report = integrator->step(model, state, 0.01);
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_LE(report.iterations, 7) << i;
  }
}

TEST(EnergyBudget, StopsTheBodyWhereElasticEnergyAloneExceedsTheBudget) {
  const Model model = mass_on_spring(SpringLaw::stvk, 100, 1);
  State state = pulled(model, 0.5, 0);
  const double budget = measure(model, state).total;
  const auto integrator = make_integrator(find_integrator("energy-budget"), {}, model);
  int stopped = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(integrator->step(model, state, 0.3).ok());
    const double elastic = model.elastic_energy(BodyId(0), state.x);
    const double total = elastic + model.kinetic_energy(state.v);
    if (elastic >= budget) {
      ++stopped;
      EXPECT_EQ(model.kinetic_energy(state.v), 0);
    } else {
      EXPECT_NEAR(total, budget, 1e-10 * budget);
    }
  }
  EXPECT_GT(stopped, 0);
}

TEST(LagrangeEnergy, ReportsTheStepsForWhichNoMultiplierIsFound) {
  const Model model = mass_on_spring(SpringLaw::stvk, 100, 1);
  State state = pulled(model, 0.5, 0);
  const auto integrator =
      make_integrator(find_integrator("lagrange-energy"), {.solver = {.unconverged = Unconverged::stop}}, model);
  StepReport report;
  for (int i = 0; i < 200 && report.ok(); ++i) {
    const State before = state;
    report = integrator->step(model, state, 0.5);
    if (report.ok()) continue;
    EXPECT_NE(report.message.find("keeps the energy"), std::string::npos) << report.message;
    EXPECT_EQ(Vec3(state.x[1]), Vec3(before.x[1]));
  }
  EXPECT_FALSE(report.ok());
}

}  // namespace brio
