/// Colliders with the law "barrier": nothing passes through, as an independent exact test sees it.
#include "contact/barrier_collider.h"

#include "contact_scenes.h"
#include "exact_intersection.h"
#include "model/energies_under_test.h"
#include "testing.h"

namespace brio {
namespace {

using testing::random_vector;
using testing::same_bits;

struct NamedShape {
  const char* name;
  ColliderShape shape;
};

/// With its highest point near the origin; all but the plane are thinner than the cells of what falls on them.
std::vector<NamedShape> thin_shapes() {
  Mesh tip;
  tip.vertices = {{0.02, 0, 0.03}, {-0.05, -0.4, 0}, {0.1, -0.4, 0}, {0.02, -0.4, 0.12}};
  tip.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  Mesh fence;
  fence.vertices = {{-1, -0.3, 0.03}, {1, -0.3, 0.03}, {1, 0, 0.03}, {-1, 0, 0.03}};
  fence.triangles = {{0, 1, 2}, {0, 2, 3}};
  return {{"upright pole", CapsuleShape{.a = {0.02, -1, 0.03}, .b = {0.02, -0.02, 0.03}, .radius = 0.02}},
          {"lying pole", CapsuleShape{.a = {-1, -0.02, 0.03}, .b = {1, -0.02, 0.03}, .radius = 0.02}},
          {"bead", SphereShape{.center = {0.02, -0.03, 0.03}, .radius = 0.03}},
          {"blade", BoxShape{.center = {0, -0.25, 0.03}, .size = {2, 0.5, 0.01}}},
          {"corner", BoxShape{.center = {0.01, -0.18, 0.02}, .size = {0.2, 0.2, 0.2}, .turn = {0.7, 0, 0.6}}},
          {"tip of a mesh", MeshShape{.mesh = tip}},
          {"open fence", MeshShape{.mesh = fence}},
          {"plane", PlaneShape{}}};
}

/// A cloth and a cube above it, which do not feel each other.
Model falling_things(double cells = 5) {
  Model model;
  const int n = static_cast<int>(cells);
  Mesh sheet = make_sheet({.size = {0.5, 0.5}, .cells = {n, n}});
  for (Vec3& vertex : sheet.vertices) vertex.y() += 0.05;
  model.add(ClothOptions{.name = "cloth", .mesh = sheet});
  Mesh cube = make_cube({.size = 0.3, .cells = 1});
  for (Vec3& vertex : cube.vertices) vertex.y() += 0.3;
  model.add(SolidOptions{.name = "cube", .mesh = cube, .material = {.mu = 2e4, .lambda = 2e4}});
  model.set_gravity({0, -testing::gravity, 0});
  return model;
}

State thrown(const Model& model, const Vec3& velocity) {
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = velocity;
  return state;
}

void expect_apart(const Simulation& simulation, const ColliderOptions& collider, const std::string& what) {
  EXPECT_EQ(testing::exact::find_any(simulation.model(), simulation.state(), {collider}, false), "") << what;
}

ColliderOptions barrier(const NamedShape& shape, double friction = 0) {
  return {
      .name = shape.name, .shape = shape.shape, .friction = friction, .thickness = 5e-3, .law = ColliderLaw::barrier};
}

}  // namespace

TEST(ExactIntersection, KnowsTouchingFromNotTouching) {
  using testing::exact::meet;
  const std::array<Vec3, 3> floor{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)};
  EXPECT_TRUE(meet({0.2, 1, 0.2}, {0.2, -1, 0.2}, floor));
  EXPECT_TRUE(meet({0.2, 1, 0.2}, {0.2, 0, 0.2}, floor)) << "touching counts";
  EXPECT_FALSE(meet({0.2, 1, 0.2}, {0.2, 1e-300, 0.2}, floor)) << "not below the last digit";
  EXPECT_FALSE(meet({0.6, 1, 0.6}, {0.6, -1, 0.6}, floor)) << "beside it";
  EXPECT_TRUE(meet({-1, 0, 0.1}, {1, 0, 0.1}, floor)) << "in its plane";
  EXPECT_FALSE(meet({-1, 0, -0.1}, {1, 0, -0.1}, floor));
  // A point of an edge that no double between can tell from its side.
  EXPECT_TRUE(meet({0.5, 1, 0.5}, {0.5, -1, 0.5}, floor));
  EXPECT_FALSE(meet({0.5, 1, 0.5}, {0.5, -1, std::nextafter(0.5, 1)}, floor));
}

