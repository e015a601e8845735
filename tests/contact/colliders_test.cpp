#include "testing.h"

namespace brio {
using namespace testing;
namespace {

/// A bowl, from above: something falling in cannot roll out.
Mesh bowl() {
  Mesh mesh = make_bar({.size = {2, 0.6, 2}, .cells = {8, 2, 8}});
  for (Vec3& v : mesh.vertices)
    if (v.y() > 0.2) v.y() += 0.4 * (v.x() * v.x() + v.z() * v.z() - 1);
  mesh.triangles = surface(mesh);
  mesh.tets.clear();
  return mesh;
}

struct Ground {
  const char* name;
  ColliderShape shape;
};
std::vector<Ground> grounds() {
  return {{"plane", PlaneShape{}},
          {"sphere", SphereShape{.center = {0, -3, 0}, .radius = 3}},
          {"box", BoxShape{.center = {0, -0.5, 0}, .size = {2, 1, 2}}},
          {"capsule", CapsuleShape{.a = {-1, -2, 0}, .b = {1, -2, 0}, .radius = 2}},
          {"mesh", MeshShape{bowl()}}};
}

/// A small cube above the ground, turned out of every symmetry.
Model model_above(const ColliderShape& ground, ColliderOptions options, double height = 0.15) {
  Model model;
  Mesh cube = moved(make_cube({.size = 0.2, .cells = 1}), testing::rotation(0.3, {1, 0.5, 0.2}), {0.02, height, 0.01});
  model.add(
      SolidOptions{.mesh = std::move(cube), .material = {.name = "stable-neo-hookean", .mu = 1e5, .lambda = 1e5}});
  model.set_gravity({0, -9.81, 0});
  options.shape = ground;
  add_collider(model, options);
  return model;
}

TEST(Colliders, BodiesComeToRestOnEveryShape) {
  for (const auto& [name, shape] : grounds()) {
    Model model = model_above(shape, {.stiffness = 2e4, .friction = 0.6});
    model.set_damping({.strain = 2e-3});
    Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = 4e-3});
    const StepReport report = simulation.step(1000);
    ASSERT_TRUE(report.ok()) << name << ": " << report.message;
    const LedgerRow& row = simulation.ledger();
    EXPECT_LT(row.kinetic, 1e-6) << name;  // [J], of about 10 J fallen
    EXPECT_GT(row.friction_loss, 0) << name;
    const Penetration deepest = deepest_penetration(simulation.model(), simulation.state());
    EXPECT_GT(deepest.depth, 0) << name;
    EXPECT_LT(deepest.fraction, 0.05) << name;
    EXPECT_EQ(deepest.body, BodyId(0)) << name;
    EXPECT_EQ(deepest.collider, "collider") << name;
  }
}

TEST(Colliders, ReturnToASnapshotAmidContactRepeatsEveryBit) {
  for (const ColliderLaw law : {ColliderLaw::potential, ColliderLaw::spring, ColliderLaw::held_spring})
    for (const char* integrator : {"avf", "stabilized", "backward-euler", "symplectic-euler", "verlet"})
      for (const auto& [name, shape] : grounds()) {
        const ColliderOptions options{.stiffness = 5e3,
                                      .friction = 0.4,
                                      .law = law,
                                      .motion = {.keys = {{0, {0, 0, 0}}, {0.3, {0.02, 0.01, 0}, {0, 0.05, 0}}}}};
        Simulation simulation(model_above(shape, options), {.integrator = integrator, .h = 1e-3});
        ASSERT_TRUE(simulation.step(150).ok()) << integrator << ", " << name;
        ASSERT_GT(simulation.ledger().contact, 0) << integrator << ", " << name;
        const Snapshot middle = simulation.snapshot();
        simulation.step(60);
        const auto hash = simulation.hash();
        const LedgerRow row = simulation.ledger();
        simulation.restore(middle);
        simulation.step(60);
        EXPECT_EQ(simulation.hash(), hash) << integrator << ", " << name << ", " << law;
        EXPECT_EQ(simulation.ledger().friction_loss, row.friction_loss) << integrator << ", " << name;
        EXPECT_EQ(simulation.ledger().user_work, row.user_work) << integrator << ", " << name;
      }
}

TEST(Colliders, SameBitsForAnyNumberOfThreads) {
  for (const auto& [name, shape] : grounds()) {
    std::vector<std::uint64_t> hashes;
    std::vector<double> losses;
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      Model model;
      Mesh slab = make_bar({.size = {0.8, 0.1, 0.8}, .cells = {26, 2, 26}});  // 2,187 vertices: two chunks
      model.add(SolidOptions{.mesh = moved(std::move(slab), Mat3::Identity(), {0, 0.08, 0})});
      model.set_gravity({0, -9.81, 0});
      add_collider(model,
                   {.shape = shape, .stiffness = 500, .friction = 0.4, .thickness = 0.02, .law = ColliderLaw::spring});
      State state = model.rest_state();
      for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = Vec3(1, -1, 0.5);
      Simulation simulation(std::move(model), std::move(state), {.integrator = "symplectic-euler", .h = 2e-4});
      ASSERT_TRUE(simulation.step(100).ok());
      hashes.push_back(simulation.hash());
      losses.push_back(simulation.ledger().friction_loss);
    }
    set_threads(0);
    EXPECT_EQ(hashes[0], hashes[1]) << name;
    EXPECT_EQ(hashes[0], hashes[2]) << name;
    EXPECT_GT(losses[0], 0) << name;
    EXPECT_EQ(losses[0], losses[1]) << name;
    EXPECT_EQ(losses[0], losses[2]) << name;
  }
}

