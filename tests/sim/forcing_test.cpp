/// What is done to a model from outside, and that its work is booked.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "brio/sim.h"

namespace brio {
namespace {

SolidOptions soft_bar() {
  return {.mesh = make_bar({.size = {2, 0.5, 0.5}, .cells = {6, 2, 2}}),
          .material = {.name = "stvk", .mu = 3e3, .lambda = 2e3},
          .mass = 2};
}

const BeyondPlane left_end{{-0.99, 0, 0}, {-1, 0, 0}};
const BeyondPlane right_end{{0.99, 0, 0}, {1, 0, 0}};

/// Pulls one end out by half a meter and turns it by half a turn.
Motion pull_and_turn() {
  return {.keys = {{.time = 0}, {.time = 1, .translate = Vec3(0.5, 0, 0), .turn = Vec3(std::numbers::pi, 0, 0)}}};
}

Simulation twisted_bar(const std::string& integrator, bool attached) {
  Model model;
  const BodyId bar = model.add(soft_bar());
  const Mesh mesh = model.bodies()[0].mesh;
  model.pin(bar, select(mesh, left_end));
  if (attached) {
    std::vector<Attachment> attachments;
    for (const int vertex : select(mesh, right_end))
      attachments.push_back({.vertex = vertex, .point = mesh.vertices[vertex], .stiffness = 2000});
    model.drive(model.attach(bar, attachments), pull_and_turn());
  } else {
    model.pin(bar, select(mesh, right_end), pull_and_turn());
  }
  return {std::move(model), {.integrator = integrator, .h = integrator == "verlet" ? 1e-3 : 0.02}};
}

}  // namespace

TEST(Motion, IsLinearBetweenKeysAndTurnsAboutItsCenter) {
  Motion motion = pull_and_turn();
  motion.center = Vec3(0, 1, 0);
  EXPECT_LT((motion.at(-1).apply(Vec3(1, 2, 3)) - Vec3(1, 2, 3)).norm(), 1e-15);
  EXPECT_LT((motion.at(0.5).apply(Vec3(0, 2, 0)) - Vec3(0.25, 1, 1)).norm(), 1e-15);
  EXPECT_LT((motion.at(7).apply(Vec3(0, 2, 0)) - Vec3(0.5, 0, 0)).norm(), 1e-15);
  EXPECT_LT((motion.at(0.3).undo(motion.at(0.3).apply(Vec3(1, 2, 3))) - Vec3(1, 2, 3)).norm(), 1e-15);
}

TEST(Motion, RefusesKeysThatDoNotFollowEachOther) {
  Model model;
  const BodyId bar = model.add(soft_bar());
  const Motion back{.keys = {{.time = 1}, {.time = 1}}};
  EXPECT_THROW(model.pin(bar, std::vector<int>{0}, back), InputError);
  EXPECT_THROW(model.drive(AttachmentId(0), pull_and_turn()), InputError);  // there is none yet
  EXPECT_THROW(model.release(AttachmentId(), 1), InputError);
  EXPECT_THROW(model.release(model.attach(bar, {{.vertex = 0}}), -1), InputError);
}

TEST(Forcing, WorkOfMovedSupportsClosesTheBalance) {
  for (const bool attached : {true, false}) {
    Simulation simulation = twisted_bar("avf", attached);
    ASSERT_TRUE(simulation.step(60).ok());
    const LedgerRow& row = simulation.ledger();
    EXPECT_GT(row.user_work, 1) << attached;
    EXPECT_GT(row.elastic, 1) << attached;
    EXPECT_LT(std::abs(row.residual), 1e-8 * row.user_work) << attached;
  }
}

TEST(Forcing, StabilizedTakesTheWorkOfMovedSupportsIntoItsTarget) {
  for (const bool attached : {true, false}) {
    Simulation simulation = twisted_bar("stabilized", attached);
    ASSERT_TRUE(simulation.step(60).ok());
    EXPECT_LT(std::abs(simulation.ledger().residual), 0.02 * simulation.ledger().user_work) << attached;
  }
}

TEST(Forcing, MovedPinsEndWhereTheyAreToldTo) {
  Simulation simulation = twisted_bar("backward-euler", false);
  const Mesh mesh = simulation.model().bodies()[0].mesh;
  ASSERT_TRUE(simulation.step(50).ok());
  for (const int vertex : select(mesh, right_end)) {
    const Vec3 p = mesh.vertices[vertex];
    EXPECT_LT((simulation.state().x[vertex] - Vec3(p[0] + 0.5, -p[1], -p[2])).norm(), 1e-12);
  }
}

TEST(Forcing, AReturnInTheMiddleOfAMotionRepeatsTheSameBits) {
  for (const char* integrator : {"avf", "verlet", "bdf2", "stabilized"})
    for (const bool attached : {true, false}) {
      Simulation simulation = twisted_bar(integrator, attached);
      ASSERT_TRUE(simulation.step(10).ok());
      const Snapshot middle = simulation.snapshot();
      ASSERT_TRUE(simulation.step(10).ok());
      const auto end = simulation.hash();
      simulation.restore(middle);
      ASSERT_TRUE(simulation.step(10).ok());
      EXPECT_EQ(simulation.hash(), end) << integrator << attached;
    }
}

/// Step, time and clock are of the kind in which a sum of steps and a product of them differ in the last digit.
TEST(Forcing, EveryMomentOfADrivenRunGoesOnInANewSimulationWithTheSameBitsAndWork) {
  const auto driven = [](const std::string& integrator) {
    Model model;
    const BodyId bar = model.add(soft_bar());
    const Mesh mesh = model.bodies()[0].mesh;
    model.pin(bar, select(mesh, left_end), pull_and_turn());
    const auto joined = [&] {
      std::vector<Attachment> attachments;
      for (const int vertex : select(mesh, right_end))
        attachments.push_back({.vertex = vertex, .point = mesh.vertices[vertex], .stiffness = 2000});
      return model.attach(bar, attachments);
    };
    const AttachmentId first = joined(), second = joined();
    model.drive(first, pull_and_turn());
    model.release(first, 0.1);  // ten steps of 0.01: neither 9 h + h nor a hair before it
    model.release(second, 0.07);
    model.push(bar, {.vertices = {0}, .keys = {{.time = 0}, {.time = 0.15, .force = Vec3(0, 5, 0)}}});
    return Simulation(std::move(model), {.integrator = integrator, .h = 0.01});
  };
  for (const char* integrator : {"avf", "bdf2", "stabilized", "backward-euler", "newmark"}) {
    Simulation straight = driven(integrator);
    std::vector<Snapshot> moments{straight.snapshot()};
    for (int step = 0; step < 16; ++step) {
      ASSERT_TRUE(straight.step().ok()) << integrator;
      moments.push_back(straight.snapshot());
      EXPECT_EQ(straight.state().time, straight.clock().time_of(step + 1));
    }
    const std::uint64_t end = straight.hash();
    for (const Snapshot& moment : moments) {
      Simulation resumed = driven(integrator);
      resumed.restore(moment);
      while (resumed.state().step < 16) ASSERT_TRUE(resumed.step().ok()) << integrator;
      EXPECT_EQ(resumed.hash(), end) << integrator << " from step " << moment.state.step;
      EXPECT_EQ(resumed.ledger().user_work, straight.ledger().user_work) << integrator << moment.state.step;
      EXPECT_EQ(resumed.ledger().residual, straight.ledger().residual) << integrator << moment.state.step;
    }
  }
}

TEST(Forcing, ASnapshotKnowsTheClockAndTheEnergyOfTheStart) {
  Simulation straight = twisted_bar("backward-euler", true);
  ASSERT_TRUE(straight.step(3).ok());
  straight.use({.integrator = "backward-euler", .h = 0.01});  // the clock starts anew, at 0.06 s
  ASSERT_TRUE(straight.step(3).ok());
  const Snapshot moment = straight.snapshot();
  Simulation other = twisted_bar("backward-euler", true);
  other.use({.integrator = "backward-euler", .h = 0.01});
  other.restore(moment);
  ASSERT_TRUE(straight.step(5).ok());
  ASSERT_TRUE(other.step(5).ok());
  EXPECT_EQ(other.hash(), straight.hash());
  EXPECT_EQ(other.ledger().residual, straight.ledger().residual);
}

TEST(Forcing, APushAcceleratesAndItsWorkIsTheKineticEnergy) {
  Model model;
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh, .mass = 2});
  model.push(body,
             {.vertices = {0}, .keys = {{.time = 0, .force = Vec3(0, 0, 4)}, {.time = 1, .force = Vec3(0, 0, 8)}}});
  Simulation simulation(std::move(model), {.integrator = "implicit-midpoint", .h = 0.1});
  ASSERT_TRUE(simulation.step(20).ok());
  EXPECT_NEAR(simulation.state().v[0][2], 3, 1e-12);  // the mean of 4 and 8 N over one second, on 2 kg
  EXPECT_NEAR(simulation.ledger().user_work, 9, 1e-12);
  EXPECT_NEAR(simulation.ledger().residual, 0, 1e-12);
}