TEST(BarrierCollider, NothingPassesThroughAnyShapeWhateverTheIntegrator) {
  for (const NamedShape& shape : thin_shapes())
    for (const Method& method : integrators()) {
      if (!method.dynamic || method.force_evaluations > 0 || method.family == "explicit") continue;
      const std::string what = std::string(shape.name) + ", " + method.name;
      Model model = falling_things();
      const ColliderOptions collider = barrier(shape, 0.3);
      add_collider(model, collider);
      State state = thrown(model, {0.3, -5, 0.2});
      Simulation simulation(std::move(model), std::move(state), {.integrator = method.name, .h = 1.0 / 60});
      for (int k = 0; k < 8; ++k) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.ok()) << what << ", step " << k << ": " << report.message;
        expect_apart(simulation, collider, what);
      }
    }
}

/// The same scene shows that the test can fail: springs on vertices let it through.
TEST(BarrierCollider, SpringsOnVerticesLetAPoleThrough) {
  Model model = falling_things();
  ColliderOptions collider = barrier(thin_shapes()[0]);
  collider.law = ColliderLaw::potential;
  collider.thickness = 0;
  add_collider(model, collider);
  State state = thrown(model, {0, -5, 0});
  Simulation simulation(std::move(model), std::move(state), {.integrator = "backward-euler", .h = 1.0 / 60});
  bool passed = false;
  for (int k = 0; k < 8; ++k) {
    ASSERT_TRUE(simulation.step().ok());
    passed = passed || !testing::exact::find_any(simulation.model(), simulation.state(), {collider}, false).empty();
  }
  EXPECT_TRUE(passed);
}

TEST(BarrierCollider, ExplicitStepsThatJumpedThroughFail) {
  for (const NamedShape& shape : thin_shapes()) {
    Model model = falling_things();
    const ColliderOptions collider = barrier(shape);
    add_collider(model, collider);
    State state = thrown(model, {0, -20, 0});
    Simulation simulation(std::move(model), std::move(state), {.integrator = "symplectic-euler", .h = 5e-3});
    bool failed = false;
    for (int k = 0; k < 8 && !failed; ++k) {
      failed = !simulation.step().ok();
      if (!failed) expect_apart(simulation, collider, shape.name);
    }
    EXPECT_TRUE(failed) << shape.name;
  }
}

TEST(BarrierCollider, ShapesThatMoveAndTurnPushClothAsideAndTheirWorkIsBooked) {
  for (const NamedShape& shape : thin_shapes())
    for (const char* name : {"backward-euler", "avf", "stabilized", "implicit-midpoint", "newmark", "bathe", "bdf2",
                             "variational", "energy-budget", "discrete-gradient"}) {
      const std::string what = std::string(shape.name) + ", " + name;
      Model model = falling_things();
      model.set_gravity(Vec3::Zero());
      ColliderOptions collider = barrier(shape, 0.2);
      collider.motion = {.keys = {{.time = 0},
                                  {.time = 0.1, .translate = {0, 0.3, 0}, .turn = {0.05, 0.6, 0.1}},
                                  {.time = 0.2, .translate = {0.1, 0.4, 0}}}};
      add_collider(model, collider);
      Simulation simulation(std::move(model), {.integrator = name, .h = 1.0 / 60});
      for (int k = 0; k < 10; ++k) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.ok()) << what << ", step " << k << ": " << report.message;
        expect_apart(simulation, collider, what);
      }
      const LedgerRow& row = simulation.ledger();
      EXPECT_GT(row.user_work, 0) << what;
      EXPECT_GT(row.total, 0) << what;
      const std::string method = name;
      if (method != "backward-euler" && method != "avf" && method != "stabilized") continue;
      const double promised = method == "stabilized" ? 0.01 : 1e-6;  // its epsilon
      EXPECT_LE(row.residual, promised * row.user_work) << what << ": nothing comes from nowhere";
    }
}

