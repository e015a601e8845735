/// What is done to a running simulation, and that its work is booked.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "driven_testing.h"
#include "model/driven.h"
#include "solvers/linear/elimination.h"

namespace brio {
namespace {

SimulationOptions precisely(const std::string& integrator) {
  const bool is_explicit = find_integrator(integrator).force_evaluations > 0;
  return {.integrator = integrator, .h = is_explicit ? 1e-4 : 1.0 / 60, .options = {.solver = {.tolerance = 1e-11}}};
}

}  // namespace

TEST(Copies, OfAModelAreSimulatedOnTwoThreadsWithTheBitsOfOneAlone) {
  Model model = testing::hanging_bar();
  add_collider(model, {.shape = PlaneShape{.point = {0, -0.3, 0}}, .stiffness = 1e4, .friction = 0.4});
  add_self_contact(model, {.thickness = 2e-3, .friction = 0.2});
  const auto run = [&](const std::string& integrator) {
    Simulation simulation(model, precisely(integrator));
    EXPECT_TRUE(simulation.step(60).ok());
    return simulation.hash();
  };
  const auto alone = run("avf"), other = run("stabilized");
  std::uint64_t one = 0, two = 0;
  std::thread first([&] { one = run("avf"); }), second([&] { two = run("stabilized"); });
  first.join();
  second.join();
  EXPECT_EQ(one, alone);
  EXPECT_EQ(two, other);
  EXPECT_EQ(run("avf"), alone) << "and the model is what it was";
}

TEST(Copies, AreTakenOfOneConstantModelByManyThreadsAtOnce) {
  const Model model = testing::hanging_bar();
  std::vector<std::shared_ptr<const BlockPattern>> patterns(6);
  std::vector<std::uint64_t> hashes(6);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < patterns.size(); ++k)
    threads.emplace_back([&, k] {
      if (k % 2 == 0) patterns[k] = model.pattern();
      Simulation simulation(model, precisely("symplectic-euler"));
      EXPECT_TRUE(simulation.step(5).ok());
      hashes[k] = simulation.hash();
      if (k % 2 == 1) patterns[k] = model.pattern();
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 1; k < patterns.size(); ++k) {
    EXPECT_EQ(patterns[k], patterns[0]) << "made once";
    EXPECT_EQ(hashes[k], hashes[0]);
  }
}

TEST(Edits, AHandPullsMovesAndLetsGoWithItsWorkBooked) {
  Simulation simulation(testing::hanging_bar(), precisely("avf"));
  const Vec3 start = simulation.state().x[5];
  const GrabId hand = simulation.grab(BodyId(0), BodyPoint::at_vertex(5), 200);
  double in_play = 0;
  for (int step = 1; step <= 40; ++step) {
    simulation.move(hand, start + 0.01 * step * Vec3(1, 1, 0));
    ASSERT_TRUE(simulation.step().ok());
    in_play = std::max(in_play, simulation.ledger().kinetic + simulation.ledger().elastic);
  }
  EXPECT_LT((simulation.held(hand).first - (start + Vec3(0.4, 0.4, 0))).norm(), 1e-12);
  EXPECT_GT(simulation.ledger().user_work, 0.1);
  EXPECT_LT(std::abs(simulation.ledger().residual), 1e-9 * in_play);
  const double before = simulation.ledger().total, work = simulation.ledger().user_work;
  simulation.let_go(hand);
  EXPECT_LT(simulation.ledger().total, before);
  EXPECT_NEAR(simulation.ledger().user_work - work, simulation.ledger().total - before, 1e-12);
  ASSERT_TRUE(simulation.step(20).ok());
  EXPECT_LT(std::abs(simulation.ledger().residual), 1e-9 * in_play);
  EXPECT_THROW(simulation.move(hand, start), InputError);
}

/// A hand that moves along with the observer gives the same motion: its path is part of the step.
TEST(Edits, AHandIsTheSameForEveryObserver) {
  const auto run = [](const Method& method, const Vec3& u) {
    Model model;
    const BodyId bar = model.add(testing::small_bar());
    model.pin(bar, testing::left_end(model), testing::straight(u));
    Simulation simulation(model, testing::shaken(model, u, 0.2), precisely(method.name));
    const Vec3 start = simulation.state().x[5];
    const GrabId hand = simulation.grab(BodyId(0), {.vertices = {5, 5, 5}, .weights = {1, 0, 0}}, 200);
    for (int step = 1; step <= 10; ++step) {
      simulation.move(hand, start + step * simulation.h() * (u + Vec3(0.3, 0.6, 0)));
      EXPECT_TRUE(simulation.step().ok()) << method.name;
    }
    return std::pair(Vec3(simulation.state().x[7] - simulation.state().time * u), simulation.ledger().residual);
  };
  for (const Method& method : integrators()) {
    if (!method.dynamic) continue;
    const auto still = run(method, Vec3::Zero()), along = run(method, {0.7, -0.3, 0.2});
    EXPECT_LT((still.first - along.first).norm(), 2e-9) << method.name;
    EXPECT_NEAR(still.second, along.second, 2e-9) << method.name;
  }
}

TEST(Edits, GrabbingAnalyzesNothingAgain) {
  for (const char* solver : {"newton", "local-global"}) {
    Simulation simulation = testing::falling_bar(solver);
    const long before = eliminations_found();
    const RayHit hit = simulation.pick({0.3, 5, 0.1}, {0, -1, 0});
    ASSERT_EQ(hit.body, BodyId(0));
    const GrabId hand = simulation.grab(hit.body, hit.point, 1e3);
    EXPECT_LT((simulation.held(hand).second - hit.place).norm(), 1e-12);
    for (int step = 0; step < 3; ++step) {
      simulation.move(hand, hit.place + 0.05 * (step + 1) * Vec3::UnitY());
      ASSERT_TRUE(simulation.step().ok());
    }
    simulation.let_go(hand);
    simulation.set_damping({.strain = 0.01});
    simulation.set_material(BodyId(0), {.name = "corotated", .mu = 2e4, .lambda = 2e4});
    ASSERT_TRUE(simulation.step(2).ok());
    EXPECT_EQ(eliminations_found(), before) << solver;
  }
}

TEST(Edits, PinsAndCollidersMovedByHandDoWorkThatIsBooked) {
  Model model = testing::hanging_bar();
  add_collider(model, {.shape = PlaneShape{.point = {0, -0.5, 0}}, .stiffness = 1e4});
  Simulation simulation(model, precisely("avf"));
  double in_play = 0;
  for (int step = 1; step <= 60; ++step) {
    if (step <= 30) simulation.move_pins(PinId(0), {.translate = {0, 0.01 * step, 0}});
    simulation.move_collider(ColliderId(0), {.translate = {0, 0.008 * step, 0}});
    ASSERT_TRUE(simulation.step().ok());
    in_play = std::max(in_play, simulation.ledger().kinetic + simulation.ledger().elastic);
    EXPECT_LT(std::abs(simulation.ledger().residual), 1e-9 * (1 + in_play)) << step;
  }
  EXPECT_NEAR(simulation.state().x[testing::left_end(simulation.model())[0]].y() -
                  simulation.model().rest()[testing::left_end(simulation.model())[0]].y(),
              0.3, 1e-12);
  EXPECT_THROW(simulation.move_pins(PinId(1), {}), InputError);
  EXPECT_THROW(simulation.move_collider(ColliderId(), {}), InputError);
}

TEST(Edits, EachBooksTheEnergyThatItBrings) {
  Simulation simulation(testing::hanging_bar(), precisely("avf"));
  ASSERT_TRUE(simulation.step(10).ok());
  const auto books = [&](auto change) {
    const LedgerRow before = simulation.ledger();
    change();
    const LedgerRow& after = simulation.ledger();
    EXPECT_NEAR(after.user_work - before.user_work, after.total - before.total, 1e-12);
    EXPECT_NEAR(after.residual, before.residual, 1e-12);
    ASSERT_TRUE(simulation.step(10).ok());
    EXPECT_LT(std::abs(simulation.ledger().residual), 1e-9);
  };
  books([&] { simulation.apply_impulse(BodyId(0), 5, {0, 0.05, 0}); });
  books([&] { simulation.set_velocity(BodyId(0), std::vector<int>{3, 4, 5}, {0.2, 0, 0}); });
  books([&] {
    NodalField x = simulation.state().x, v = simulation.state().v;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] *= 1.01;
      v[i] = Vec3(0.1, 0, 0);
    }
    simulation.set_state(x, v);
  });
  books([&] { simulation.set_gravity({0, 0, -3}); });
  books([&] { simulation.set_material(BodyId(0), {.name = "stvk", .mu = 8e3, .lambda = 3e3}); });
  books([&] { simulation.set_damping({.strain = 0.01}); });
  books([&] { simulation.set_wind(BodyId(0), {.velocity = {3, 0, 0}}); });
  EXPECT_THROW(simulation.apply_impulse(BodyId(0), 500, {0, 1, 0}), InputError);
  EXPECT_THROW(simulation.set_state(NodalField(3), NodalField(3)), InputError);
  NodalField endless = simulation.state().x;
  endless[7][1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(simulation.set_state(endless, simulation.state().v), InputError);
  EXPECT_THROW(simulation.set_velocity(BodyId(3), std::vector<int>{0}, {0, 1, 0}), InputError);
  for (const double stiffness : {-1.0, 0.0, 1.1e15, 1e300, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(simulation.grab(BodyId(0), BodyPoint::at_vertex(0), stiffness), InputError) << stiffness;
  EXPECT_THROW(simulation.grab(BodyId(0), {.vertices = {0, 1, 2}, .weights = {1, 1, 1}}, 5), InputError);
}

TEST(Edits, OfWhatPinsHoldAreRefusedInsteadOfIgnored) {
  Simulation simulation(testing::hanging_bar(), precisely("avf"));
  const std::vector<int> held = testing::left_end(simulation.model());
  const auto hash = simulation.hash();
  EXPECT_THROW(simulation.set_velocity(BodyId(0), held, {0, 1, 0}), InputError);
  EXPECT_THROW(simulation.apply_impulse(BodyId(0), held[0], {0, 1, 0}), InputError);
  EXPECT_THROW(simulation.grab(BodyId(0), BodyPoint::at_vertex(held[0]), 100), InputError);
  EXPECT_EQ(simulation.hash(), hash);
  // Of a body that is partly pinned the rest moves.
  std::vector<int> all(simulation.model().vertices());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  simulation.set_velocity(BodyId(0), all, {0, 1, 0});
  EXPECT_EQ(simulation.state().v[held[0]], Vec3::Zero());
  NodalField away = simulation.state().x;
  for (std::size_t i = 0; i < away.size(); ++i) away[i] += Vec3(0, 1e-3, 0);
  const Vec3 place = simulation.state().x[held[0]];
  simulation.set_state(away, away);
  EXPECT_EQ(simulation.state().x[held[0]], place);
  EXPECT_EQ(simulation.state().v[held[0]], Vec3::Zero());
  EXPECT_NE(simulation.hash(), hash);
}

TEST(Edits, MemoryThatIsGivenAwayStaysWhereItWasAndTheSimulationGoesOnWithTheSameBits) {
  Simulation simulation(testing::hanging_bar(), precisely("bdf2")), other(testing::hanging_bar(), precisely("bdf2"));
  ASSERT_TRUE(simulation.step(3).ok() && other.step(3).ok());
  const double* const shown = simulation.state().x.data();
  const Vec3 seen = simulation.state().x[5];
  const auto [x, v] = simulation.part_with_state();
  EXPECT_EQ(x.data(), shown);
  EXPECT_EQ(v.size(), x.size());
  ASSERT_TRUE(simulation.step(3).ok() && other.step(3).ok());
  EXPECT_EQ(x[5], seen);
  EXPECT_EQ(simulation.hash(), other.hash());
}

TEST(Edits, QuestionsWithoutMeaningAreRefused) {
  Simulation simulation(testing::hanging_bar(), precisely("avf"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(simulation.pick({0, 5, 0}, {0, 0, 0}), InputError);
  EXPECT_THROW(simulation.pick({0, 5, 0}, {0, nan, 0}), InputError);
  EXPECT_THROW(simulation.pick({nan, 5, 0}, {0, -1, 0}), InputError);
  EXPECT_EQ(simulation.pick({0, 5, 0.01}, {0, -1e-300, 0}).body, BodyId(0));
  EXPECT_THROW(simulation.step(1, {.milliseconds = nan}), InputError);
  EXPECT_THROW(simulation.step(1, {.milliseconds = -1}), InputError);
  EXPECT_TRUE(simulation.step(1, {.milliseconds = 0, .on_time_out = OnTimeOut::finish_with_best}).ok());
}

TEST(Edits, PinsAndCollidersTurnAboutTheirMiddleUnlessToldOtherwise) {
  Model model = testing::hanging_bar();
  model.add(SolidOptions{.mesh = make_bar({.size = {0.1, 0.1, 0.1}, .cells = {1, 1, 1}})});
  const Vec3 center(3, -4, 5);
  add_collider(model, {.shape = SphereShape{.center = center, .radius = 0.1}});
  Simulation simulation(model, precisely("avf"));
  const std::vector<int> held = testing::left_end(simulation.model());
  const auto middle = [&] {
    Vec3 sum = Vec3::Zero();
    for (const int vertex : held) sum += simulation.state().x[vertex] / static_cast<double>(held.size());
    return sum;
  };
  const Vec3 start = middle(), first = simulation.state().x[held[0]];
  simulation.move_pins(PinId(0), {.turn = {0.1, 0.2, 0}});
  ASSERT_TRUE(simulation.step().ok());
  EXPECT_NEAR((middle() - start).norm(), 0, 1e-14);
  EXPECT_GT((simulation.state().x[held[0]] - first).norm(), 0.01);
  // About another point it goes on from where it is, also where a file knows of it.
  const Snapshot moment = simulation.snapshot();
  const Vec3 before = simulation.state().x[held[0]], hinge = start + Vec3(0, 1, 0);
  simulation.move_pins(PinId(0), {.turn = {0.1, 0.2, 0}}, hinge);
  EXPECT_NEAR((simulation.state().x[held[0]] - before).norm(), 0, 1e-14);
  ASSERT_TRUE(simulation.step().ok());
  const Motion about_hinge{.keys = {{.turn = {0.1, 0.2, 0}}}, .center = hinge};
  EXPECT_NEAR((simulation.state().x[held[0]] - about_hinge.at(0).apply(first)).norm(), 0, 1e-14);
  simulation.restore(moment);
  simulation.move_pins(PinId(0), {.turn = {0, 0, 0}});
  ASSERT_TRUE(simulation.step().ok());
  EXPECT_NEAR((simulation.state().x[held[0]] - first).norm(), 0, 1e-14);
  // A ball that turns about its middle stays where it is, and does no work.
  simulation.move_collider(ColliderId(0), {.turn = {0, 0, 1}});
  ASSERT_TRUE(simulation.step().ok());
  const auto* collider = simulation.model().supports()[1];
  ASSERT_NE(collider->path(), nullptr);
  EXPECT_NEAR((collider->path()->at(simulation.state().time).apply(center) - center).norm(), 0, 1e-14);
  EXPECT_THROW(simulation.move_pins(PinId(0), {}, Vec3(0, NAN, 0)), InputError);
}

TEST(Edits, ASnapshotKnowsOfHandsAndOfWhatWasMovedByHand) {
  for (const char* integrator : {"avf", "bdf2", "stabilized", "verlet", "rk4"}) {
    Model model = testing::hanging_bar();
    add_collider(model, {.shape = PlaneShape{.point = {0, -0.3, 0}}, .stiffness = 1e4, .friction = 0.4});
    Simulation simulation(model, precisely(integrator));
    ASSERT_TRUE(simulation.step(2).ok());
    const Snapshot untouched = simulation.snapshot();
    const GrabId hand = simulation.grab(BodyId(0), BodyPoint::at_vertex(5), 200);
    simulation.move(hand, simulation.state().x[5] + 0.1 * Vec3::UnitY());
    simulation.move_pins(PinId(0), {.translate = {0, 0.02, 0}, .turn = {0.1, 0, 0}});
    simulation.move_collider(ColliderId(0), {.translate = {0, 0.05, 0}});
    const Snapshot moment = simulation.snapshot();
    ASSERT_TRUE(simulation.step(5).ok());
    const auto end = simulation.hash();
    const double work = simulation.ledger().user_work;
    simulation.let_go(hand);
    simulation.restore(moment);
    ASSERT_TRUE(simulation.step(5).ok());
    EXPECT_EQ(simulation.hash(), end) << integrator;
    EXPECT_EQ(simulation.ledger().user_work, work) << integrator;

    const auto file = std::filesystem::temp_directory_path() / ("brio-snapshot-" + std::to_string(getpid()));
    save(moment, file);
    Simulation other(model, precisely(integrator));
    other.restore(load_snapshot(file));
    std::filesystem::remove(file);
    ASSERT_TRUE(other.step(5).ok());
    EXPECT_EQ(other.hash(), end) << integrator;
    simulation.use(precisely("newmark"));
    simulation.restore(untouched);  // of another integrator: the one in use starts afresh
    EXPECT_THROW(simulation.held(hand), InputError);
  }
}

TEST(Snapshots, OnTheDiskThatAreDamagedOrForeignAreRefused) {
  const auto file = std::filesystem::temp_directory_path() / ("brio-damaged-" + std::to_string(getpid()));
  Simulation simulation(testing::hanging_bar(), precisely("avf"));
  save(simulation.snapshot(), file);
  std::string bytes;
  {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto rewritten = [&](const std::string& with) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << with;
    return load_snapshot(file);
  };
  EXPECT_NO_THROW(rewritten(bytes));
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{16}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_THROW(rewritten(bytes.substr(0, length)), InputError) << length;
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_THROW(rewritten(bytes), InputError);
  std::filesystem::remove(file);
  EXPECT_THROW(load_snapshot(file), InputError);
}

}  // namespace brio
