#include <gtest/gtest.h>

#include "contact/contact_scenes.h"

namespace brio {
using namespace testing;

namespace {

/// Two cubes that meet off their centers, one of them spinning.
Simulation colliding_cubes(const std::string& integrator, double h, const std::string& solver = "newton") {
  Model model;
  const Mesh cube = make_cube({.size = 0.2, .cells = 2});
  for (int b = 0; b < 2; ++b) model.add(SolidOptions{.mesh = cube, .material = soft(2e4), .density = 500});
  add_self_contact(model, {.thickness = 0.02, .stiffness = 2e3});
  State state = model.rest_state();
  move(model, state, BodyId(0), turned(0.3, {0, 0, 1}), {-0.13, 0, 0}, {0.5, 0, 0});
  move(model, state, BodyId(1), turned(0.5, {0, 1, 1}), {0.13, 0.04, 0.02}, {-0.5, 0, 0});
  for (std::size_t i = model.vertices() / 2; i < model.vertices(); ++i)
    state.v[i] += Vec3(1, 2, 0).cross(Vec3(state.x[i]) - Vec3(0.13, 0.04, 0.02));
  return {std::move(model), state, {.integrator = integrator, .h = h, .options = {.solver = {.name = solver}}}};
}

}  // namespace

TEST(Collisions, KeepTheMomentaThatTheIntegratorPromises) {
  for (const char* name : {"backward-euler", "implicit-midpoint", "avf", "symplectic-euler", "verlet"}) {
    const Method& method = find_integrator(name);
    Simulation simulation = colliding_cubes(name, method.family == "explicit" ? 2e-4 : 2e-3);
    const LedgerRow start = simulation.ledger();
    double max_contact = 0;
    while (simulation.state().time < 0.15) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.ok()) << name << ": " << report.message;
      max_contact = std::max(max_contact, simulation.ledger().contact);
    }
    const double size = 4 * 0.5;  // [kg m/s]
    EXPECT_GT(max_contact, 0.01) << name;
    EXPECT_LT((simulation.ledger().linear - start.linear).norm(), 1e-9 * size) << name;
    if (method.angular_momentum) {
      EXPECT_LT((simulation.ledger().angular - start.angular).norm(), 1e-9 * 0.1 * size) << name;
    }
    EXPECT_TRUE(find_crossings(all_surfaces(simulation.model()), simulation.state().x).empty()) << name;
  }
}

TEST(Collisions, AvfGivesBackTheEnergyOfAnUndampedBounce) {
  Simulation simulation = colliding_cubes("avf", 2e-3);
  const double start = simulation.ledger().total;
  double max_error = 0, max_contact = 0;
  while (simulation.state().time < 0.2) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok()) << report.message;
    max_error = std::max(max_error, std::abs(simulation.ledger().total - start) / start);
    max_contact = std::max(max_contact, simulation.ledger().contact / start);
  }
  EXPECT_GT(max_contact, 0.05);
  EXPECT_EQ(simulation.ledger().contact, 0);
  EXPECT_LT(max_error, 1e-8);
  RecordProperty("error", std::to_string(max_error));
}

TEST(Collisions, AreTheSameBitsForAnyNumberOfThreadsAndAfterARestore) {
  for (const char* name : {"backward-euler", "avf", "verlet"}) {
    std::vector<std::uint64_t> hashes;
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      Simulation simulation = colliding_cubes(name, name == std::string("verlet") ? 2e-4 : 2e-3);
      ASSERT_TRUE(simulation.step(20).ok());
      const Snapshot snapshot = simulation.snapshot();
      ASSERT_TRUE(simulation.step(20).ok());
      hashes.push_back(simulation.hash());
      simulation.restore(snapshot);
      ASSERT_TRUE(simulation.step(20).ok());
      hashes.push_back(simulation.hash());
    }
    for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]) << name;
  }
  set_threads(0);
}

/// 20 m/s and steps of 10 ms: a hundred times the thickness in every step.
TEST(Tunneling, AFastCubeDoesNotPassThroughACloth) {
  for (const char* integrator : {"backward-euler", "stabilized", "avf", "implicit-midpoint"})
    for (const char* solver : {"newton", "local-global"}) {
      Model model;
      const BodyId sheet = model.add(ClothOptions{.mesh = make_sheet({.size = {1, 1}, .cells = {8, 8}}),
                                                  .grid = {8, 8},
                                                  .stretch = 2000,
                                                  .shear = 2000,
                                                  .bend = 1,
                                                  .mass = 0.5});
      const BodyId cube =
          model.add(SolidOptions{.mesh = make_cube({.size = 0.1, .cells = 1}), .material = soft(1e5), .mass = 0.1});
      model.pin(sheet, std::vector<int>{0, 8, 72, 80});
      add_self_contact(model, {.thickness = 2e-3});
      State state = model.rest_state();
      move(model, state, cube, turned(0.7, {1, 0.3, 0.8}), {0.03, 0.55, 0.02}, {0, -20, 0});
      Simulation simulation(std::move(model), state,
                            {.integrator = integrator, .h = 0.01, .options = {.solver = {.name = solver}}});
      const auto surfaces = all_surfaces(simulation.model());
      for (int frame = 0; frame < 15; ++frame) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.ok()) << integrator << ", " << solver << ", frame " << frame << ": " << report.message;
        // Of what was accepted, not of attempts before it.
        if (solver == std::string("newton")) {
          EXPECT_LE(report.residual, 1e-9) << integrator << ", frame " << frame;
        }
        ASSERT_TRUE(find_crossings(surfaces, simulation.state().x).empty())
            << integrator << ", " << solver << ", frame " << frame;
        EXPECT_GT(mean_place(simulation.model(), simulation.state().x, cube)[1], simulation.state().x[40][1] - 0.05)
            << integrator << ", " << solver << ", frame " << frame;
      }
    }
}

