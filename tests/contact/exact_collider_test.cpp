/// avf on colliders with the law "barrier": total energy to the last digits at one step per frame, whatever the shape.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "contact_scenes.h"
#include "exact_intersection.h"
#include "testing.h"

namespace brio {
using namespace testing;

namespace {

struct Ground {
  const char* name;
  ColliderShape shape;
};

/// With their highest point at the origin.
std::vector<Ground> grounds() {
  Mesh roof;
  roof.vertices = {{-0.5, 0, 0.01}, {0.5, 0, -0.01}, {0, -0.3, 0.4}, {0, -0.3, -0.4}};
  roof.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return {{"plane", PlaneShape{.normal = {0.1, 1, 0.05}}},
          {"sphere", SphereShape{.center = {0, -0.15, 0}, .radius = 0.15}},
          {"box", BoxShape{.center = {0, -0.173, 0.02}, .size = {0.2, 0.2, 0.2}, .turn = {0.62, 0, 0.78}}},
          {"capsule", CapsuleShape{.a = {-0.4, -0.08, 0.05}, .b = {0.4, -0.08, -0.05}, .radius = 0.08}},
          {"mesh", MeshShape{.mesh = roof}}};
}

struct Fall {
  double h = 1.0 / 60, thickness = 5e-3, stiffness = 0;
  double friction = 0, damper = 0, gravity = 9.81;
  Motion motion{};
  std::string integrator = "avf";
};

ColliderOptions collider_of(const Ground& ground, const Fall& fall) {
  return {.name = ground.name,
          .shape = ground.shape,
          .stiffness = fall.stiffness,
          .friction = fall.friction,
          .thickness = fall.thickness,
          .law = ColliderLaw::barrier,
          .motion = fall.motion};
}

/// A cube of jelly that tumbles onto it.
Simulation dropped(const Ground& ground, const Fall& fall) {
  Model model;
  const BodyId cube = model.add(SolidOptions{.name = "cube",
                                             .mesh = make_cube({.size = 0.2, .cells = 2}),
                                             .material = {.name = "stvk", .mu = 2e4, .lambda = 3e4},
                                             .density = 1000});
  model.set_gravity({0, -fall.gravity, 0});
  add_collider(model, collider_of(ground, fall));
  if (fall.damper > 0) add_self_contact(model, {.damper = fall.damper, .self = false, .between = true});
  State state = model.rest_state();
  move(model, state, cube, turned(0.4, {1, 0.3, 0.2}), {0.02, 0.2, 0.01}, Vec3::Zero());
  for (std::size_t i = 0; i < state.v.size(); ++i)
    state.v[i] = Vec3(0.4, -2, 0.1) + Vec3(1, 2, -1).cross(Vec3(state.x[i]) - Vec3(0.02, 0.2, 0.01));
  return {std::move(model), state, {.integrator = fall.integrator, .h = fall.h}};
}

void expect_exact(const Ground& ground, const Fall& fall, int steps = 24) {
  const std::string name = fmt::format("{}, {}, h = 1/{:.0f}, {} m, k = {:g}, friction {}", fall.integrator,
                                       ground.name, 1 / fall.h, fall.thickness, fall.stiffness, fall.friction);
  Simulation simulation = dropped(ground, fall);
  const LedgerRow start = simulation.ledger();
  double worst = 0, contact = 0;
  int halvings = 0, iterations = 0;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok()) << name << ": " << report.message;
    EXPECT_FALSE(report.unconverged) << name;
    EXPECT_EQ(exact::find_any(simulation.model(), simulation.state(), {collider_of(ground, fall)}, false), "") << name;
    worst = std::max(worst, std::abs(simulation.ledger().residual));
    contact = std::max(contact, simulation.ledger().contact);
    halvings += report.halvings;
    iterations = std::max(iterations, report.iterations);
  }
  std::printf("%-60s energy %.1e contact %.2f iterations %3d halvings %d\n", name.c_str(), worst / start.kinetic,
              contact / start.kinetic, iterations, halvings);
  EXPECT_GT(contact, 1e-3 * start.kinetic) << name << ": it met";
  EXPECT_LT(worst, 1e-8 * (start.kinetic + std::abs(simulation.ledger().user_work))) << name;
}

}  // namespace