/// A wall that sets a floating cube in motion: what the cube has in the end is what the wall put in.
TEST(Colliders, WorkOfAKeyframedColliderIsTheEnergyItGives) {
  Model model;
  model.add(SolidOptions{.mesh = make_cube({.size = 0.2, .cells = 1}), .material = {.name = "stvk"}});
  add_collider(model, {.shape = PlaneShape{.point = {-0.12, 0, 0}, .normal = {1, 0, 0}},
                       .stiffness = 5e3,
                       .motion = {.keys = {{0, {0, 0, 0}}, {0.5, {0.5, 0, 0}}}}});
  Simulation simulation(std::move(model), {.integrator = "avf", .h = 1e-3});
  ASSERT_TRUE(simulation.step(800).ok());
  const LedgerRow& row = simulation.ledger();
  EXPECT_GT(mean_velocity(simulation.model(), simulation.state().v).x(), 1.5);  // bounced off: near twice the wall's
  EXPECT_EQ(row.contact, 0);
  EXPECT_GT(row.user_work, 8);
  EXPECT_NEAR(row.kinetic + row.elastic, row.user_work, 1e-3 * row.user_work);
}

/// What lies on a moving tray goes with it.
TEST(Colliders, FrictionCarriesABodyAlong) {
  for (const char* integrator : {"avf", "backward-euler"}) {
    Model model;
    model.add(SolidOptions{.mesh = moved(make_cube({.size = 0.2, .cells = 1}), Mat3::Identity(), {0, 0.1 - 4e-4, 0})});
    model.set_gravity({0, -9.81, 0});
    add_collider(model, {.shape = BoxShape{.center = {0, -0.5, 0}, .size = {2, 1, 2}},
                         .stiffness = 5e4,
                         .friction = 0.5,
                         .motion = {.keys = {{0, {0, 0, 0}}, {1, {0.1, 0, 0}, {0, 0.2, 0}}}}});
    Simulation simulation(std::move(model), {.integrator = integrator, .h = 2e-3});
    ASSERT_TRUE(simulation.step(600).ok());
    const Vec3 center = center_of_mass(simulation.model(), simulation.state().x);
    EXPECT_NEAR(center.x(), 0.1, 0.005) << integrator;
    const Vec3 edge = simulation.state().x[1] - simulation.state().x[0];  // along x at rest
    EXPECT_NEAR(std::atan2(-edge.z(), edge.x()), 0.2, 0.02) << integrator;
  }
}

TEST(Colliders, RefuseHistoriesOfOthers) {
  Simulation simulation(model_above(PlaneShape{}, {.stiffness = 5e3, .friction = 0.4}), {});
  Snapshot snapshot = simulation.snapshot();
  snapshot.state.histories.at(0).numbers = {1, 1000, 0, 1, 0, 0, 0, 0, 1};
  EXPECT_THROW(simulation.restore(snapshot), InputError);
}

TEST(Colliders, BodiesThatAreNotChosenFallThrough) {
  Model model;
  const Mesh cube = moved(make_cube({.size = 0.2, .cells = 1}), Mat3::Identity(), {0, 0.2, 0});
  model.add(SolidOptions{.mesh = cube});
  model.add(SolidOptions{.mesh = moved(cube, Mat3::Identity(), {1, 0, 0})});
  model.set_gravity({0, -9.81, 0});
  add_collider(model, {.bodies = {BodyId(1)}, .stiffness = 1e4});
  Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = 5e-3});
  ASSERT_TRUE(simulation.step(100).ok());
  EXPECT_LT(simulation.state().x[0].y(), -0.5);
  EXPECT_GT(simulation.state().x[8].y(), -0.05);
}

void expect_refusal(const ColliderOptions& options, const std::string& words) {
  Model model;
  model.add(SolidOptions{.mesh = make_cube({.cells = 1})});
  try {
    add_collider(model, options);
    FAIL() << words;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
  EXPECT_EQ(model.energies().size(), 1u) << "nothing was added";
  EXPECT_TRUE(model.interactions().empty());
}

TEST(Colliders, BadOptionsAreRefusedByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refusal({.name = "floor", .stiffness = -1}, "floor.stiffness = -1");
  expect_refusal({.friction = nan}, "collider.friction = nan");
  expect_refusal({.thickness = -0.1}, "collider.thickness = -0.1");
  expect_refusal({.drop_height = -1}, "collider.drop_height");
  expect_refusal({.explicit_step = -1}, "collider.explicit_step");
  expect_refusal({.bodies = {BodyId(3)}}, "collider.bodies = 3: is no body of the model");
  expect_refusal({.shape = PlaneShape{.normal = {0, 0, 0}}}, "collider.normal");
  expect_refusal({.shape = SphereShape{.radius = 0}}, "collider.radius = 0");
  expect_refusal({.shape = SphereShape{.center = {nan, 0, 0}}}, "collider.center = nan");
  expect_refusal({.shape = BoxShape{.size = {1, -1, 1}}}, "collider.size = -1");
  expect_refusal({.shape = CapsuleShape{.radius = -2}}, "collider.radius = -2");
  expect_refusal({.shape = MeshShape{}}, "collider.mesh");
  expect_refusal({.shape = MeshShape{corner_piece()}, .thickness = 0.1}, "collider.thickness = 0.1: must be 0");
  expect_refusal({.motion = {.keys = {{1}, {0}}}}, "collider.motion[1].time = 0");
  Model empty;
  EXPECT_THROW(add_collider(empty, {.bodies = {BodyId(0)}}), InputError);
  EXPECT_NO_THROW(add_collider(empty, {})) << "bodies may come later";
}

}  // namespace
}  // namespace brio
