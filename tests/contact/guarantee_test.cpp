/// What people do first, drop things on things: on every frame an exact test that shares no code with contact looks
/// whether anything is in anything.
#include <numbers>

#include "contact_scenes.h"
#include "exact_intersection.h"
#include "experiments/knots.h"
#include "testing.h"

namespace brio {
namespace {

using testing::turned;

struct Stage {
  Model model;
  std::vector<ColliderOptions> colliders{};
  bool among_bodies = false;

  Stage() { model.set_gravity({0, -testing::gravity, 0}); }
  void collide(ColliderOptions collider) {
    collider.law = ColliderLaw::barrier;
    add_collider(model, collider);
    colliders.push_back(std::move(collider));
  }
  void touch(const SelfContactOptions& options) {
    add_self_contact(model, options);
    among_bodies = true;
  }
  std::function<void(const Simulation&)> look{};  ///< on every frame, besides

  /// Steps of 1/60 s.
  Simulation play(int frames, const char* integrator = "bdf2") {
    Simulation simulation(model, {.integrator = integrator, .h = 1.0 / 60});
    for (int frame = 0; frame <= frames; ++frame) {
      const std::string found =
          testing::exact::find_any(simulation.model(), simulation.state(), colliders, among_bodies);
      EXPECT_EQ(found, "") << "frame " << frame;
      if (look) look(simulation);
      if (frame == frames || !found.empty()) break;
      const StepReport report = simulation.step();
      EXPECT_TRUE(report.ok()) << "frame " << frame << ": " << report.message;
      EXPECT_FALSE(report.unconverged) << "frame " << frame;
      if (!report.ok()) break;
    }
    return simulation;
  }
};

ClothOptions cloth(const std::array<double, 2>& size, const std::array<int, 2>& cells, const Vec3& at) {
  ClothOptions options{.name = "cloth",
                       .mesh = make_sheet({.size = {size[0], size[1]}, .cells = {cells[0], cells[1]}})};
  for (Vec3& vertex : options.mesh.vertices) vertex += at;
  options.mass = 0.3 * size[0] * size[1];
  return options;
}

SolidOptions cube(double size, int cells, const Vec3& at, double shear = 4e4) {
  SolidOptions options{.name = "cube",
                       .mesh = make_cube({.size = size, .cells = cells}),
                       .material = {.name = "stable-neo-hookean", .mu = shear, .lambda = 2 * shear}};
  for (Vec3& vertex : options.mesh.vertices) vertex += at;
  return options;
}

double highest(const Simulation& simulation, const Body& body) {
  double y = -1e9;
  for (std::size_t k = 0; k < body.mesh.vertices.size(); ++k)
    y = std::max(y, simulation.state().x[body.first_vertex + k].y());
  return y;
}

double fastest(const Simulation& simulation) {
  double v = 0;
  for (std::size_t i = 0; i < simulation.state().v.size(); ++i) v = std::max(v, simulation.state().v[i].norm());
  return v;
}

}  // namespace

TEST(Guarantee, ClothAndCubeFallOnPolesThinnerThanTheirCells) {
  Stage stage;
  stage.model.add(cloth({1, 1}, {10, 10}, {0, 0.45, 0}));
  stage.model.add(cube(0.3, 2, {1.2, 0.6, 0}));
  stage.collide({.name = "pole", .shape = CapsuleShape{{0.05, -0.5, 0.05}, {0.05, 0.4, 0.05}, 0.015}});
  stage.collide({.name = "post", .shape = CapsuleShape{{1.2, -0.5, 0.01}, {1.2, 0.4, 0.01}, 0.03}});
  stage.collide({.name = "floor", .shape = PlaneShape{.point = {0, -0.5, 0}}, .friction = 0.5});
  const Simulation end = stage.play(40);
  EXPECT_GT(highest(end, end.model().bodies()[0]), 0.41) << "the pole holds it up";
}

TEST(Guarantee, ClothFallsOverABladeThinnerThanItsCells) {
  Stage stage;
  stage.model.add(cloth({1, 1}, {10, 10}, {0, 0.05, 0}));
  stage.collide({.name = "blade", .shape = BoxShape{.center = {0, -0.5, 0.03}, .size = {2, 1, 0.01}}, .friction = 0.3});
  const Simulation end = stage.play(40);
  EXPECT_GT(highest(end, end.model().bodies()[0]), 0);
}

TEST(Guarantee, ClothComesToRestOnATable) {
  Stage stage;
  stage.model.add(cloth({1.2, 1.2}, {12, 12}, {0, 0.06, 0}));
  stage.model.set_damping({.strain = 0.01});
  stage.collide(
      {.name = "table", .shape = BoxShape{.center = {0, -0.05, 0}, .size = {0.8, 0.1, 0.8}}, .friction = 0.4});
  stage.touch({.thickness = 4e-3});
  const Simulation end = stage.play(90);
  EXPECT_LT(fastest(end), 0.3);
  EXPECT_LT(std::abs(highest(end, end.model().bodies()[0])), 0.03);
}

TEST(Guarantee, ATableclothIsPulledFromUnderACube) {
  Stage stage;
  ClothOptions linen = cloth({1.2, 0.6}, {12, 6}, {0, 0.008, 0});
  linen.stretch = linen.shear = 4000;  // what gives way carries along
  const BodyId sheet = stage.model.add(linen);
  stage.model.add(cube(0.2, 2, {0, 0.115, 0}, 1e5));
  std::vector<int> edge = select(stage.model.body(sheet).mesh, BeyondPlane{{0.59, 0, 0}, {1, 0, 0}});
  stage.model.pin(sheet, edge, {.keys = {{.time = 0.1}, {.time = 0.4, .translate = {1.5, 0, 0}}}});
  stage.collide({.name = "table", .shape = BoxShape{.center = {0, -0.05, 0}, .size = {1.1, 0.1, 1}}, .friction = 0.2});
  stage.touch({.thickness = 5e-3, .friction = 0.2});
  const Simulation end = stage.play(40);
  EXPECT_LT(testing::mean_place(end.model(), end.state().x, end.model().bodies()[1].id).x(), 0.15) << "the cube stays";
}

TEST(Guarantee, ACurtainIsBlownAgainstAWall) {
  Stage stage;
  ClothOptions curtain = cloth({1, 1}, {10, 10}, {0, 0, 0});
  for (Vec3& vertex : curtain.mesh.vertices) vertex = Vec3(vertex.x(), vertex.z(), 0.1);
  const BodyId id = stage.model.add(curtain);
  stage.model.pin(id, select(curtain.mesh, BeyondPlane{{0, 0.49, 0}, {0, 1, 0}}));
  stage.model.blow(id, {.velocity = {0.5, 0, -6}});
  stage.collide({.name = "wall", .shape = BoxShape{.center = {0, -0.5, -0.1}, .size = {3, 1.8, 0.2}}, .friction = 0.3});
  stage.touch({.thickness = 4e-3});
  stage.play(50);
}

TEST(Guarantee, ATubeOfClothRidesOnACapsuleThatMoves) {
  Stage stage;
  ClothOptions tube = cloth({1, 0.6}, {16, 8}, {0, 0, 0});
  // Rolled up: the two rims are joined by making one of them, so that it is a shirt and not a sheet.
  Mesh rolled;
  constexpr int around = 16, rings = 9;
  for (int r = 0; r < rings; ++r)
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5 * (r % 2)) / around;
      rolled.vertices.emplace_back(-0.3 + 0.075 * r, 0.16 * std::sin(angle), 0.16 * std::cos(angle));
    }
  for (int r = 0; r + 1 < rings; ++r)
    for (int k = 0; k < around; ++k) {
      const int a = r * around + k, b = r * around + (k + 1) % around;
      if (r % 2 == 0) {
        rolled.triangles.push_back({a, b, a + around});
        rolled.triangles.push_back({b, b + around, a + around});
      } else {
        rolled.triangles.push_back({a, b, b + around});
        rolled.triangles.push_back({a, b + around, a + around});
      }
    }
  tube.mesh = rolled;
  stage.model.add(tube);
  stage.collide({.name = "arm",
                 .shape = CapsuleShape{{-0.5, 0, 0}, {0.5, 0, 0}, 0.14},
                 .friction = 0.3,
                 .motion = {.keys = {{.time = 0},
                                     {.time = 0.3, .translate = {0.1, 0.4, 0}, .turn = {0, 0, 0.8}},
                                     {.time = 0.6, .translate = {-0.2, 0, 0.2}, .turn = {0.5, 0.4, 0.3}}},
                            .interpolation = Motion::Interpolation::smooth}});
  stage.touch({.thickness = 4e-3});
  const Simulation end = stage.play(40);
  EXPECT_GT(end.ledger().user_work, 0);
}

