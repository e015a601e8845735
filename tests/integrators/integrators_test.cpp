#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiments/measure.h"
#include "integrators/testing.h"

namespace brio {
namespace {

using testing::mass_on_spring;
using testing::pulled;

}  // namespace

TEST(Integrators, ExplicitEulerGainsWhatTheFormulaSaysAndNeverLosesOnConvexPotentials) {
  const Problem problem = oscillator();
  const Model& model = problem.model;
  const auto integrator = find_integrator("explicit-euler").make({});
  State state = problem.start;
  NodalField f(1);
  for (int i = 0; i < 50; ++i) {
    const State before = state;
    model.force(before, f);
    ASSERT_TRUE(integrator->step(model, state, 0.1).ok());
    const auto energy = [&](const State& s) { return model.elastic_energy(BodyId(0), s.x); };
    const double gain = energy(state) - energy(before) + (state.x[0] - before.x[0]).dot(f[0]) +
                        0.5 * 0.1 * 0.1 * f[0].squaredNorm() / model.mass()[0];
    const double total = measure(model, state).total;
    EXPECT_NEAR(total - measure(model, before).total, gain, 1e-13 * total);
    EXPECT_GE(gain, 0);
  }
}

TEST(Integrators, FreeFallIsRigidAndAsAccurateAsTheOrder) {
  const Vec3 gravity(0, -9.81, 0);
  const double h = 0.01;
  const int steps = 20;
  const double time = h * steps;
  for (const Method& method : integrators()) {
    if (!method.dynamic) continue;
    Model model;
    model.add(SolidOptions{.mesh = make_bar({.cells = {3, 2, 2}})});
    model.set_gravity(gravity);
    State state = model.rest_state();
    for (std::size_t i = 0; i < model.vertices(); ++i) state.v[i] = Vec3(1, 2, 0);
    const auto integrator = make_integrator(method, precise(), model);
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(integrator->step(model, state, h).ok()) << method.name;
    // Methods of order one take gravity's velocity from an end of each step; bdf2 does so in its first.
    const double allowed = method.order == 1 ? 9.81 * h * time / 2 : method.family == "explicit" ? 0 : 9.81 * h * h;
    for (std::size_t i = 0; i < model.vertices(); ++i) {
      const Vec3 fallen = model.rest()[i] + time * Vec3(1, 2, 0) + time * time / 2 * gravity;
      EXPECT_LT((state.x[i] - fallen).norm(), allowed + 1e-9) << method.name;
      EXPECT_LT((state.v[i] - Vec3(1, 2, 0) - time * gravity).norm(), 1e-9) << method.name;
      const Vec3 along = state.x[i] - state.x[0] - (model.rest()[i] - model.rest()[0]);
      EXPECT_LT(along.norm(), 1e-10) << method.name;
    }
  }
}

TEST(Integrators, PinnedVerticesStayBitForBit) {
  for (const Method& method : integrators()) {
    Model model;
    const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.cells = {4, 2, 2}})});
    const std::vector<int> held{0, 7, 13};
    model.pin(bar, held);
    model.set_gravity({0, -9.81, 0});
    State state = model.rest_state();
    const auto integrator = method.make({});
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(integrator->step(model, state, 1e-4).ok());
    for (const int v : held) EXPECT_EQ(Vec3(state.x[v]), Vec3(model.rest()[v])) << method.name;
    double height = 0, rest = 0;
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      height += model.mass()[i] * state.x[i][1];
      rest += model.mass()[i] * model.rest()[i][1];
    }
    EXPECT_LT(height, rest) << method.name;
  }
}

TEST(Integrators, VerticesPinnedBetweenStepsStayFromThereOn) {
  for (const Method& method : integrators()) {
    Model model;
    const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.cells = {4, 2, 2}})});
    model.set_gravity({0, -9.81, 0});
    if (!method.dynamic) model.pin(bar, std::vector<int>{0});  // without any it would find no equilibrium
    State state = model.rest_state();
    const auto integrator = method.make({});
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(integrator->step(model, state, 1e-4).ok());
    model.pin(bar, std::vector<int>{7});
    state.v[7].setZero();
    state.memory.clear();
    const State before = state;
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(integrator->step(model, state, 1e-4).ok());
    EXPECT_EQ(Vec3(state.x[7]), Vec3(before.x[7])) << method.name;
    if (method.dynamic) {
      EXPECT_LT(state.x[1][1], before.x[1][1]) << method.name;
    }
  }
}

TEST(Integrators, AStepThatIsNotFiniteFailsAndLeavesTheState) {
  for (const Method& method : integrators()) {
    const Model model = mass_on_spring(SpringLaw::stvk, 1e300, 1);
    State state = pulled(model, 1e10, 0);
    const State before = state;
    const StepReport report = method.make({})->step(model, state, 1);
    EXPECT_FALSE(report.ok()) << method.name;
    // An equilibrium does not depend on h.
    EXPECT_NE(report.message.find(method.dynamic ? "smaller h" : "stiffen"), std::string::npos) << report.message;
    EXPECT_EQ(Vec3(state.x[1]), Vec3(before.x[1]));
    EXPECT_EQ(Vec3(state.v[1]), Vec3(before.v[1]));
    EXPECT_EQ(state.step, 0);
  }
}

TEST(Integrators, AnUnknownNameIsRefusedWithTheNearest) {
  EXPECT_EQ(find_integrator("cromer").name, "symplectic-euler");
  try {
    find_integrator("symplectic-oiler");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "integrator.name = \"symplectic-oiler\": not available in this version; did you mean "
                 "'symplectic-euler'?");
  }
}

}  // namespace brio