TEST(Forcing, WindPressesOnWhatStandsAcrossAndLetsGoWhatMovesAlong) {
  const auto speed_after = [](const Vec3& wind, double seconds, LedgerRow* row) {
    Model model;
    const BodyId cloth = model.add(ClothOptions{.mesh = make_sheet({.size = {1, 1}, .cells = {4, 4}}), .mass = 0.2});
    model.blow(cloth, {.velocity = wind});
    Simulation simulation(std::move(model), {.integrator = "avf", .h = 0.01});
    EXPECT_TRUE(simulation.step(static_cast<int>(std::lround(seconds / 0.01))).ok());
    if (row != nullptr) *row = simulation.ledger();
    return Vec3(simulation.ledger().linear / 0.2);
  };
  const Mesh mesh = make_sheet({.size = {1, 1}, .cells = {4, 4}});
  const Vec3 n = (mesh.vertices[mesh.triangles[0][1]] - mesh.vertices[mesh.triangles[0][0]])
                     .cross(mesh.vertices[mesh.triangles[0][2]] - mesh.vertices[mesh.triangles[0][0]])
                     .normalized();
  LedgerRow row;
  // v' = c (u - v)², c = ρA/(2m) = 3 1/m: v = u - u/(1 + c u t).
  const double wanted = 5 - 5 / (1 + 3 * 5 * 0.5);
  EXPECT_NEAR(speed_after(5 * n, 0.5, &row).dot(n), wanted, 0.05 * wanted);
  EXPECT_LT(std::abs(row.residual), 1e-9 * row.user_work);
  EXPECT_LT(speed_after(5 * n.unitOrthogonal(), 0.5, nullptr).norm(), 1e-9);
}

