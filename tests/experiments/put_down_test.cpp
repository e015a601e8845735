/// A long run of an experiment that is interrupted goes on from where it was put down.
#include "experiments/put_down.h"

#include <gtest/gtest.h>

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
  static Plan plan() {
    return {.scene = "s0-bar",
            .changes = {{"body[0].mesh", R"({ generate = "bar", size = [6, 0.4, 0.2], cells = [12, 1, 1] })"}},
            .frames = frames,
            .positions = true};
  }
  Trial trial() const { return {.motion = true, .folder = folder}; }
  long files() const {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  }
};

}  // namespace

TEST_F(PutDownRun, GoesOnBitForBitAndLeavesNothingBehind) {
  Outcome whole, rest;
  const Track expected = follow({.motion = true}, plan(), whole);

  // Puts down what an interrupted process would have: the first five frames.
  Scene scene = paper_scene(plan().scene, plan().changes);
  Plan all = plan();
  all.steps_per_frame = scene.steps_per_frame;
  all.label = scene.simulation.method().name;
  PutDown put_down(folder, scene.simulation, all);
  Track first;
  for (int frame = 0; frame <= 5; ++frame) {
    if (frame > 0) {
      ASSERT_TRUE(scene.simulation.step(all.steps_per_frame).ok());
    }
    first.rows.push_back(scene.simulation.ledger());
    first.positions.push_back(scene.simulation.state().x);
    put_down.frame(scene.simulation, first, nullptr);
  }
  ASSERT_EQ(files(), 1);

  Track seen;
  Scene again = paper_scene(plan().scene, plan().changes);
  EXPECT_EQ(PutDown(folder, again.simulation, all).take_up(again.simulation, seen, nullptr), 5);
  EXPECT_EQ(again.simulation.hash(), scene.simulation.hash());

  const Track track = follow({.folder = folder}, plan(), rest);
  ASSERT_EQ(track.rows.size(), expected.rows.size());
  EXPECT_EQ(track.rows.back().total, expected.rows.back().total);
  for (std::size_t i = 0; i < track.end.x.size(); ++i) EXPECT_EQ(Vec3(track.end.x[i]), Vec3(expected.end.x[i]));
  EXPECT_EQ(track.positions.size(), expected.positions.size());
  EXPECT_EQ(files(), 0);
}

TEST_F(PutDownRun, OfAnotherPlanOrDamagedIsLeftAlone) {
  Scene scene = paper_scene(plan().scene, plan().changes);
  PutDown put_down(folder, scene.simulation, plan());
  Track first;
  first.rows.push_back(scene.simulation.ledger());
  put_down.frame(scene.simulation, first, nullptr);
  Plan longer = plan();
  longer.frames = 2 * frames;
  Track track;
  EXPECT_EQ(PutDown(folder, scene.simulation, longer).take_up(scene.simulation, track, nullptr), -1);
  EXPECT_EQ(put_down.take_up(scene.simulation, track, nullptr), 0);

  ASSERT_TRUE(scene.simulation.step(scene.steps_per_frame).ok());
  const std::uint64_t before = scene.simulation.hash();
  Recording shown;
  shown.positions.resize(1);
  EXPECT_EQ(put_down.take_up(scene.simulation, track, &shown), -1) << "put down without its motion";
  EXPECT_EQ(scene.simulation.hash(), before) << "and nothing is changed";

  const std::filesystem::path file = std::filesystem::directory_iterator(folder)->path();
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 9);
  EXPECT_EQ(put_down.take_up(scene.simulation, track, nullptr), -1);
}

}  // namespace brio
