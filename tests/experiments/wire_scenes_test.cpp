/// The wire scenes of the gallery do what their titles say.
#include <gtest/gtest.h>

#include "experiments/knots.h"
#include "scene/scene.h"

namespace brio {
namespace {

const std::string scenes = BRIO_SOURCE_DIR "/scenes/";

std::vector<Vec3> curve(const Simulation& simulation) {
  const Body& wire = simulation.model().bodies().front();
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < wire.mesh.vertices.size(); i += 3)
    points.emplace_back(simulation.state().x[static_cast<std::size_t>(wire.first_vertex) + i]);
  return points;
}

/// Of the vertices around the hole of `suture-half.obj`, now [m].
Vec3 hole(const Simulation& simulation, std::size_t body) {
  const auto first = static_cast<std::size_t>(simulation.model().bodies()[body].first_vertex);
  Vec3 sum = Vec3::Zero();
  for (const std::size_t v : {28, 29, 37, 38}) sum += 0.25 * simulation.state().x[first + v];
  return sum;
}

void play(Scene& scene) {
  for (int frame = 0; frame < scene.frames; ++frame) {
    const StepReport report = scene.simulation.step(scene.steps_per_frame);
    ASSERT_TRUE(report.ok()) << report.message;
  }
}

}  // namespace

TEST(WireScenes, TheCableUndoesItsKnot) {
  Scene scene = load_scene(scenes + "cable.toml");
  EXPECT_EQ(knot_determinant(curve(scene.simulation)), 3);
  play(scene);
  EXPECT_EQ(knot_determinant(curve(scene.simulation)), 1);
}

TEST(WireScenes, TheRopeKeepsItsKnot) {
  Scene scene = load_scene(scenes + "knot.toml");
  play(scene);
  EXPECT_EQ(knot_determinant(curve(scene.simulation)), 3);
}

TEST(WireScenes, TheHoseCoilsUp) {
  Scene scene = load_scene(scenes + "hose.toml");
  play(scene);
  EXPECT_GT(std::abs(writhe(curve(scene.simulation))), 3.5);
}

TEST(WireScenes, TheSutureDrawsTheLayerTogether) {
  Scene scene = load_scene(scenes + "suture.toml");
  const double gap = (hole(scene.simulation, 1) - hole(scene.simulation, 2)).norm();
  play(scene);
  EXPECT_LT((hole(scene.simulation, 1) - hole(scene.simulation, 2)).norm(), 0.85 * gap);
}

TEST(WireScenes, OnlyWiresCanBeStraightAtRest) {
  EXPECT_THROW(load_scene(scenes + "hello.toml", {{"body[0].straight", "true", "--set"}}), InputError);
}

}  // namespace brio
