/// Steps that are told to stop.
#include <gtest/gtest.h>

#include <thread>

#include "brio/contact.h"
#include "brio/sim.h"
#include "core/timer.h"

namespace brio {
namespace {

/// Two cubes, one on the other, on a rough floor, pulled about: all that a step can be in the middle of.
Simulation stack(const Method& method) {
  Model model;
  const Mesh mesh = make_cube({.size = 0.2, .cells = 2});
  for (int k = 0; k < 2; ++k) {
    Mesh lifted = mesh;
    for (Vec3& vertex : lifted.vertices) vertex += Vec3(0.01 * k, 0.101 + 0.203 * k, 0);
    model.add(SolidOptions{.name = k == 0 ? "below" : "above", .mesh = lifted, .material = {.name = "neo-hookean"}});
  }
  model.set_gravity({0, -9.81, 0});
  const Motion pull{.keys = {{.time = 0}, {.time = 1, .translate = {1, 0, 0}}}};
  model.drive(model.attach(BodyId(0), {{.vertex = 3, .point = model.rest()[3], .stiffness = 100}}), pull);
  model.pin(BodyId(1), std::vector<int>{26}, pull);
  add_collider(model, {.shape = PlaneShape{}, .stiffness = 1e4, .friction = 0.5});
  add_self_contact(model, {.thickness = 4e-3, .friction = 0.3});
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = Vec3(1, -1, 0.3);
  return {std::move(model), std::move(state), {.integrator = method.name, .h = 1e-3}};
}

}  // namespace

TEST(Cancellation, WhereverItCutsAStepWhatFollowsIsBitForBitWhatWouldHaveFollowed) {
  for (const Method& method : integrators()) {
    SCOPED_TRACE(method.name);
    Simulation straight = stack(method);
    Simulation cut = stack(method);
    double milliseconds = 0;
    int canceled = 0;
    for (int step = 0; step < 4; ++step) {
      const StepReport report = straight.step();
      for (bool done = false; !done; milliseconds = 1.3 * milliseconds + 0.01) {
        const std::uint64_t before = cut.hash();
        const StepReport tried = cut.step(1, {.milliseconds = milliseconds});
        done = tried.status != StepReport::Status::canceled;
        if (done) {
          EXPECT_EQ(tried.ok(), report.ok()) << tried.message;
          continue;
        }
        ++canceled;
        ASSERT_EQ(cut.hash(), before);
        ASSERT_EQ(tried.message.substr(0, 15), "not done within");
      }
      milliseconds /= 4;
      ASSERT_EQ(cut.hash(), straight.hash()) << "step " << step;
      ASSERT_EQ(cut.ledger().residual, straight.ledger().residual);
    }
    EXPECT_GE(canceled, 1);
  }
}

TEST(Cancellation, AFlagSetByAnotherThreadEndsTheStepAtOnce) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.cells = {32, 8, 8}})});
  Simulation simulation(std::move(model), {.h = 1e-5});
  std::atomic<bool> stop = false;
  const Stopwatch watch;
  double asked = 0;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    asked = watch.seconds();
    stop = true;
  });
  const StepReport report = simulation.step(100'000'000, {.stop = &stop});
  const double answered = watch.seconds();
  other.join();
  EXPECT_EQ(report.status, StepReport::Status::canceled);
  EXPECT_EQ(report.message, "canceled");
  EXPECT_LT(answered - asked, 1);
  EXPECT_EQ(simulation.state().step, 0);
  EXPECT_EQ(simulation.ledger().time, 0);
  EXPECT_FALSE(simulation.ledger().failed);
}

}  // namespace brio
