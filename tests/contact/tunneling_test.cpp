/// Colliders feel where vertices are, not how they got there: what passes through within a step is told of.
#include "contact/tunneling.h"

#include <gtest/gtest.h>

#include "contact/testing.h"

namespace brio {
using namespace testing;

namespace {

constexpr double ball_radius = 0.1;  // [m]

/// A ball at rest and a thin plate that comes at it from the left; or the ball flies and the plate stands.
long struck(const ColliderShape& bat, const std::string& integrator, double speed, double h, bool bat_moves) {
  Model model;
  Mesh mesh = make_sphere({.radius = ball_radius, .rings = 4});
  model.add(SolidOptions{.mesh = mesh, .material = {.name = "stvk", .mu = 1e5, .lambda = 1e5}, .mass = 1});
  Motion motion;
  if (bat_moves) motion = {.keys = {{.time = 0}, {.time = 1, .translate = {speed, 0, 0}}}};
  add_collider(model, {.name = "bat", .shape = bat, .stiffness = 10, .motion = motion});
  State state = model.rest_state();
  if (!bat_moves)
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = Vec3(-speed, 0, 0);
  Simulation simulation(std::move(model), std::move(state), {.integrator = integrator, .h = h});
  for (int k = 0; k < 3; ++k) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok()) << integrator << ": " << report.message;
  }
  const auto list = tunneled(simulation.model());
  EXPECT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].first, "bat");
  return list[0].second;
}

const BoxShape plate{.center = {-0.3, 0, 0}, .size = {0.02, 1, 1}};

}  // namespace

TEST(Tunneling, APlateThatPassesThroughABallInAStepIsToldOfByEveryMethod) {
  for (const brio::Method& method : integrators())
    for (const bool bat_moves : {true, false}) {
      if (!method.dynamic) continue;                          // the ball stays where no bat touches it
      const bool is_explicit = method.force_evaluations > 0;  // the plate is thinner than they go in a step
      EXPECT_GT(struck(plate, method.name, is_explicit ? 1000 : 20, is_explicit ? 1.0 / 6000 : 1.0 / 60, bat_moves), 20)
          << method.name;
    }
}

TEST(Tunneling, SlowOnesAndThoseThatMissAreNotToldOf) {
  EXPECT_EQ(struck(plate, "avf", 1, 1.0 / 600, true), 0);
  BoxShape above = plate;
  above.center.y() = 0.7;
  EXPECT_EQ(struck(above, "avf", 20, 1.0 / 60, true), 0);
  EXPECT_EQ(struck(PlaneShape{.point = {-0.3, 0, 0}, .normal = {1, 0, 0}}, "avf", 20, 1.0 / 60, true), 0);
}

TEST(Tunneling, EveryShapeHasAnotherSideButThePlane) {
  const Vec3 left(-3, 0.1, 0.2), right(3, -0.2, 0.1);
  EXPECT_TRUE(goes_through(shapes::Sphere{0.5}, left, right));
  EXPECT_TRUE(goes_through(shapes::Capsule{.half_length = 1, .radius = 0.3}, left, right));
  EXPECT_TRUE(goes_through(shapes::Box{Vec3(0.1, 1, 1)}, left, right));
  EXPECT_TRUE(goes_through(shapes::Box{Vec3(0.1, 1, 1)}, left, Vec3(0.05, 0, 0))) << "its middle is passed";
  EXPECT_FALSE(goes_through(shapes::Box{Vec3(0.1, 1, 1)}, left, Vec3(-0.05, 0, 0))) << "pushed back";
  EXPECT_FALSE(goes_through(shapes::Box{Vec3(1, 1, 1)}, Vec3(-1.1, 0.9, 0), Vec3(-0.9, 1.1, 0))) << "cuts a corner";
  EXPECT_FALSE(goes_through(shapes::Sphere{0.5}, left + Vec3(0, 1, 0), right + Vec3(0, 1, 0)));
  EXPECT_FALSE(goes_through(shapes::Plane{}, Vec3(0, 1, 0), Vec3(0, -1, 0)));
  const TriangleShape piece(corner_piece(), "mesh");
  EXPECT_TRUE(goes_through(piece, Vec3(-3, -0.5, 0), Vec3(3, -0.5, 0)));
  EXPECT_FALSE(goes_through(piece, Vec3(3, 0.4, 0), Vec3(0.4, 3, 0))) << "through its dent";
}

}  // namespace brio
