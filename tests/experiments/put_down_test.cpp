/// A long run of an experiment that is interrupted goes on from where it was put down.
#include "experiments/put_down.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "experiments/experiment.h"
#include "in_folder.h"

namespace brio {
namespace {

class PutDownRun : public testing::InFolder {
 protected:
  static constexpr long frames = 12;
  void SetUp() override {
    InFolder::SetUp();
    PutDown::set_interval(0);
  }
  void TearDown() override {
    PutDown::set_interval(60);
    InFolder::TearDown();
  }

  /// Height of a vertex is watched; `lasting`: frames until it is cut off from outside.
  Plan plan(long lasting = frames) {
    watched_ = 0;
    return {.scene = "s0-bar",
            .changes = {{"body[0].mesh", R"({ generate = "bar", size = [6, 0.4, 0.2], cells = [12, 1, 1] })"}},
            .frames = frames,
            .positions = true,
            .watch = [this, lasting](const Simulation& simulation) {
              if (watched_++ > lasting) throw std::runtime_error("cut off");
              return simulation.state().x[7][1];
            }};
  }
  static Plan finer(Plan plan) {
    plan.alter = [](SimulationOptions& options) { options.options.solver.tolerance = 1e-6; };
    return plan;
  }
  Trial trial(bool motion = false) const { return {.motion = motion, .folder = folder}; }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> list;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) list.push_back(entry.path());
    return list;
  }
  void cut_off(const Plan& plan, bool motion = false) {
    Outcome outcome;
    EXPECT_THROW(follow(trial(motion), plan, outcome), std::runtime_error);
  }
  /// How many states were come by.
  long steps_of(const Plan& plan) {
    Outcome outcome;
    follow(trial(), plan, outcome);
    return watched_;
  }

  long watched_ = 0;
};

void expect_same(const Track& a, const Track& b) {
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) EXPECT_EQ(a.rows[i].total, b.rows[i].total);
  EXPECT_EQ(a.watched, b.watched);
  EXPECT_EQ(a.ended, b.ended);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.frame_ms.size(), b.frame_ms.size());
  ASSERT_EQ(a.positions.size(), b.positions.size());
  for (const auto& [x, y] : {std::pair(&a.positions.back(), &b.positions.back()), std::pair(&a.end.x, &b.end.x)})
    for (std::size_t i = 0; i < x->size(); ++i) EXPECT_EQ(Vec3((*x)[i]), Vec3((*y)[i]));
}

}  // namespace

TEST_F(PutDownRun, GoesOnBitForBitAndIsKeptUntilTheRowIsDone) {
  Outcome whole, rest, again;
  const Track expected = follow({.motion = true}, plan(), whole);
  cut_off(plan(5), true);
  EXPECT_EQ(files().size(), 1u);
  const Track track = follow(trial(true), plan(), rest);
  EXPECT_EQ(watched_, frames - 5);
  expect_same(track, expected);
  EXPECT_EQ(rest.motions, whole.motions);

  const Track kept = follow(trial(true), plan(), again);
  EXPECT_EQ(watched_, 0) << "a run that had come to its end is not run again";
  expect_same(kept, expected);
  EXPECT_EQ(again.motions, whole.motions);

  std::ofstream(folder / "report.part") << "a file of others";
  PutDown::clear(folder);
  EXPECT_EQ(files(), std::vector{folder / "report.part"});
}

TEST_F(PutDownRun, ThatExplodedIsKeptAsItEnded) {
  Plan violent = plan();
  violent.integrator = "explicit-euler";
  violent.give_up = 2;
  Outcome once, twice;
  const Track first = follow(trial(), violent, once);
  ASSERT_TRUE(first.ended);
  watched_ = 0;
  expect_same(follow(trial(), violent, twice), first);
  EXPECT_EQ(watched_, 0);
}

TEST_F(PutDownRun, OfAnotherPlanIsLeftAlone) {
  cut_off(plan(5));
  Plan longer = plan(2 * frames);
  longer.frames = 2 * frames;
  EXPECT_EQ(steps_of(longer), 2 * frames + 1);
  EXPECT_EQ(steps_of(finer(plan())), frames + 1) << "options that no label tells";
  Plan stiffer = plan();
  stiffer.changes.emplace_back("body[0].material.mu", "900");
  EXPECT_EQ(steps_of(stiffer), frames + 1) << "a scene that begins alike";
  EXPECT_EQ(steps_of(plan()), frames - 5);
}

TEST_F(PutDownRun, ThatIsDamagedOrWasPutDownWithoutItsMotionIsLeftAlone) {
  cut_off(plan(5));
  Outcome outcome;
  follow(trial(true), plan(), outcome);
  EXPECT_EQ(watched_, frames + 1) << "put down without its motion";
  const std::filesystem::path file = files().front();
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 9);
  EXPECT_EQ(steps_of(plan()), frames + 1);
}

}  // namespace brio