TEST(BarrierCollider, DerivativesAreThoseOfTheEnergyWithShapesThatMoveWithinTheStep) {
  const TimeStep step{.start = 0.2, .end = 0.9, .h = 0.7};
  std::mt19937 random(31);
  for (const NamedShape& shape : thin_shapes()) {
    Model model = falling_things(2);
    ColliderOptions collider = barrier(shape, 0.3);
    collider.thickness = 0.2;
    collider.stiffness = 7;
    collider.motion = {
        .keys = {{.time = 0}, {.time = 1, .translate = {0.01, 0.01, -0.01}, .turn = {0.02, -0.1, 0.03}}}};
    add_collider(model, collider);
    const Energy& energy = *model.energies().back();
    SelfContact* contact = nullptr;
    for (const auto& one : model.energies())
      if (auto* found = dynamic_cast<SelfContact*>(one.get())) contact = found;
    ASSERT_NE(contact, nullptr);
    static_cast<void>(energy);
    NodalField x = model.rest(), from = model.rest();
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += Vec3(0, -0.01, 0) + random_vector(random, 0.004);
      from[i] = x[i] + random_vector(random, 0.004);
    }
    for (const double theta : {0.4, 1.0}) {
      const Moment when = Moment::along(step, from, theta);
      const Eigen::VectorXd g = testing::gradient_of(*contact, {x, when});
      const Eigen::MatrixXd H = testing::hessian_of(*contact, {x, when}, Projection::none);
      ASSERT_GT(g.norm(), 0) << shape.name;
      for (int trial = 0; trial < 5; ++trial) {
        constexpr double d = 1e-6;
        NodalField above = x, below = x;
        Eigen::VectorXd way(g.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
          const Vec3 by = random_vector(random, 1);
          way.segment<3>(3 * static_cast<Eigen::Index>(i)) = by;
          above[i] += d * by;
          below[i] -= d * by;
        }
        const double slope = (contact->value({above, when}) - contact->value({below, when})) / (2 * d);
        EXPECT_NEAR(slope, g.dot(way), 1e-5 * g.norm()) << shape.name;
        const Eigen::VectorXd bend =
            (testing::gradient_of(*contact, {above, when}) - testing::gradient_of(*contact, {below, when})) / (2 * d);
        EXPECT_LT((bend - H * way).norm(), 1e-4 * (1 + bend.norm())) << shape.name;
      }
      // What bodies and the obstacle feel adds up to nothing, and its power is the change of the energy in time.
      Vec3 sum = Vec3::Zero();
      for (Eigen::Index i = 0; i < g.size(); i += 3) sum += g.segment<3>(i);
      contact->for_obstacle_forces({x, when},
                                   [&](const ContactPair&, std::size_t, const Vec3& gradient) { sum += gradient; });
      EXPECT_LT(sum.norm(), 1e-9 * g.norm()) << shape.name;
    }
    const auto value = [&](double time) { return contact->value({x, Moment::at(time)}); };
    constexpr double dt = 1e-6;
    double power = 0;
    const ContactObstacle& obstacle = contact->obstacles()[0];
    std::vector<Vec3> rates, forces(obstacle.handles(), Vec3::Zero());
    obstacle.handle_rates_at(0.5, Side::after, rates);
    contact->for_obstacle_forces({x, Moment::at(0.5)}, [&](const ContactPair&, std::size_t k, const Vec3& gradient) {
      obstacle.add_force(k, gradient, forces.data());
    });
    for (std::size_t q = 0; q < rates.size(); ++q) power += forces[q].dot(rates[q]);
    EXPECT_NEAR((value(0.5 + dt) - value(0.5 - dt)) / (2 * dt), power, 1e-5 * (1 + std::abs(power))) << shape.name;
  }
}

