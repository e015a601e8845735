#include <gtest/gtest.h>

#include "brio/sim.h"
#include "model/only_known.h"

namespace brio {
namespace {

/// Height of the far end's upper edge after thirty frames of a bar that is held at its other end and falls: 1 x 0.25 x
/// 0.25 m, 288 vertices, E = 5e5 Pa, nu = 0.3, rho = 1000 kg/m³, backward Euler with h = 1/30 s.
double tip_after_thirty_frames(const std::string& material, const SolverOptions& solver) {
  const Lame moduli = lame(5e5, 0.3);
  const Mesh mesh = make_bar({.size = {1, 0.25, 0.25}, .cells = {17, 3, 3}});
  Model model;
  const BodyId body = model.add(SolidOptions{
      .mesh = mesh, .material = testing::only_known({.name = material, .mu = moduli.mu, .lambda = moduli.lambda})});
  std::vector<int> held;
  int tip = 0;
  for (int i = 0; i < static_cast<int>(mesh.vertices.size()); ++i) {
    const Vec3& p = mesh.vertices[i];
    if (p[0] < -0.5 + 1e-9) held.push_back(i);
    if (p[0] + p[1] > mesh.vertices[tip][0] + mesh.vertices[tip][1] + 1e-9) tip = i;
  }
  EXPECT_EQ(held.size(), 16U);
  EXPECT_NEAR(mesh.vertices[tip][1], 0.125, 1e-12);
  model.pin(body, held);
  model.set_gravity({0, -9.81, 0});
  Simulation simulation(std::move(model),
                        {.integrator = "backward-euler", .h = 1.0 / 30, .options = {.solver = solver}});
  for (int frame = 0; frame < 30; ++frame) EXPECT_TRUE(simulation.step().ok());
  return simulation.state().x[tip][1];
}

}  // namespace

// The heights [m] were computed independently of this library, by solvers iterated until nothing moved any more; their
// grid of tetrahedra may be cut the other way, hence the tolerance.
TEST(Reference, AFallingBarEndsWhereIndependentConvergedSolversPutIt) {
  const SolverOptions newton{.name = "newton", .tolerance = 1e-8};
  EXPECT_NEAR(tip_after_thirty_frames("corotated", newton), -0.0719, 2e-3);
  EXPECT_NEAR(tip_after_thirty_frames("neo-hookean", newton), -0.0722, 2e-3);
  EXPECT_NEAR(tip_after_thirty_frames("stvk", newton), -0.0729, 2e-3);
}

TEST(Reference, QuasiNewtonEndsWhereNewtonDoes) {
  const double newton = tip_after_thirty_frames("corotated", {.name = "newton", .tolerance = 1e-8});
  const double lbfgs = tip_after_thirty_frames("corotated", {.name = "lbfgs", .tolerance = 1e-8, .iterations = 1000});
  EXPECT_NEAR(lbfgs, newton, 1e-6);
}

}  // namespace brio
