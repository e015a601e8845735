/// Bodies and colliders that come and go while a simulation runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "brio/view.h"
#include "driven_testing.h"
#include "solvers/linear/elimination.h"

namespace brio {
namespace {

SolidOptions cube_at(const Vec3& place) {
  Mesh mesh = make_cube({.size = 0.2, .cells = 1});
  for (Vec3& vertex : mesh.vertices) vertex += place;
  return {.mesh = mesh, .material = {.name = "stvk", .mu = 4e3, .lambda = 3e3}, .mass = 0.1};
}

SimulationOptions with(const std::string& integrator, const std::string& solver = "newton") {
  const bool is_explicit = find_integrator(integrator).force_evaluations > 0;
  return {.integrator = integrator,
          .h = is_explicit ? 5e-4 : 0.01,
          .options = {.solver = {.name = solver, .tolerance = solver == "newton" ? 1e-12 : 1e-9}}};
}

/// A bar held at one end, and a loose cube.
Model held_bar() {
  Model model;
  const BodyId bar = model.add(testing::small_bar());
  model.pin(bar, testing::left_end(model));
  model.add(cube_at({2, 0, 0}));
  model.set_gravity({0, -9.81, 0});
  return model;
}

double in_play(const LedgerRow& row) { return 1 + row.kinetic + row.elastic; }

std::vector<double> numbers_of(const Simulation& simulation, BodyId id) {
  const Body& body = simulation.model().body(id);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i)
    for (const NodalField* field : {&simulation.state().x, &simulation.state().v})
      for (const double c : (*field)[static_cast<std::size_t>(body.first_vertex) + i]) numbers.push_back(c);
  return numbers;
}

}  // namespace

TEST(ComingAndGoing, BodiesComeWithTheirPinsAndInAnotherShapeThanAtRest) {
  for (const char* integrator : {"avf", "symplectic-euler", "backward-euler"}) {
    Simulation simulation(held_bar(), with(integrator));
    ASSERT_TRUE(simulation.step(3).ok());
    const std::vector<double> bar = numbers_of(simulation, BodyId(0));
    const LedgerRow before = simulation.ledger();
    PinId pins;
    const std::vector<BodyId> ids = simulation.add(
        [&](Model& model) {
          const BodyId id = model.add(cube_at({4, 0, 0}));
          const int low[]{0, 1};
          pins = model.pin(id, low, {.keys = {{.time = 0}, {.time = 100, .translate = {0, 0, 100}}}});
        },
        [](const Model& model, State& state) {
          const Body& cube = model.bodies().back();
          for (std::size_t i = 0; i < cube.mesh.vertices.size(); ++i) {
            state.x[cube.first_vertex + i] += Vec3(0, 0.01 * static_cast<double>(i), 0);
            state.v[cube.first_vertex + i] = Vec3(0, 0, 1);
          }
          state.x[0].setConstant(7);  // of others, which stay
        });
    ASSERT_EQ(ids.size(), 1U);
    EXPECT_EQ(numbers_of(simulation, BodyId(0)), bar);
    const Body& cube = simulation.model().body(ids[0]);
    const double t = simulation.state().time;
    EXPECT_NEAR((simulation.state().x[cube.first_vertex] - cube.mesh.vertices[0]).norm(), 0, 1e-12);
    EXPECT_NEAR((simulation.state().v[cube.first_vertex] - Vec3(0, 0, 1)).norm(), 0, 1e-12);
    EXPECT_NEAR(simulation.state().x[cube.first_vertex + 5][1] - cube.mesh.vertices[5][1], 0.05, 1e-12);
    const LedgerRow& after = simulation.ledger();
    EXPECT_NEAR(after.user_work - before.user_work, after.total - before.total, 1e-11) << integrator;
    ASSERT_TRUE(simulation.step(20).ok());
    const double passed = simulation.state().time - t;
    EXPECT_NEAR(simulation.state().x[cube.first_vertex][2] - cube.mesh.vertices[0][2], passed, 1e-12);
    simulation.move_pins(pins, {.translate = {0, 1, 0}});
    ASSERT_TRUE(simulation.step().ok());
    EXPECT_NEAR(simulation.state().x[cube.first_vertex][1] - cube.mesh.vertices[0][1], 1, 1e-9) << integrator;
  }
}