TEST(BarrierCollider, RunsHaveTheSameBitsAfterARestoreAndWithAnyThreads) {
  const auto make = [] {
    Model model = falling_things();
    ColliderOptions collider = barrier(thin_shapes()[3], 0.4);
    collider.motion = {.keys = {{.time = 0}, {.time = 1, .translate = {0, 0, 0.4}, .turn = {0, 0.5, 0}}}};
    add_collider(model, collider);
    add_collider(
        model,
        {.name = "floor", .shape = PlaneShape{.point = {0, -0.2, 0}}, .friction = 0.5, .law = ColliderLaw::barrier});
    State state = thrown(model, {0.3, -2, 0});
    return Simulation(std::move(model), std::move(state), {.integrator = "stabilized", .h = 1.0 / 120});
  };
  Simulation first = make();
  ASSERT_TRUE(first.step(6).ok());
  const Snapshot middle = first.snapshot();
  ASSERT_TRUE(first.step(6).ok());
  Simulation again = make();
  again.restore(middle);
  ASSERT_TRUE(again.step(6).ok());
  EXPECT_TRUE(same_bits(first.state().x, again.state().x));
  EXPECT_EQ(first.ledger().user_work, again.ledger().user_work);
  EXPECT_EQ(first.ledger().friction_loss, again.ledger().friction_loss);
  for (const int count : {1, 3}) {
    set_threads(count);
    Simulation other = make();
    ASSERT_TRUE(other.step(12).ok());
    EXPECT_TRUE(same_bits(first.state().x, other.state().x)) << count;
  }
  set_threads(0);
}

TEST(BarrierCollider, ComeAndGoWithBodiesWhileASimulationRuns) {
  Model model = falling_things();
  const ColliderId floor =
      add_collider(model, {.name = "floor", .shape = PlaneShape{}, .friction = 0.4, .law = ColliderLaw::barrier});
  Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = 1.0 / 60});
  ASSERT_TRUE(simulation.step(20).ok());
  ColliderOptions ball{.name = "ball",
                       .shape = SphereShape{.center = {1, 0.3, 0}, .radius = 0.1},
                       .friction = 0.2,
                       .law = ColliderLaw::barrier};
  const ColliderId second = simulation.add_collider(ball);
  Mesh cube = make_cube({.size = 0.2, .cells = 1});
  for (Vec3& vertex : cube.vertices) vertex += Vec3(1.02, 0.7, 0);
  const BodyId late =
      simulation.add(SolidOptions{.name = "late", .mesh = cube, .material = {.mu = 2e4, .lambda = 2e4}});
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(simulation.step().ok());
    expect_apart(simulation, ball, "ball");
    expect_apart(simulation, {.name = "floor", .shape = PlaneShape{}}, "floor");
  }
  simulation.move_collider(second, {.translate = {0, 0.02, 0}});
  ASSERT_TRUE(simulation.step(3).ok());
  simulation.remove(simulation.model().bodies()[0].id);
  ASSERT_TRUE(simulation.step(3).ok());
  simulation.remove(second);
  EXPECT_TRUE(simulation.model().has(late));
  ASSERT_TRUE(simulation.step(30).ok());
  expect_apart(simulation, {.name = "floor", .shape = PlaneShape{}}, "floor");
  simulation.remove(floor);
  ASSERT_TRUE(simulation.step(30).ok());
  EXPECT_FALSE(testing::exact::find_any(simulation.model(), simulation.state(),
                                        {{.name = "floor", .shape = PlaneShape{}}}, false)
                   .empty())
      << "without a floor they fall";
}

TEST(BarrierCollider, OnlyTheBodiesThatItNamesFeelIt) {
  Model model = falling_things();
  const BodyId cloth = model.bodies()[0].id;
  ColliderOptions floor{.name = "floor", .shape = PlaneShape{}, .bodies = {cloth}, .law = ColliderLaw::barrier};
  add_collider(model, floor);
  Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = 1.0 / 60});
  ASSERT_TRUE(simulation.step(60).ok());
  const Body& cube = simulation.model().bodies()[1];
  EXPECT_LT(simulation.state().x[cube.first_vertex].y(), -1);
  EXPECT_GT(simulation.state().x[0].y(), 0);
}

