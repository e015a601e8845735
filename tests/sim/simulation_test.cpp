#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "brio/sim.h"

namespace brio {
namespace {

/// 5,120 tetrahedra, held at one end, under gravity.
Simulation hanging_bar(double h) {
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.size = {4, 1, 1}, .cells = {16, 8, 8}})});
  model.pin(bar, select(model.bodies()[0].mesh, BeyondPlane{{-1.99, 0, 0}, {-1, 0, 0}}));
  model.set_gravity({0, -9.81, 0});
  return {std::move(model), {.h = h}};
}

std::vector<std::uint64_t> hashes(int thread_count) {
  set_threads(thread_count);
  Simulation simulation = hanging_bar(1e-3);
  std::vector<std::uint64_t> list{simulation.hash()};
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(simulation.step(2).ok());
    list.push_back(simulation.hash());
  }
  set_threads(0);
  return list;
}

/// A single tetrahedron of a material that must not invert, about to be pushed through itself.
Simulation about_to_invert() {
  Mesh mesh;
  mesh.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  mesh.tets = {{0, 1, 2, 3}};
  Model model;
  model.add(SolidOptions{.mesh = mesh, .material = {.name = "neo-hookean"}});
  State state = model.rest_state();
  state.v[3] = Vec3(0, 0, -1000);
  return {std::move(model), std::move(state), {.h = 0.01}};
}

}  // namespace

TEST(Simulation, IsBitwiseTheSameForOneTwoAndThreeThreads) {
  const auto one = hashes(1);
  EXPECT_NE(one.front(), one.back());
  EXPECT_EQ(hashes(2), one);
  EXPECT_EQ(hashes(3), one);
}

TEST(Simulation, LedgerComesFromTheDefinitionsAndItsResidualClosesTheBalance) {
  Simulation simulation = hanging_bar(1e-3);
  const double start = simulation.ledger().total;
  ASSERT_TRUE(simulation.step(50).ok());
  const LedgerRow& row = simulation.ledger();
  const State& state = simulation.state();
  EXPECT_EQ(row.kinetic, simulation.model().kinetic_energy(state.v));
  EXPECT_EQ(row.elastic, simulation.model().elastic_energy(BodyId(0), state.x));
  EXPECT_EQ(row.gravity, simulation.model().gravity_energy(state.x));
  EXPECT_EQ(row.linear, simulation.model().linear_momentum(state.v));
  EXPECT_EQ(row.total, row.kinetic + row.elastic + row.gravity);
  EXPECT_EQ(row.residual, row.total - start);
  EXPECT_GT(row.kinetic, 0);
  EXPECT_LT(std::abs(row.residual), 0.02 * row.kinetic);
  EXPECT_DOUBLE_EQ(row.time, 0.05);
}

TEST(Simulation, FailsInWordsWhenStepsAreTooLongAndKeepsTheLastGoodState) {
  Simulation simulation = hanging_bar(0.5);
  StepReport report;
  std::uint64_t good = simulation.hash();
  for (int i = 0; i < 1000 && (report = simulation.step()).ok(); ++i) good = simulation.hash();
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.message.find("smaller h"), std::string::npos) << report.message;
  EXPECT_EQ(simulation.hash(), good);
  EXPECT_TRUE(simulation.ledger().finite());
  EXPECT_TRUE(simulation.ledger().failed);
}

TEST(Simulation, RefusesAStepIntoInfiniteEnergy) {
  Simulation simulation = about_to_invert();
  const std::uint64_t before = simulation.hash();
  const double total = simulation.ledger().total;
  const StepReport report = simulation.step();
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.message.find("elements turn inside out"), std::string::npos) << report.message;
  EXPECT_EQ(simulation.hash(), before);
  EXPECT_EQ(simulation.ledger().total, total);
}