TEST(ComingAndGoing, WhatIsNoComingIsRefused) {
  Simulation simulation(held_bar(), with("avf"));
  const auto hash = simulation.hash();
  EXPECT_THROW(simulation.add([](Model&) {}), InputError);
  EXPECT_THROW(simulation.add([](Model& model) {
    model.add(cube_at({4, 0, 0}));
    model.remove(BodyId(1));
  }),
               InputError);
  EXPECT_EQ(simulation.hash(), hash);
  EXPECT_EQ(simulation.model().bodies().size(), 2U);
}

TEST(ComingAndGoing, EveryEditIsBookedAndTheBalanceStaysClosed) {
  for (const char* integrator : {"avf", "symplectic-euler", "stabilized", "bdf2"}) {
    Simulation simulation(held_bar(), with(integrator));
    const auto books = [&](auto change) {
      const LedgerRow before = simulation.ledger();
      change();
      const LedgerRow& after = simulation.ledger();
      EXPECT_NEAR(after.user_work - before.user_work, after.total - before.total, 1e-11) << integrator;
      EXPECT_NEAR(after.residual, before.residual, 1e-11) << integrator;
      const StepReport report = simulation.step(10);
      ASSERT_TRUE(report.ok()) << integrator << ": " << report.message;
      if (integrator == std::string("avf")) {
        EXPECT_LT(std::abs(simulation.ledger().residual), 1e-9 * in_play(simulation.ledger()));
      }
    };
    BodyId ball, cube(1);
    ColliderId floor;
    books([&] { ball = simulation.add(cube_at({1, 0.5, 0}), {0, -1, 0}); });
    EXPECT_GT(simulation.ledger().kinetic, 0.05);
    books([&] { floor = simulation.add_collider({.shape = PlaneShape{.point = {0, -0.4, 0}}, .stiffness = 1e3}); });
    books([&] { simulation.remove(cube); });
    books([&] { simulation.remove(floor); });
    books([&] { simulation.remove(ball); });
    EXPECT_EQ(simulation.model().bodies().size(), 1u);
  }
}

TEST(ComingAndGoing, OthersGoOnWithTheSameBitsUnderExplicitMethodsWithoutMemory) {
  int exact = 0;
  for (const Method& method : integrators()) {
    if (method.force_evaluations == 0) continue;
    const auto run = [&](bool edits) {
      Simulation simulation(held_bar(), with(method.name));
      EXPECT_TRUE(simulation.step(5).ok());
      const bool has_memory = !simulation.state().memory.empty();
      BodyId other;
      ColliderId far;
      if (edits) other = simulation.add(cube_at({5, 0, 0}), {1, 2, 0});
      if (edits) far = simulation.add_collider({.shape = SphereShape{.center = {90, 0, 0}}, .stiffness = 10});
      EXPECT_TRUE(simulation.step(5).ok());
      if (edits) simulation.remove(BodyId(1));  // before the other: its vertices move up
      if (edits) simulation.remove(far);
      EXPECT_TRUE(simulation.step(5).ok());
      return std::pair(has_memory, numbers_of(simulation, BodyId(0)));
    };
    const auto alone = run(false), among = run(true);
    if (alone.first) continue;
    ++exact;
    EXPECT_EQ(alone.second, among.second) << method.name;
  }
  EXPECT_GE(exact, 6);
}

TEST(ComingAndGoing, WhatIsLeftIsWhatWouldHaveBeenMadeWithoutTheOther) {
  const auto model = [](bool with_second) {
    Model made = held_bar();
    BodyId second;
    if (with_second) second = made.add(cube_at({0, 1, 0}));
    const BodyId wire =
        made.add(WireOptions{.mesh = make_line({.length = 0.5, .segments = 4}), .torsion_law = TorsionLaw::s2});
    const BodyId sheet = made.add(ClothOptions{.mesh = make_sheet({.size = {0.3, 0.3}, .cells = {2, 2}}), .mass = 0.1});
    made.attach(wire, {{.vertex = 0, .point = {0, 0.1, 0}, .stiffness = 20}});
    made.pin(sheet, std::vector<int>{0}, {.keys = {{.time = 0}, {.time = 1, .translate = {0, 0.2, 0}}}});
    made.blow(sheet, {});
    made.push(wire, {.vertices = {3}, .keys = {{.time = 0, .force = {0.1, 0, 0}}, {.time = 1, .force = {0, 0, 0}}}});
    if (with_second) {
      made.blow(second, {});
      made.push(second, {.vertices = {1}, .keys = {{.time = 0, .force = {9, 0, 0}}}});
      made.attach(second, {{.vertex = 0, .stiffness = 30}});
      made.pin(second, std::vector<int>{3});
      add_collider(made, {.shape = PlaneShape{.point = {0, -0.3, 0}}, .stiffness = 500, .friction = 0.3});
      made.remove(second);
      return made;
    }
    add_collider(made, {.shape = PlaneShape{.point = {0, -0.3, 0}}, .stiffness = 500, .friction = 0.3});
    return made;
  };
  for (const char* integrator : {"symplectic-euler", "avf", "backward-euler"}) {
    Simulation one(model(true), with(integrator)), other(model(false), with(integrator));
    ASSERT_TRUE(one.step(20).ok()) << integrator;
    ASSERT_TRUE(other.step(20).ok()) << integrator;
    EXPECT_EQ(one.hash(), other.hash()) << integrator;
  }
}

