/// What the registry declares of every method is measured.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "integrators/testing.h"

namespace brio {
namespace {

using testing::mass_on_spring;
using testing::pulled;
using testing::tumbling;

/// Error in position and velocity after `time` [s] against x(t) = 1 + A cos(omega t), with omega = 2 rad/s.
double oscillator_error(const Method& method, int steps) {
  const double time = 1.3, amplitude = 0.1, omega = 2;
  const Model model = mass_on_spring("hookean", 4, 1);
  State state = pulled(model, amplitude, 0);
  const auto integrator = method.make({});
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(integrator->step(model, state, time / steps).ok());
  return std::hypot(state.x[1][0] - 1 - amplitude * std::cos(omega * time),
                    state.v[1][0] + amplitude * omega * std::sin(omega * time));
}

/// Determinant of the derivative of the map (x, v) -> (x', v') of many steps, by central differences.
double area_ratio(const Method& method) {
  const Model model = mass_on_spring("stvk", 3, 1);
  const auto map = [&](double dx, double dv) {
    State state = pulled(model, 0.3 + dx, 0.2 + dv);
    const auto integrator = method.make({.solver = {.tolerance = 1e-13}});
    for (int i = 0; i < 50; ++i) integrator->step(model, state, 0.05);
    return Eigen::Vector2d(state.x[1][0], state.v[1][0]);
  };
  // Fourth-order differences allow steps so large that rounding does not matter.
  const double d = 2e-4;
  const auto slope = [&](double x, double v) {
    return Eigen::Vector2d((8 * (map(x, v) - map(-x, -v)) - (map(2 * x, 2 * v) - map(-2 * x, -2 * v))) / (12 * d));
  };
  Eigen::Matrix2d J;
  J.col(0) = slope(d, 0);
  J.col(1) = slope(0, d);
  return J(0, 0) * J(1, 1) - J(0, 1) * J(1, 0);
}

}  // namespace

TEST(Integrators, OrderIsWhatTheRegistryDeclares) {
  for (const Method& method : integrators()) {
    const double order = std::log2(oscillator_error(method, 50) / oscillator_error(method, 100));
    EXPECT_NEAR(order, method.order, 0.05) << method.name;
  }
}

TEST(Integrators, SymplecticMethodsPreserveAreaOfANonlinearOscillator) {
  for (const Method& method : integrators())
    if (method.symplectic) {
      EXPECT_NEAR(area_ratio(method), 1, 1e-8) << method.name;
    }
}

TEST(Integrators, SymplecticEulerKeepsMomentaOfAFreeSolidToRoundOff) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.cells = {6, 3, 3}}), .density = 10});
  State state = tumbling(model);
  const Vec3 linear = model.linear_momentum(state.v);
  const Vec3 angular = model.angular_momentum(state.x, state.v);
  const auto integrator = find_integrator("symplectic-euler").make({});
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(integrator->step(model, state, 1e-4).ok());
  EXPECT_LT((model.linear_momentum(state.v) - linear).norm(), 1e-11 * linear.norm());
  EXPECT_LT((model.angular_momentum(state.x, state.v) - angular).norm(), 1e-11 * angular.norm());
}

TEST(Integrators, PinnedVerticesStayBitForBit) {
  for (const Method& method : integrators()) {
    Model model;
    const int bar = model.add(SolidOptions{.mesh = make_bar({.cells = {4, 2, 2}})});
    const std::vector<int> held{0, 7, 13};
    model.pin(bar, held);
    model.set_gravity({0, -9.81, 0});
    State state = model.rest_state();
    const auto integrator = method.make({});
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(integrator->step(model, state, 1e-4).ok());
    for (const int v : held) EXPECT_EQ(Vec3(state.x[v]), Vec3(model.rest()[v])) << method.name;
    EXPECT_LT(state.x[1][1], model.rest()[1][1]) << method.name;
  }
}

TEST(Integrators, AStepThatIsNotFiniteFailsAndLeavesTheState) {
  for (const Method& method : integrators()) {
    const Model model = mass_on_spring("stvk", 1e300, 1);
    State state = pulled(model, 1e10, 0);
    const State before = state;
    const StepReport report = method.make({})->step(model, state, 1);
    EXPECT_FALSE(report.ok()) << method.name;
    EXPECT_NE(report.message.find("smaller h"), std::string::npos) << report.message;
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