TEST(Simulation, PinnedVerticesHaveNoVelocityFromTheStart) {
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.cells = {2, 1, 1}})});
  model.pin(bar, std::vector<int>{0});
  State state = model.rest_state();
  for (std::size_t i = 0; i < model.vertices(); ++i) state.v[i] = Vec3(1, 0, 0);
  const Simulation simulation(std::move(model), std::move(state), {});
  EXPECT_EQ(Vec3(simulation.state().v[0]), Vec3(0, 0, 0));
  EXPECT_EQ(Vec3(simulation.state().v[1]), Vec3(1, 0, 0));
}

TEST(Simulation, CountsTimeOnFromTheStateItIsGiven) {
  Simulation first = hanging_bar(1e-3);
  ASSERT_TRUE(first.step(3).ok());
  State state = first.state();
  state.time = 5;
  Model model;
  model.add(SolidOptions{.mesh = first.model().bodies()[0].mesh});
  Simulation second(std::move(model), std::move(state), {.h = 1e-3});
  ASSERT_TRUE(second.step(2).ok());
  EXPECT_DOUBLE_EQ(second.state().time, 5.002);
  EXPECT_EQ(second.state().step, 5);
}

TEST(Simulation, RefusesStatesAndStepsThatMakeNoSense) {
  const auto bar = [] {
    Model model;
    model.add(SolidOptions{.mesh = make_bar({.cells = {1, 1, 1}})});
    return model;
  };
  EXPECT_THROW(Simulation(bar(), {.h = 0}), InputError);
  EXPECT_THROW(Simulation(bar(), {.h = std::numeric_limits<double>::infinity()}), InputError);
  EXPECT_THROW(Simulation(bar(), {.integrator = "magic"}), InputError);
  EXPECT_THROW(Simulation(Model{}, {}), InputError);
  EXPECT_THROW(Simulation(bar(), State{.x = NodalField(3), .v = NodalField(3)}, {}), InputError);
  State poisoned = bar().rest_state();
  poisoned.v[2][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Simulation(bar(), std::move(poisoned), {}), InputError);
}

TEST(Simulation, ReturnsToASnapshotBitForBitWithEveryMethod) {
  for (const Method& method : integrators()) {
    Model model;
    model.add(SolidOptions{.mesh = make_bar({.cells = {3, 2, 2}}), .density = 10});
    if (method.dynamic) model.set_gravity({0, -9.81, 0});  // else it must be held
    State start = model.rest_state();
    start.x[0] += Vec3(0.1, 0.05, 0);
    Simulation simulation(std::move(model), start, {.integrator = method.name, .h = 1e-4});
    ASSERT_TRUE(simulation.step(3).ok()) << method.name;
    const Snapshot snapshot = simulation.snapshot();
    ASSERT_TRUE(simulation.step(4).ok()) << method.name;
    const std::uint64_t hash = simulation.hash();
    const double residual = simulation.ledger().residual;
    simulation.restore(snapshot);
    ASSERT_TRUE(simulation.step(4).ok()) << method.name;
    EXPECT_EQ(simulation.hash(), hash) << method.name;
    EXPECT_EQ(simulation.ledger().residual, residual) << method.name;
  }
}