/// To rounding: energies are summed in the order in which they were added.
TEST(ComingAndGoing, BodiesAddedAfterColliderAndContactTakePartInBoth) {
  const auto run = [](bool contact_first, bool live, const char* integrator) {
    Model model;
    const auto add_contact = [&] {
      add_collider(model, {.shape = PlaneShape{.point = {0, -0.2, 0}}, .friction = 0.2, .drop_height = 0.1});
      add_self_contact(model, {.thickness = 0.01, .stiffness = 500, .friction = 0.1});
    };
    model.set_gravity({0, -9.81, 0});
    if (contact_first) add_contact();
    const BodyId sheet =
        model.add(ClothOptions{.mesh = make_sheet({.size = {0.6, 0.6}, .cells = {3, 3}}), .mass = 0.2});
    if (!live) model.add(cube_at({0.03, 0.15, 0.02}));
    model.pin(sheet, std::vector<int>{0, 3, 12, 15});
    if (!contact_first) add_contact();
    Simulation simulation(model, with(integrator));
    if (live) simulation.add(cube_at({0.03, 0.15, 0.02}));
    EXPECT_TRUE(simulation.step(find_integrator(integrator).force_evaluations > 0 ? 400 : 30).ok()) << integrator;
    EXPECT_GT(simulation.ledger().contact, 0) << integrator;
    return Vec3(simulation.state().x[20]);
  };
  for (const char* integrator : {"backward-euler", "symplectic-euler"}) {
    const Vec3 after = run(false, false, integrator);
    EXPECT_LT((run(true, false, integrator) - after).norm(), 1e-6) << integrator;
    EXPECT_LT((run(true, true, integrator) - after).norm(), 1e-6) << integrator;
    EXPECT_LT((run(false, true, integrator) - after).norm(), 1e-6) << integrator;
  }
}

TEST(ComingAndGoing, ABodyThatPassesThroughAnotherIsRefusedAndNothingChanges) {
  Model model = held_bar();
  add_self_contact(model, {.thickness = 0.01});
  Simulation simulation(model, with("backward-euler"));
  ASSERT_TRUE(simulation.step(3).ok());
  const auto before = simulation.hash();
  EXPECT_THROW(simulation.add(cube_at({2.05, -0.05, 0.03})), InputError);
  EXPECT_THROW(simulation.add(SolidOptions{}), InputError);
  EXPECT_THROW(simulation.add_collider({.stiffness = -1}), InputError);
  EXPECT_EQ(simulation.hash(), before);
  EXPECT_EQ(simulation.model().bodies().size(), 2u);
  EXPECT_TRUE(simulation.step(3).ok());
}

