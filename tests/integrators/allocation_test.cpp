#include <gtest/gtest.h>

#include "core/counted_allocations.h"
#include "integrators/testing.h"

namespace brio {
using testing::allocations;

TEST(Allocations, AreCountedForNodalFields) {
  const long before = allocations;
  const NodalField field(100);
  EXPECT_EQ(allocations, before + 1);
}

TEST(Allocations, NoneInAStepAfterTheFirstTwo) {
  set_threads(1);
  for (const Method& method : integrators()) {
    Model model;
    const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.cells = {12, 6, 6}})});
    model.attach(bar, {{.vertex = 3}});
    model.set_gravity({0, -9.81, 0});
    State state = model.rest_state();
    const auto integrator = method.make({});
    // Multistep methods take two steps to see all their matrices.
    for (int i = 0; i < 2; ++i) integrator->step(model, state, 1e-4);
    const long before = allocations;
    for (int i = 0; i < 5; ++i) integrator->step(model, state, 1e-4);
    EXPECT_EQ(allocations, before) << method.name;
  }
  set_threads(0);
}

TEST(Allocations, NoneInADampedAndConstrainedStep) {
#ifndef BRIO_WITH_GPL
  GTEST_SKIP() << "Without CHOLMOD systems with constraints are factored by Eigen, which allocates every time.";
#endif
  set_threads(1);
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.cells = {4, 2, 2}})});
  const double length = (model.rest()[0] - model.rest()[20]).norm();
  model.constrain(bar, {.kind = Constraint::Kind::distance, .a = 0, .b = 20, .length = length});
  model.constrain(bar, {.kind = Constraint::Kind::point, .a = 5, .point = model.rest()[5]});
  model.set_gravity({0, -9.81, 0});
  State state = model.rest_state();
  const auto integrator = find_integrator("variational").make({.damping = 0.01});
  EXPECT_TRUE(integrator->step(model, state, 1e-3).ok());
  const long before = allocations;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(integrator->step(model, state, 1e-3).ok());
  EXPECT_EQ(allocations, before);
  set_threads(0);
}

}  // namespace brio
