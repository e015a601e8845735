/// Elements of which some vertices are pinned touch what they meet like all others.
#include <gtest/gtest.h>

#include "contact_scenes.h"
#include "exact_intersection.h"

namespace brio {
namespace {

constexpr double h = 1.0 / 60;

/// A sheet of a single cell that is held at one edge and swings down onto what is there. No vertex comes near it.
Simulation hanging_sheet(const Method& method, const ColliderOptions& collider) {
  Mesh mesh = make_sheet({.size = {1, 1}, .cells = {1, 1}});
  for (Vec3& vertex : mesh.vertices) vertex.y() += 0.1;
  Model model;
  const BodyId sheet =
      model.add(ClothOptions{.mesh = mesh, .grid = {1, 1}, .stretch = 500, .shear = 300, .bend = 0.5, .mass = 0.5});
  model.pin(sheet, select(mesh, BeyondPlane{{-0.49, 0, 0}, {-1, 0, 0}}));
  model.set_gravity({0, -testing::gravity, 0});
  add_collider(model, collider);
  return {std::move(model), {.integrator = method.name, .h = h}};
}

void expect_to_rest_on(const ColliderShape& shape) {
  const ColliderOptions collider{.name = "pole", .shape = shape, .thickness = 5e-3, .law = ColliderLaw::barrier};
  for (const Method& method : integrators()) {
    if (!method.dynamic || method.force_evaluations > 0) continue;
    Simulation simulation = hanging_sheet(method, collider);
    for (int k = 0; k < 20; ++k) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.ok()) << method.name << ", step " << k << ": " << report.message;
      EXPECT_EQ(testing::exact::find_any(simulation.model(), simulation.state(), {collider}, false), "")
          << method.name << ", step " << k;
    }
  }
}

}  // namespace

TEST(PartlyPinned, TrianglesRestOnABead) {
  expect_to_rest_on(SphereShape{.center = {-0.1, -0.2, 0.1}, .radius = 0.15});
}
TEST(PartlyPinned, EdgesRestOnAPole) {
  expect_to_rest_on(CapsuleShape{.a = {0, -0.2, -2}, .b = {0, -0.2, 2}, .radius = 0.15});
}
TEST(PartlyPinned, TrianglesRestOnACorner) {
  expect_to_rest_on(BoxShape{.center = {-0.1, -0.2, 0.05}, .size = {0.2, 0.2, 0.2}, .turn = {0.7, 0, 0.6}});
}

}  // namespace brio