TEST(ComingAndGoing, StaleIdsAreRefusedByAllThatTakeThem) {
  Model model = held_bar();
  const BodyId bar(0), cube(1);
  const PinId pin(0), pin_of_cube = model.pin(cube, std::vector<int>{0});
  const AttachmentId spring = model.attach(cube, {{.vertex = 1, .point = {2, 0.3, 0}}});
  const ColliderId floor = add_collider(model, {.shape = PlaneShape{.point = {0, -2, 0}}, .stiffness = 100});
  Simulation simulation(model, with("avf"));
  const GrabId on_cube = simulation.grab(cube, BodyPoint::at_vertex(2), 10);
  const GrabId on_bar = simulation.grab(bar, BodyPoint::at_vertex(5), 10);
  simulation.move_pins(pin, {.translate = {0, 0.01, 0}});
  simulation.move_pins(pin_of_cube, {.translate = {0, 0.01, 0}});
  simulation.move_collider(floor, {.translate = {0, 0.01, 0}});
  BodyView view(simulation.model(), cube);
  ASSERT_TRUE(simulation.step(2).ok());
  simulation.remove(cube);
  simulation.remove(floor);
  ASSERT_TRUE(simulation.step(2).ok());
  EXPECT_THROW(simulation.remove(cube), InputError);
  EXPECT_THROW(simulation.remove(floor), InputError);
  EXPECT_THROW(simulation.grab(cube, BodyPoint::at_vertex(2), 10), InputError);
  EXPECT_THROW(simulation.held(on_cube), InputError) << "hands let go of what is removed";
  EXPECT_THROW(simulation.set_velocity(cube, std::vector<int>{0}, Vec3::Zero()), InputError);
  EXPECT_THROW(simulation.apply_impulse(cube, 0, Vec3::Zero()), InputError);
  EXPECT_THROW(simulation.move_pins(pin_of_cube, {}), InputError);
  EXPECT_THROW(simulation.move_collider(floor, {}), InputError);
  EXPECT_THROW(simulation.set_wind(cube, {}), InputError);
  EXPECT_THROW(simulation.set_material(cube, {}), InputError);
  EXPECT_THROW(view.update(simulation.model(), simulation.state()), InputError);
  Model left = simulation.model();
  EXPECT_THROW(left.release(spring, 1), InputError);
  EXPECT_THROW(simulation.remove(bar), InputError) << "the last one";
  // Those of the others are as good as before, and a new body gets an id of its own.
  EXPECT_NO_THROW(simulation.held(on_bar));
  EXPECT_NO_THROW(simulation.move_pins(pin, {.translate = {0, 0.02, 0}}));
  EXPECT_EQ(simulation.add(cube_at({3, 0, 0})), BodyId(2));
  EXPECT_NO_THROW(simulation.remove(bar));
  EXPECT_THROW(simulation.held(on_bar), InputError);
  EXPECT_TRUE(simulation.step(2).ok());
}

TEST(ComingAndGoing, SnapshotsAreOfTheBodiesOfTheirTime) {
  Simulation simulation(held_bar(), with("avf"));
  const Snapshot before = simulation.snapshot();
  const BodyId cube = simulation.add(cube_at({4, 0, 0}));
  simulation.remove(BodyId(1));  // as many vertices as before
  EXPECT_THROW(simulation.restore(before), InputError);
  const ColliderId floor = simulation.add_collider({.shape = PlaneShape{.point = {0, -0.5, 0}}, .friction = 0.3});
  const GrabId hand = simulation.grab(cube, BodyPoint::at_vertex(0), 30);
  ASSERT_TRUE(simulation.step(2).ok());
  const Snapshot moment = simulation.snapshot();
  ASSERT_TRUE(simulation.step(20).ok());
  const auto end = simulation.hash();
  simulation.restore(moment);
  EXPECT_NO_THROW(simulation.held(hand));
  ASSERT_TRUE(simulation.step(20).ok());
  EXPECT_EQ(simulation.hash(), end);
  simulation.remove(floor);
  EXPECT_THROW(simulation.restore(moment), InputError);
}

TEST(ComingAndGoing, CollidersThatComeAndGoAnalyzeNothingAgain) {
  for (const char* solver : {"newton", "local-global"}) {
    Simulation simulation = testing::falling_bar(solver);
    const long before = eliminations_found();
    const ColliderId floor = simulation.add_collider({.shape = PlaneShape{.point = {0, -0.5, 0}}});
    ASSERT_TRUE(simulation.step(2).ok());
    simulation.remove(floor);
    ASSERT_TRUE(simulation.step(2).ok());
    EXPECT_EQ(eliminations_found(), before) << solver;
    simulation.add(cube_at({9, 0, 0}));
    ASSERT_TRUE(simulation.step().ok());
    EXPECT_GT(eliminations_found(), before) << "the count counts";
  }
}