TEST(Simulation, AStepThatDoesNotConvergeFailsIsTakenOrIsHalved) {
  const auto run = [](Unconverged unconverged) {
    Model model;
    model.add(SolidOptions{.mesh = make_bar({.cells = {3, 2, 2}}), .density = 10});
    State start = model.rest_state();
    for (std::size_t i = 0; i < start.x.size(); ++i) start.x[i] *= 1.0 + 0.3 * std::sin(static_cast<double>(i));
    Simulation simulation(
        std::move(model), start,
        {.integrator = "avf", .h = 0.01, .options = {.solver = {.iterations = 4, .unconverged = unconverged}}});
    const std::uint64_t before = simulation.hash();
    StepReport report = simulation.step();
    EXPECT_EQ(simulation.hash() == before, !report.ok());
    EXPECT_EQ(simulation.state().step, report.ok() ? 1 : 0);
    return report;
  };
  const StepReport stopped = run(Unconverged::stop);
  EXPECT_FALSE(stopped.ok());
  EXPECT_NE(stopped.message.find("4 iterations were not enough"), std::string::npos) << stopped.message;
  EXPECT_TRUE(run(Unconverged::accept).ok());
  EXPECT_GT(run(Unconverged::accept).residual, 1e-10);
  EXPECT_TRUE(run(Unconverged::accept).unconverged);
  const StepReport halved = run(Unconverged::substep);
  EXPECT_TRUE(halved.ok()) << halved.message;
  EXPECT_GT(halved.iterations, 8);
  EXPECT_GE(halved.halvings, 1);
  EXPECT_FALSE(halved.unconverged);
}

/// Nothing but weight acts at first: forces in play must count it, or no residual is small enough.
TEST(Simulation, WhatFallsFromRestIsSolvedInAFewIterations) {
  for (const int cells : {4, 8}) {
    Model model;
    model.add(SolidOptions{.mesh = make_cube({.size = 0.4, .cells = cells}),
                           .material = {.name = "stable-neo-hookean", .mu = 1.4e4, .lambda = 5.7e4}});
    model.set_gravity({0, -9.81, 0});
    Simulation simulation(std::move(model), {.integrator = "avf", .h = 1.0 / 120});
    const StepReport report = simulation.step(5);
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_LE(report.iterations, 15);
    EXPECT_LT(std::abs(simulation.ledger().residual), 1e-10 * simulation.ledger().kinetic);
  }
}

TEST(Simulation, TellsWhichLinearSolversWereUsedAndWhy) {
  for (const LinearChoice linear : {LinearChoice::automatic, LinearChoice::direct, LinearChoice::pcg}) {
    Model model;
    model.add(SolidOptions{.mesh = make_cube({.size = 0.4, .cells = 6})});  // 343 vertices
    model.set_gravity({0, -9.81, 0});
    SimulationOptions options{.integrator = "backward-euler", .h = 0.01};
    options.options.solver.linear = linear;
    Simulation simulation(std::move(model), options);
    ASSERT_TRUE(simulation.step(3).ok());
    ASSERT_EQ(simulation.linear_solvers().size(), 1U) << linear;
    const auto& [used, steps] = simulation.linear_solvers().front();
    EXPECT_EQ(steps, 3) << linear;
    EXPECT_EQ(used.find("auto") != std::string::npos, linear == LinearChoice::automatic) << used;
    EXPECT_EQ(used.find("conjugate gradients") != std::string::npos, linear != LinearChoice::direct) << used;
  }
  Model model;
  model.add(SolidOptions{.mesh = make_cube({.cells = 1})});
  Simulation simulation(std::move(model), {});
  simulation.step(3);
  EXPECT_TRUE(simulation.linear_solvers().empty()) << "explicit methods have none";
}

TEST(Simulation, RefusesBodiesThatAreNotThereAndStepsBackwards) {
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  Model model;
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh});
  const std::vector<int> first{0};
  for (const BodyId wrong : {BodyId(), BodyId(body.number() + 1), BodyId(7)}) {
    EXPECT_THROW(model.pin(wrong, first), InputError);
    EXPECT_THROW(model.attach(wrong, {Attachment{}}), InputError);
    EXPECT_THROW(model.push(wrong, {.vertices = {0}}), InputError);
    EXPECT_THROW(model.blow(wrong, {}), InputError);
    EXPECT_THROW(model.constrain(wrong, {.kind = Constraint::Kind::point}), InputError);
  }
  Simulation simulation(std::move(model), {});
  EXPECT_THROW(simulation.step(-3), InputError);
  EXPECT_THROW(simulation.step(0), InputError);
  EXPECT_EQ(simulation.state().step, 0);
}

}  // namespace brio