TEST(ExactCollider, AvfKeepsEnergyOnEveryShapeAtOneStepPerFrame) {
  for (const Ground& ground : grounds())
    for (const double h : {1.0 / 60, 1.0 / 24}) {
      expect_exact(ground, {.h = h});
      expect_exact(ground, {.h = h, .thickness = 2e-2, .stiffness = 1e3});
      expect_exact(ground, {.h = h, .thickness = 1e-3, .stiffness = 1e6});
    }
}

TEST(ExactCollider, DiscreteGradientKeepsItToo) {
  for (const Ground& ground : grounds()) expect_exact(ground, {.integrator = "discrete-gradient"});
}

TEST(ExactCollider, KeepsItsBooksWithFriction) {
  for (const Ground& ground : grounds()) expect_exact(ground, {.friction = 0.4});
}

TEST(ExactCollider, KeepsItsBooksWithADamper) {
  for (const Ground& ground : grounds()) expect_exact(ground, {.damper = 0.3});
}

TEST(ExactCollider, BooksTheWorkOfShapesThatMoveAndTurn) {
  const Motion motion{.keys = {{.time = 0}, {.time = 0.5, .translate = {0.05, 0.2, 0.1}, .turn = {0.2, 0.5, 0.1}}},
                      .interpolation = Motion::Interpolation::smooth};
  for (const Ground& ground : grounds())
    for (const double friction : {0.0, 0.4}) expect_exact(ground, {.friction = friction, .motion = motion});
}

/// A particle on the top of every shape: nothing but itself could take up energy.
TEST(ExactCollider, RestitutionIsExactForAPointMassAtAnyStep) {
  Mesh block = make_cube({.size = 0.4, .cells = 1});
  for (Vec3& vertex : block.vertices) vertex += Vec3(0.03, -0.2, 0.02);
  const Ground tops[]{{"plane", PlaneShape{}},
                      {"sphere", SphereShape{.center = {0, -0.15, 0}, .radius = 0.15}},
                      {"box", BoxShape{.center = {0.03, -0.1, 0.02}, .size = {0.2, 0.2, 0.2}}},
                      {"capsule", CapsuleShape{.a = {-0.4, -0.08, 0}, .b = {0.4, -0.08, 0}, .radius = 0.08}},
                      {"mesh", MeshShape{.mesh = block}}};
  for (const Ground& ground : tops)
    for (const double e : {0.0, 0.5, 1.0})
      for (const double h : {1.0 / 24, 1.0 / 60, 1.0 / 240}) {
        Model model;
        Mesh dot;
        dot.vertices = {Vec3(0, 0.1, 0)};
        model.add(ParticlesOptions{.name = "dot", .mesh = dot, .mass = 0.4});
        ClothOptions aside{.name = "aside", .mesh = make_sheet({.size = {0.1, 0.1}, .cells = {1, 1}})};
        for (Vec3& vertex : aside.mesh.vertices) vertex += Vec3(9, 9, 0);
        model.add(aside);  // contact wants a surface
        add_collider(model, collider_of(ground, {}));
        add_self_contact(model, {.restitution = e});
        State state = model.rest_state();
        state.v[0] = Vec3(0, -1, 0);
        Simulation simulation(std::move(model), state, {.integrator = "avf", .h = h});
        while (simulation.state().time < 0.4) ASSERT_TRUE(simulation.step().ok());
        const std::string name = fmt::format("{}, e = {}, h = {}", ground.name, e, h);
        EXPECT_NEAR(simulation.state().v[0].y(), e, 1e-8) << name;
        EXPECT_NEAR(simulation.ledger().damping_loss, 0.2 * (1 - e * e), 1e-8) << name;
        EXPECT_LT(std::abs(simulation.ledger().residual), 1e-8) << name;
      }
}

}  // namespace brio