/// Held over a step that is too long for it, wind would throw a light vertex back faster than it came: it is weakened
/// instead, and every integrator that does so tells.
TEST(Forcing, WindThatIsWeakenedIsCounted) {
  const auto blown = [](const std::string& integrator, double h) {
    Model model;
    const BodyId cloth = model.add(ClothOptions{.mesh = make_sheet({.size = {1, 1}, .cells = {4, 4}}), .mass = 0.01});
    model.blow(cloth, {.velocity = {0, 20, 0}});
    Simulation simulation(std::move(model), {.integrator = integrator, .h = h});
    return simulation.step();
  };
  for (const char* integrator : {"backward-euler", "implicit-midpoint", "avf", "stabilized", "bdf2", "variational"}) {
    const StepReport held = blown(integrator, 1.0 / 30);
    EXPECT_TRUE(held.ok()) << integrator << ": " << held.message;
    EXPECT_GT(held.limited_drag, 0) << integrator;
    // z = 2 h c u with c = rho A / (2 m) = 60 1/m, u = 20 m/s: below 1.5 it acts as it is.
    EXPECT_EQ(blown(integrator, 1.4 / (2 * 60 * 20) / 2).limited_drag, 0) << integrator;
  }
}

/// What wind does depends on where the blend of two steps ends, and so does the energy that is wanted there.
TEST(Forcing, StabilizedTakesTheWorkOfWindIntoItsTarget) {
  Model model;
  const BodyId flag = model.add(ClothOptions{
      .mesh = make_sheet({.size = {1.5, 1}, .cells = {18, 12}}), .stretch = 400, .shear = 150, .bend = 2, .mass = 0.3});
  model.pin(flag, select(model.bodies()[0].mesh, BeyondPlane{{-0.74, 0, 0}, {-1, 0, 0}}));
  model.blow(flag, {.velocity = {7, 1.5, 0}});
  Simulation simulation(
      std::move(model),
      {.integrator = "stabilized", .h = 1.0 / 120, .options = {.epsilon = 0.01, .solver = {.name = "local-global"}}});
  double in_play = 0, worst = 0;
  int blended = 0;
  for (int k = 0; k < 360; ++k) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok());
    blended += report.alpha != 0 ? 1 : 0;
    const LedgerRow row = simulation.ledger();
    in_play = std::max(in_play, row.kinetic + row.elastic);
    worst = std::max(worst, std::abs(row.residual));
  }
  EXPECT_GT(blended, 180);
  EXPECT_LT(worst, 0.011 * in_play);
}

}  // namespace brio