TEST(Guarantee, FiveCubesWithFrictionStayStacked) {
  Stage stage;
  for (int k = 0; k < 5; ++k) stage.model.add(cube(0.2, 1, {0.01 * (k % 2), 0.103 + 0.203 * k, 0}, 2e5));
  stage.model.set_damping({.strain = 0.005});
  stage.collide({.name = "floor", .shape = PlaneShape{}, .friction = 0.5});
  stage.touch({.thickness = 3e-3, .friction = 0.5});
  const Simulation end = stage.play(90);
  const double top = highest(end, end.model().bodies()[4]);
  EXPECT_GT(top, 0.97);
  EXPECT_LT(top, 1.03);
}

/// The ends of an overhand knot are pulled apart until it is tight.
TEST(Guarantee, AKnotUnderTensionStaysAKnot) {
  Stage stage;
  stage.model.set_gravity(Vec3::Zero());
  const WireOptions rope{.name = "rope",
                         .mesh = make_overhand_knot({.size = 0.25, .tail = 0.2, .segments = 60}),
                         .radius = 0.012,
                         .stiffness = 2000,
                         .volume = 0.1,
                         .mass = 0.1};
  const BodyId id = stage.model.add(rope);
  const Body& body = stage.model.body(id);
  const int last = static_cast<int>(body.mesh.vertices.size()) - 3;
  const Vec3 along = (body.mesh.vertices[last] - body.mesh.vertices[0]).normalized();
  const auto pull = [&](int first, double by) {
    stage.model.pin(id, std::vector<int>{first, first + 1, first + 2},
                    {.keys = {{.time = 0}, {.time = 1, .translate = by * along}}});
  };
  pull(0, -0.12);
  pull(last, 0.12);
  stage.model.set_damping({.strain = 0.01});
  stage.touch({.friction = 0.3});
  stage.look = [&](const Simulation& simulation) {
    std::vector<Vec3> curve;
    for (int v = 0; v <= last; v += 3) curve.emplace_back(simulation.state().x[v]);
    EXPECT_EQ(knot_determinant(curve), 3) << simulation.state().time << " s";
    EXPECT_GT(min_distance(curve, 8), 0.5 * rope.radius) << simulation.state().time << " s";
  };
  stage.play(60);
}

TEST(Guarantee, ANetCatchesABall) {
  Stage stage;
  ClothOptions net = cloth({1, 1}, {8, 8}, {0, 0, 0});
  const BodyId id = stage.model.add(net);
  std::vector<int> rim;
  for (std::size_t v = 0; v < net.mesh.vertices.size(); ++v)
    if (net.mesh.vertices[v].cwiseAbs().maxCoeff() > 0.49) rim.push_back(static_cast<int>(v));
  stage.model.pin(id, rim);
  SolidOptions ball = cube(0.2, 1, {});
  ball.mesh = make_sphere({.radius = 0.12, .rings = 2});
  for (Vec3& vertex : ball.mesh.vertices) vertex += Vec3(0.03, 0.25, 0.02);
  stage.model.add(ball);
  stage.touch({.thickness = 5e-3, .friction = 0.3});
  stage.collide({.name = "floor", .shape = PlaneShape{.point = {0, -1, 0}}});
  const Simulation end = stage.play(50);
  EXPECT_GT(highest(end, end.model().bodies()[1]), -0.6) << "caught";
}

}  // namespace brio
