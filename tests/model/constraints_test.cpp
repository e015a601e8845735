#include "model/constraints.h"

#include <gtest/gtest.h>

namespace brio {
namespace {

using Kind = Constraint::Kind;

/// Four loose particles and one constraint of each kind, none of which holds.
Model all_kinds() {
  Mesh mesh;
  mesh.vertices = {Vec3(0.3, 0.1, 0.2), Vec3(1.1, -0.2, 0.4), Vec3(0.2, 0.9, -0.3), Vec3(-0.5, 0.4, 0.8)};
  mesh.segments = {{0, 1}, {2, 3}};
  Model model;
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh});
  model.constrain(body, {.kind = Kind::distance, .a = 0, .b = 1, .length = 0.7});
  model.constrain(body, {.kind = Kind::plane, .a = 1, .point = Vec3(0, 0.1, 0), .direction = Vec3(1, 2, 3)});
  model.constrain(body, {.kind = Kind::line, .a = 2, .point = Vec3(1, 0, 0), .direction = Vec3(0, 3, 1)});
  model.constrain(body, {.kind = Kind::sphere, .a = 3, .point = Vec3(0, 0.2, 0), .length = 1.3});
  model.constrain(body, {.kind = Kind::point, .a = 0, .point = Vec3(0.1, 0.1, 0.1)});
  model.constrain(body, {.kind = Kind::together, .a = 2, .b = 3, .point = Vec3(1, 1, 0)});
  return model;
}

}  // namespace

TEST(Constraints, JacobiansOfAllKindsAreTheDerivatives) {
  const Model model = all_kinds();
  const ConstraintSet set(model);
  ASSERT_EQ(set.equations(), 1 + 1 + 2 + 1 + 3 + 3);
  ConstraintJacobian J(set.equations());
  set.jacobian(model.rest(), J);
  Eigen::VectorXd above(set.equations()), below = above, product = above;
  const double d = 1e-5;
  for (std::size_t i = 0; i < model.vertices(); ++i)
    for (int c = 0; c < 3; ++c) {
      NodalField x = model.rest(), direction(model.vertices());
      direction[i][c] = 1;
      x[i][c] += d;
      set.evaluate(x, above);
      x[i][c] -= 2 * d;
      set.evaluate(x, below);
      J.multiply(direction, product);
      EXPECT_LT(((above - below) / (2 * d) - product).norm(), 1e-10) << "vertex " << i << " axis " << c;
    }
}

TEST(Constraints, PinnedVerticesTakeNoPart) {
  Model model = all_kinds();
  model.pin(BodyId(0), std::vector<int>{1});
  const ConstraintSet set(model);
  ConstraintJacobian J(set.equations());
  set.jacobian(model.rest(), J);
  EXPECT_EQ(J[0].of_b, Vec3(0, 0, 0));
  EXPECT_GT(J[0].of_a.norm(), 0.1);
  EXPECT_EQ(J[1].of_a, Vec3(0, 0, 0));
}

TEST(Constraints, WhatIsViolatedIsNamed) {
  const Model model = all_kinds();
  EXPECT_NE(ConstraintSet(model).violation(model.rest()).find("constraint 0 (distance of vertex 0) is off by"),
            std::string::npos);
}

}  // namespace brio