/// Hundreds of random edits with steps between: finite, booked, the same for every number of threads.
TEST(ComingAndGoing, RandomEditsNeverBreakASimulation) {
  const auto run = [](const std::string& integrator, const std::string& solver, unsigned seed, int edits) {
    std::mt19937 random(seed);
    const auto upto = [&](std::size_t count) { return random() % count; };
    const auto number = [&] { return static_cast<double>(random() % 2001) / 1000 - 1; };
    Model start = held_bar();
    const bool is_explicit = find_integrator(integrator).force_evaluations > 0;  // fails where surfaces pass through
    if (seed % 2 == 0 && !is_explicit) add_self_contact(start, {.thickness = 5e-3, .friction = 0.2});
    Simulation simulation(start, with(integrator, solver));
    std::vector<ColliderId> colliders, gone_colliders;
    std::vector<BodyId> gone_bodies;
    std::vector<GrabId> hands;
    int place = 1, failed = 0;
    for (int edit = 0; edit < edits; ++edit) {
      const auto& bodies = simulation.model().bodies();
      const Body& chosen = bodies[upto(bodies.size())];
      const BodyId some = chosen.id;
      int loose = 0;  // a vertex that no pin holds
      while (simulation.model().pinned()[static_cast<std::size_t>(chosen.first_vertex + loose)] != 0) ++loose;
      switch (upto(9)) {
        case 0:
          try {
            simulation.add(cube_at({0.5 * ++place, 0.3 * number(), 2}), {number(), number(), number()});
          } catch (const InputError&) {  // another has moved there
          }
          break;
        case 1:
          simulation.add(ParticlesOptions{.mesh = make_line({.length = 0.4, .segments = 2}), .stiffness = 30});
          break;
        case 2:
          if (bodies.size() > 1) {
            simulation.remove(some);
            gone_bodies.push_back(some);
          }
          break;
        case 3:
          colliders.push_back(simulation.add_collider({.shape = PlaneShape{.point = {0, -0.5 + 0.2 * number(), 0}},
                                                       .stiffness = 200,
                                                       .friction = seed % 3 == 0 ? 0.3 : 0}));
          break;
        case 4:
          if (!colliders.empty()) {
            const auto which = static_cast<std::ptrdiff_t>(upto(colliders.size()));
            simulation.remove(colliders[static_cast<std::size_t>(which)]);
            gone_colliders.push_back(colliders[static_cast<std::size_t>(which)]);
            colliders.erase(colliders.begin() + which);
          }
          break;
        case 5:
          hands.push_back(simulation.grab(some, BodyPoint::at_vertex(loose), 20));
          break;
        case 6:
          for (const GrabId hand : hands) try {
              simulation.move(hand, simulation.held(hand).first + 0.02 * Vec3(number(), number(), number()));
            } catch (const InputError&) {  // of a body that is gone
            }
          break;
        case 7:
          if (!colliders.empty()) simulation.move_collider(colliders[0], {.translate = {0, 0.05 * number(), 0}});
          break;
        default:
          simulation.apply_impulse(some, loose, 0.05 * Vec3(number(), number(), number()));
      }
      for (const BodyId gone : gone_bodies) EXPECT_THROW(simulation.remove(gone), InputError);
      for (const ColliderId gone : gone_colliders) EXPECT_THROW(simulation.remove(gone), InputError);
      if (!simulation.step(2).ok()) ++failed;
      EXPECT_TRUE(simulation.ledger().finite());
      if (integrator == "avf" && seed % 2 == 1 && seed % 3 != 0) {
        EXPECT_LT(std::abs(simulation.ledger().residual), 1e-7 * in_play(simulation.ledger())) << seed << " " << edit;
      }
      if (bodies.size() > 12)
        while (simulation.model().bodies().size() > 3) simulation.remove(simulation.model().bodies().back().id);
      if (::testing::Test::HasFailure()) return simulation.hash();
    }
    EXPECT_LE(failed, edits / 20) << integrator;
    return simulation.hash();
  };
  struct Case {
    const char *integrator, *solver;
    int edits;
  };
  for (const auto& [integrator, solver, edits] :
       {Case{"symplectic-euler", "newton", 250}, Case{"avf", "newton", 120}, Case{"stabilized", "local-global", 120},
        Case{"bdf2", "newton", 80}, Case{"rk4", "newton", 120}})
    for (const unsigned seed : {1u, 2u, 3u}) {
      set_threads(1);
      const auto one = run(integrator, solver, seed, edits);
      set_threads(3);
      EXPECT_EQ(run(integrator, solver, seed, edits), one) << integrator << " " << seed;
      set_threads(0);
    }
}

}  // namespace brio
