/// Starts in touch and in overlap, with colliders of the law "barrier" and of bodies with each other: set off, refused,
/// or moved apart, and booked.
#include <gtest/gtest.h>

#include "contact_scenes.h"
#include "exact_intersection.h"
#include "testing.h"

namespace brio {
namespace {

ColliderOptions barrier_of(const char* name, const ColliderShape& shape) {
  return {.name = name, .shape = shape, .thickness = 5e-3, .law = ColliderLaw::barrier};
}

}  // namespace

TEST(Starts, InTouchWithAColliderAreSetApartAndBookedDeeperOnesRefused) {
  const auto cube_at = [](double height) {
    Model model;
    Mesh cube = make_cube({.size = 0.2, .cells = 2});
    for (Vec3& vertex : cube.vertices) vertex.y() += height;
    model.add(SolidOptions{.name = "cube", .mesh = cube, .mass = 3});
    model.set_gravity({0, -10, 0});
    return model;
  };
  for (const ColliderOptions& collider :
       {barrier_of("plane", PlaneShape{}), barrier_of("box", BoxShape{.center = {0, -1, 0}, .size = {2, 2, 2}})}) {
    Model touching = cube_at(0.1);
    add_collider(touching, collider);
    Simulation simulation(std::move(touching), {.integrator = "backward-euler", .h = 0.01});
    EXPECT_NEAR(simulation.state().x[0].y() - simulation.model().rest()[0].y(), 5e-3, 1e-9) << collider.name;
    EXPECT_NEAR(simulation.ledger().user_work, 3 * 10 * 5e-3, 1e-6) << collider.name;
    EXPECT_NEAR(simulation.ledger().contact, 0, 1e-9);
    ASSERT_TRUE(simulation.step(20).ok());
    EXPECT_LT(simulation.ledger().residual, 1e-6) << "backward Euler loses";

    Model deep = cube_at(0.06);
    add_collider(deep, collider);
    try {
      Simulation refused(deep, {.integrator = "backward-euler", .h = 0.01});
      ADD_FAILURE() << collider.name;
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("cube"), std::string::npos) << text;
      EXPECT_NE(text.find("0.04 m deep"), std::string::npos) << text;
      EXPECT_NE(text.find("resolve"), std::string::npos) << text;
    }
    Model resolved = cube_at(0.06);
    add_self_contact(resolved, {.resolve = true});
    add_collider(resolved, collider);
    const Simulation moved(std::move(resolved), {.integrator = "backward-euler", .h = 0.01});
    EXPECT_NEAR(moved.ledger().user_work, 3 * 10 * 0.045, 1e-6) << collider.name;
  }
  Model pierced;
  Mesh sheet = make_sheet({.size = {0.5, 0.5}, .cells = {5, 5}});
  for (Vec3& vertex : sheet.vertices) vertex.y() += 0.05;
  pierced.add(ClothOptions{.name = "cloth", .mesh = sheet});
  add_collider(pierced, barrier_of("pole", CapsuleShape{.a = {0.02, -1, 0.03}, .b = {0.02, 1, 0.03}, .radius = 0.01}));
  EXPECT_THROW(Simulation(pierced, {.integrator = "backward-euler", .h = 0.01}), InputError)
      << "no vertex is inside, but the pole goes through the cloth";
}

TEST(Starts, OfBodiesInEachOtherAreRefusedWithTheirDepthOrMovedApart) {
  const auto pair_of_cubes = [](const SelfContactOptions& options) {
    Model model;
    for (const double height : {0.0, 0.16}) {
      Mesh cube = make_cube({.size = 0.2, .cells = 2});
      for (Vec3& vertex : cube.vertices) vertex += Vec3(0.03 * height, height, 0.01);
      model.add(SolidOptions{.name = height > 0 ? "upper" : "lower", .mesh = cube, .mass = 3});
    }
    model.set_gravity({0, -10, 0});
    add_self_contact(model, options);
    return model;
  };
  try {
    Simulation refused(pair_of_cubes({}), {.integrator = "backward-euler", .h = 0.01});
    ADD_FAILURE();
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const char* part : {"upper", "lower", "0.04 m deep", "resolve"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  Simulation simulation(pair_of_cubes({.thickness = 4e-3, .resolve = true}), {.integrator = "avf", .h = 0.01});
  EXPECT_NEAR(simulation.ledger().user_work, 3 * 10 * 0.044, 1e-6) << "lifted by what is missing";
  EXPECT_EQ(testing::exact::find_any(simulation.model(), simulation.state(), {}, true), "");
  ASSERT_TRUE(simulation.step(20).ok());
  EXPECT_EQ(testing::exact::find_any(simulation.model(), simulation.state(), {}, true), "");
  EXPECT_LT(std::abs(simulation.ledger().residual), 1e-8);

  Model held = pair_of_cubes({.resolve = true});
  held.pin(held.bodies()[0].id, std::vector<int>{0});
  held.pin(held.bodies()[1].id, std::vector<int>{0});
  EXPECT_THROW(Simulation(held, {.integrator = "backward-euler", .h = 0.01}), InputError) << "pins hold them";
}

}  // namespace brio