/// Down a slope of a plane and of a box: sticks below arctan μ, slides above it with g (sin θ − μ cos θ).
TEST(BarrierCollider, FrictionSticksAndSlidesAsCoulombSays) {
  constexpr double mu = 0.5;
  for (const NamedShape& shape :
       {NamedShape{"plane", PlaneShape{}}, NamedShape{"box", BoxShape{.center = {0, -1, 0}, .size = {20, 2, 2}}}})
    for (const double angle : {0.35, 0.7}) {
      Model model;
      Mesh block = make_bar({.size = {0.3, 0.1, 0.2}, .cells = {3, 1, 2}});
      for (Vec3& vertex : block.vertices) vertex.y() += 0.05 + 1e-3;
      model.add(SolidOptions{.mesh = block, .material = {.mu = 1e6, .lambda = 1e6}, .mass = 4});
      model.set_gravity(testing::gravity * Vec3(std::sin(angle), -std::cos(angle), 0));
      add_collider(
          model,
          {.name = shape.name, .shape = shape.shape, .friction = mu, .thickness = 1e-3, .law = ColliderLaw::barrier});
      Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = 0.005});
      ASSERT_TRUE(simulation.step(100).ok());
      const double v = testing::mean_velocity(simulation.model(), simulation.state().v).x();
      const Vec3 at = testing::center_of_mass(simulation.model(), simulation.state().x);
      if (std::tan(angle) < mu) {
        EXPECT_LT(std::abs(v), 1e-3) << shape.name;
        EXPECT_LT(std::abs(at.x()), 5e-3) << shape.name;
      } else {
        const double expected = 0.5 * testing::gravity * (std::sin(angle) - mu * std::cos(angle));
        EXPECT_NEAR(v, expected, 0.03 * expected) << shape.name;
        const LedgerRow& row = simulation.ledger();
        EXPECT_NEAR(row.friction_loss, mu * 4 * testing::gravity * std::cos(angle) * at.x(), 0.05 * row.friction_loss);
      }
    }
}

/// An open sheet whose vertices rise one after the other, evenly between samples.
TEST(BarrierCollider, SurfacesThatDeformPushWhatIsInTheirWay) {
  Mesh sheet = make_sheet({.size = {1, 1}, .cells = {3, 3}});
  MeshShape wave{.mesh = sheet};
  for (int k = 0; k < 4; ++k) {
    MeshShape::Sample sample{.time = 0.05 * k, .vertices = sheet.vertices};
    for (Vec3& vertex : sample.vertices) vertex.y() = 0.15 * std::sin(2 * k + 3 * vertex.x()) * (k > 0 ? 1 : 0) - 0.01;
    wave.samples.push_back(std::move(sample));
  }
  Model model = falling_things();
  model.set_gravity(Vec3::Zero());
  ColliderOptions collider{.name = "wave", .shape = wave, .thickness = 5e-3, .law = ColliderLaw::barrier};
  add_collider(model, collider);
  Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = 1.0 / 120});
  for (int k = 0; k < 20; ++k) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok()) << k << ": " << report.message;
    expect_apart(simulation, collider, "wave");
  }
  EXPECT_GT(simulation.ledger().user_work, 0);
  ColliderOptions springs = collider;
  springs.law = ColliderLaw::potential;
  Model other = falling_things();
  EXPECT_THROW(add_collider(other, springs), InputError);
}

TEST(BarrierCollider, ParticlesAndWiresFeelEveryShape) {
  for (const NamedShape& shape : thin_shapes()) {
    Model model;
    Mesh dots;
    for (int k = 0; k < 9; ++k) dots.vertices.emplace_back(0.02 + 0.004 * (k - 4), 0.1 + 0.01 * k, 0.03 + 1e-3 * k);
    model.add(ParticlesOptions{.name = "dots", .mesh = dots});
    Mesh line = make_line({.length = 0.5, .segments = 5});
    for (Vec3& vertex : line.vertices) vertex = Vec3(vertex.z(), 0.1, vertex.x());
    model.add(WireOptions{.name = "wire", .mesh = line, .radius = 0.01});
    model.set_gravity({0, -testing::gravity, 0});
    const ColliderOptions collider = barrier(shape);
    add_collider(model, collider);
    State state = thrown(model, {0, -4, 0});
    Simulation simulation(std::move(model), std::move(state), {.integrator = "backward-euler", .h = 1.0 / 60});
    for (int k = 0; k < 10; ++k) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.ok()) << shape.name << ": " << report.message;
      expect_apart(simulation, collider, shape.name);
    }
  }
}

}  // namespace brio