TEST(Tunneling, AnExplicitStepThatWentThroughSomethingFails) {
  Model model;
  model.add(ClothOptions{.mesh = make_sheet({.size = {1, 1}, .cells = {4, 4}})});
  const BodyId cube = model.add(SolidOptions{.mesh = make_cube({.size = 0.1, .cells = 1}), .material = soft(1e3)});
  add_self_contact(model, {});
  State state = model.rest_state();
  move(model, state, cube, turned(0.7, {1, 0.3, 0.8}), {0.03, 0.15, 0.02}, {0, -400, 0});
  Simulation simulation(std::move(model), state, {.integrator = "symplectic-euler", .h = 1e-3});
  const StepReport report = simulation.step();
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.message.find("smaller h"), std::string::npos) << report.message;
  EXPECT_TRUE(same_bits(simulation.state().x, state.x));
}

TEST(Cloth, DroppedOnACubeStaysUntangled) {
  for (const char* integrator : {"backward-euler", "stabilized"})
    for (const char* solver : {"newton", "local-global"}) {
      Model model;
      const BodyId sheet = model.add(ClothOptions{.mesh = make_sheet({.size = {1, 1}, .cells = {16, 16}}),
                                                  .grid = {16, 16},
                                                  .stretch = 200,
                                                  .shear = 100,
                                                  .bend = 0.5,
                                                  .mass = 0.3});
      const BodyId cube = model.add(SolidOptions{.mesh = make_cube({.size = 0.4, .cells = 3}), .material = soft(1e5)});
      std::vector<int> all(model.body(cube).mesh.vertices.size());
      for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
      model.pin(cube, all);
      model.set_gravity({0, -9.81, 0});
      add_self_contact(model, {.thickness = 0.01});
      State state = model.rest_state();
      move(model, state, sheet, turned(0.4, {0, 1, 0}), {0.02, 0.25, 0.03}, {0, -2, 0});
      Simulation simulation(std::move(model), state,
                            {.integrator = integrator, .h = 0.01, .options = {.solver = {.name = solver}}});
      const auto surfaces = all_surfaces(simulation.model());
      for (int frame = 0; frame < 60; ++frame) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.ok()) << integrator << ", " << solver << ", frame " << frame << ": " << report.message;
        ASSERT_TRUE(find_crossings(surfaces, simulation.state().x).empty())
            << integrator << ", " << solver << ", frame " << frame;
      }
      EXPECT_GT(simulation.ledger().contact, 0) << integrator << ", " << solver;
    }
}

TEST(Cloth, FoldedOntoItselfStaysUntangled) {
  for (const char* solver : {"newton", "local-global"}) {
    Model model;
    model.add(ClothOptions{.mesh = make_sheet({.size = {1, 0.4}, .cells = {20, 8}}),
                           .grid = {20, 8},
                           .stretch = 300,
                           .shear = 100,
                           .bend = 0.2,
                           .mass = 0.2});
    auto* contact = static_cast<SelfContact*>(&model.energy(add_self_contact(model, {.thickness = 0.01})));
    State state = model.rest_state();
    // Rolled up to four fifths of a circle; one end is thrown under the other.
    constexpr double radius = 0.2;  // [m]
    for (std::size_t i = 0; i < model.vertices(); ++i) {
      const Vec3 p = state.x[i];
      state.x[i] = Vec3(radius * std::sin(p[0] / radius), -radius * std::cos(p[0] / radius), p[2]);
      if (std::abs(p[0]) > 0.3) state.v[i] = p[0] > 0 ? Vec3(-3, 0.5, 0.4) : Vec3(3, -1, 0);
    }
    Simulation simulation(std::move(model), state,
                          {.integrator = "backward-euler", .h = 0.01, .options = {.solver = {.name = solver}}});
    const auto surfaces = all_surfaces(simulation.model());
    std::size_t active = 0;
    for (int frame = 0; frame < 80; ++frame) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.ok()) << solver << ", frame " << frame << ": " << report.message;
      ASSERT_TRUE(find_crossings(surfaces, simulation.state().x).empty()) << solver << ", frame " << frame;
      active = std::max(active, contact->active_count(simulation.state().x));
    }
    EXPECT_GT(active, 20U) << solver;
  }
}

/// Two wires thrown at each other crosswise.
TEST(Wires, DoNotPassThroughEachOther) {
  for (const char* integrator : {"backward-euler", "stabilized"}) {
    Model model;
    const Mesh line = make_line({.length = 1, .segments = 20});
    for (int w = 0; w < 2; ++w) model.add(WireOptions{.mesh = line, .radius = 0.02, .stiffness = 2000, .mass = 0.1});
    add_self_contact(model, {});
    State state = model.rest_state();
    move(model, state, BodyId(0), turned(0.05, {0, 0, 1}), {0, 0.1, 0}, {0, -6, 0});
    move(model, state, BodyId(1), turned(1.4, {0, 1, 0}), {0.02, 0, 0}, {0, 6, 0});
    Simulation simulation(std::move(model), state, {.integrator = integrator, .h = 5e-3});
    const auto surfaces = all_surfaces(simulation.model());
    double max_contact = 0;
    for (int frame = 0; frame < 60; ++frame) {
      const NodalField before = simulation.state().x;
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.ok()) << integrator << ", frame " << frame << ": " << report.message;
      ASSERT_FALSE(went_through(surfaces, before, simulation.state().x)) << integrator << ", frame " << frame;
      max_contact = std::max(max_contact, simulation.ledger().contact);
    }
    EXPECT_GT(max_contact, 0.01) << integrator;
  }
}

}  // namespace brio
