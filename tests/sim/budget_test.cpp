/// Steps with a time to keep, which end with the best they have.
#include <gtest/gtest.h>

#include <string_view>

#include "brio/contact.h"
#include "brio/sim.h"
#include "core/timer.h"

namespace brio {
namespace {

struct Case {
  std::string integrator, solver;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* integrator :
       {"backward-euler", "implicit-midpoint", "avf", "newmark", "bdf2", "stabilized", "bathe"})
    for (const char* solver : {"newton", "local-global", "lbfgs", "root"}) all.push_back({integrator, solver});
  all.push_back({"quasi-static", "newton"});
  return all;
}

/// A soft bar that is shaken and held, beside a cube that comes down on it: all iterations are needed.
Simulation bar_and_cube(const Case& c, int iterations = 2000) {
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.size = {1, 0.25, 0.25}, .cells = {8, 2, 2}}),
                                            .material = {.name = "corotated", .mu = 2e4, .lambda = 1e4}});
  Mesh above = make_cube({.size = 0.2, .cells = 2});
  for (Vec3& vertex : above.vertices) vertex += Vec3(0.2, 0.23, 0);
  model.add(SolidOptions{.name = "cube", .mesh = above, .material = {.name = "neo-hookean", .mu = 2e4, .lambda = 1e4}});
  model.pin(bar, select(model.bodies()[0].mesh, BeyondPlane{{-0.499, 0, 0}, {-1, 0, 0}}));
  model.set_gravity({0, -9.81, 0});
  add_self_contact(model, {.thickness = 4e-3, .friction = 0.2});
  add_collider(model, {.shape = PlaneShape{.point = {0, -0.4, 0}}, .stiffness = 1e4, .friction = 0.3});
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.v.size(); ++i)
    if (model.pinned()[i] == 0) state.v[i] = Vec3(0, -2, 0.5);
  return {std::move(model),
          std::move(state),
          {.integrator = c.integrator,
           .h = 1.0 / 60,
           .options = {.solver = {.name = c.solver, .tolerance = 1e-10, .iterations = iterations}}}};
}

}  // namespace

TEST(Budget, WithoutAnyTimeEveryStepIsDoneInOneIterationPerSolveOrNotAtAll) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.integrator + ", " + c.solver);
    Simulation simulation = bar_and_cube(c);
    int done = 0;
    for (int step = 0; step < 12; ++step) {
      const std::uint64_t before = simulation.hash();
      const StepReport report = simulation.step(1, {.milliseconds = 0, .on_time_out = OnTimeOut::finish_with_best});
      if (!report.ok()) {  // nothing done
        EXPECT_EQ(simulation.hash(), before);
        EXPECT_EQ(report.status, StepReport::Status::canceled) << report.message;
        continue;
      }
      ++done;
      EXPECT_TRUE(report.out_of_time);
      EXPECT_TRUE(report.unconverged);
      EXPECT_GT(report.residual, 0);
      EXPECT_GE(report.iterations, 1);
      EXPECT_LE(report.iterations, 20);
      EXPECT_EQ(report.halvings, 0);
      EXPECT_TRUE(simulation.ledger().finite());
    }
    EXPECT_GT(done, 0);
  }
}

TEST(Budget, AfterManyStepsWithoutTimeCalmMethodsGoOnAndTheOthersSaySoWhenTheyCannot) {
  for (const char* integrator : {"backward-euler", "bdf2", "stabilized", "newmark", "implicit-midpoint", "avf"}) {
    SCOPED_TRACE(integrator);
    const std::string_view name = integrator;
    const bool calm = name == "backward-euler" || name == "bdf2" || name == "stabilized";
    Simulation simulation = bar_and_cube({integrator, "newton"}, 0);
    for (int step = 0; step < 20; ++step)
      simulation.step(1, {.milliseconds = 0, .on_time_out = OnTimeOut::finish_with_best});
    for (int step = 0; step < 3; ++step) {
      const std::uint64_t before = simulation.hash();
      const StepReport report = simulation.step();
      EXPECT_TRUE(report.ok() || !calm) << report.message;
      EXPECT_TRUE(simulation.ledger().finite());
      if (report.ok()) continue;
      EXPECT_EQ(simulation.hash(), before);
      EXPECT_NE(report.message.find("choose"), std::string::npos) << report.message;
    }
  }
}

TEST(Budget, MoreTimeNeverBreaksAStepAndEnoughOfItHasTheBitsOfNoBudget) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.integrator + ", " + c.solver);
    constexpr int few = 20;  // iterations: enough to be in need of more
    Simulation free = bar_and_cube(c, few), ample = bar_and_cube(c, few);
    for (int step = 0; step < 2; ++step) {
      const StepReport wanted = free.step();
      const StepReport report = ample.step(1, {.milliseconds = 1e9, .on_time_out = OnTimeOut::finish_with_best});
      EXPECT_EQ(report.status, wanted.status) << report.message;
      EXPECT_FALSE(report.out_of_time);
      ASSERT_EQ(ample.hash(), free.hash());
    }
    Simulation hurried = bar_and_cube(c, few);
    for (double milliseconds = 0.05; milliseconds < 20; milliseconds *= 2) {
      const std::uint64_t before = hurried.hash();
      const StepReport report =
          hurried.step(1, {.milliseconds = milliseconds, .on_time_out = OnTimeOut::finish_with_best});
      EXPECT_TRUE(report.ok() || hurried.hash() == before) << report.message;
      EXPECT_TRUE(hurried.ledger().finite());
    }
  }
}

TEST(Budget, TheResidualReachedFallsWithTheIterationsThatTimeWasFor) {
  const auto reached = [](int iterations) {
    // As many iterations as a budget would have had time for: the same rule of acceptance, without a clock.
    Simulation simulation = bar_and_cube({"backward-euler", "local-global"}, iterations);
    return simulation.step().residual;
  };
  Simulation none = bar_and_cube({"backward-euler", "local-global"});
  const StepReport report = none.step(1, {.milliseconds = 0, .on_time_out = OnTimeOut::finish_with_best});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.residual, reached(1));
  EXPECT_LT(reached(50), reached(1));
}

TEST(Budget, MethodsWhoseEquationsMustBeMetCancel) {
  for (const char* integrator : {"discrete-gradient", "lagrange-energy"}) {
    Simulation simulation = bar_and_cube({integrator, "newton"});
    const std::uint64_t before = simulation.hash();
    const StepReport report = simulation.step(1, {.milliseconds = 0, .on_time_out = OnTimeOut::finish_with_best});
    if (report.ok()) continue;  // it was solved by the first iteration
    EXPECT_EQ(report.status, StepReport::Status::canceled) << integrator << ": " << report.message;
    EXPECT_EQ(simulation.hash(), before);
    EXPECT_EQ(report.message, "not done within 0 ms");
  }
}

TEST(Budget, AStopTokenStillEndsAtOnce) {
  Simulation simulation = bar_and_cube({"backward-euler", "newton"});
  const std::atomic<bool> stop = true;
  const StepReport report =
      simulation.step(1, {.stop = &stop, .milliseconds = 5, .on_time_out = OnTimeOut::finish_with_best});
  EXPECT_EQ(report.status, StepReport::Status::canceled);
  EXPECT_EQ(report.message, "canceled");
}

}  // namespace brio
