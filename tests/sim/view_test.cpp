#include "brio/view.h"

#include <gtest/gtest.h>

#include <cmath>

#include "brio/sim.h"

namespace brio {

TEST(BodyView, OfABallHasItsSurfaceWithNormalsOutwardAndStaysInItsMemory) {
  Model model;
  Mesh second = make_sphere({.radius = 0.5, .rings = 3});
  for (Vec3& vertex : second.vertices) vertex += Vec3(3, 0, 0);
  model.add(SolidOptions{.mesh = make_sphere({.radius = 0.5, .rings = 3})});
  model.add(SolidOptions{.mesh = second});
  Simulation simulation(model, {.integrator = "avf", .h = 0.01});
  BodyView view(simulation.model(), BodyId(1));
  const auto* memory = view.positions().data();
  EXPECT_LT(view.positions().size(), second.vertices.size()) << "what is inside is not seen";
  simulation.set_gravity({0, -9.81, 0});
  ASSERT_TRUE(simulation.step(10).ok());
  view.update(simulation.model(), simulation.state());
  EXPECT_EQ(view.positions().data(), memory);
  const double fallen = 0.5 * 9.81 * 0.01;
  for (std::size_t k = 0; k < view.positions().size(); ++k) {
    const auto& p = view.positions()[k];
    const auto& n = view.normals()[k];
    const Vec3 out(p[0] - 3, p[1] + fallen, p[2]);
    EXPECT_NEAR(out.norm(), 0.5, 1e-4);
    EXPECT_GT(out.normalized().dot(Vec3(n[0], n[1], n[2])), 0.9);
  }
  for (const auto& t : view.triangles())
    for (const std::uint32_t k : t) EXPECT_LT(k, view.positions().size());
}

}  // namespace brio
