/// Scenes in which something moves from outside, with the figures that a support which jumps before each step got
/// wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scene/scene.h"

namespace brio {
namespace {

Scene driven_scene(const std::string& name, const std::string& integrator, std::vector<Override> more = {}) {
  more.insert(more.begin(), {.path = "integrator.name", .value = integrator, .origin = "test"});
  return load_scene(BRIO_SOURCE_DIR "/tests/scene/driven/" + name + ".toml", more);
}

void next_frame(Scene& scene) {
  const StepReport report = scene.simulation.step(scene.steps_per_frame);
  ASSERT_TRUE(report.ok()) << report.message;
}

double total_mass(const Model& model) {
  double mass = 0;
  for (const double m : model.mass()) mass += m;
  return mass;
}

double mean(const std::vector<double>& values, std::size_t from, std::size_t to) {
  double sum = 0;
  for (std::size_t k = from; k < to; ++k) sum += values[k];
  return sum / static_cast<double>(to - from);
}

}  // namespace

/// Was 0.84 m/s with stabilized, 0.99 with avf.
TEST(DrivenScenes, ABeltCarriesABlockAtItsOwnSpeed) {
  for (const std::string integrator : {"avf", "stabilized"}) {
    std::vector<Override> more;
    if (integrator == "stabilized") more.push_back({.path = "integrator.half_life", .value = "0.3", .origin = "test"});
    Scene scene = driven_scene("belt", integrator, more);
    const double mass = total_mass(scene.simulation.model());
    std::vector<double> speed;  // of each frame
    double heat = 0;
    for (int frame = 0; frame < 150; ++frame) {  // when the belt stops
      next_frame(scene);
      speed.push_back(scene.simulation.ledger().linear[0] / mass);
      EXPECT_GE(scene.simulation.ledger().friction_loss, heat - 1e-12) << integrator << ", frame " << frame;
      heat = scene.simulation.ledger().friction_loss;
    }
    EXPECT_NEAR(mean(speed, 120, 149), 0.5, 0.005) << integrator;
    constexpr std::size_t window = 15;  // a quarter of a second
    for (std::size_t k = 0; k + window < 150; ++k)
      EXPECT_LT(mean(speed, k, k + window), 0.505) << integrator << ", from frame " << k;
  }
}

/// Was 23.6 kW, and a bar squeezed by 27 %.
TEST(DrivenScenes, CarryingABarAtConstantSpeedTakesNoPowerAndDoesNotSqueezeIt) {
  Scene scene = driven_scene("carried", "avf");
  const Model& model = scene.simulation.model();
  std::size_t left = 0, right = 0;  // vertices at the ends
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    if (model.rest()[i][0] < model.rest()[left][0]) left = i;
    if (model.rest()[i][0] > model.rest()[right][0]) right = i;
  }
  for (int frame = 0; frame < 150; ++frame) next_frame(scene);
  const LedgerRow before = scene.simulation.ledger();
  for (int frame = 150; frame < scene.frames; ++frame) {
    next_frame(scene);
    const State& state = scene.simulation.state();
    EXPECT_NEAR(state.x[right][0] - state.x[left][0], 1, 1e-6);
  }
  const LedgerRow& after = scene.simulation.ledger();
  const double seconds = after.time - before.time;
  EXPECT_NEAR((after.damping_loss - before.damping_loss) / seconds, 0, 1e-6) << "W";
  EXPECT_NEAR((after.user_work - before.user_work) / seconds, 0, 1e-4) << "W";
  EXPECT_NEAR(after.kinetic, 20, 1e-3) << "40 kg at 1 m/s";
}

/// Was 3.3 m/s.
TEST(DrivenScenes, AWallThrowsABallAtNoMoreThanTwiceItsSpeed) {
  for (const std::string integrator : {"avf", "stabilized", "backward-euler"}) {
    Scene scene = driven_scene("bat", integrator);
    const double mass = total_mass(scene.simulation.model());
    for (int frame = 0; frame < scene.frames; ++frame) next_frame(scene);
    const double speed = scene.simulation.ledger().linear[0] / mass;
    EXPECT_LT(speed, 2.02) << integrator;
    EXPECT_GT(speed, integrator == "backward-euler" ? 1 : 1.5) << integrator;
  }
}

/// Was 102 kJ.
TEST(DrivenScenes, MovingABarByAMeterTakesItsKineticEnergyForAWhile) {
  Scene scene = driven_scene("smooth", "backward-euler");
  double peak = 0;
  for (int frame = 0; frame < scene.frames; ++frame) {
    next_frame(scene);
    peak = std::max(peak, scene.simulation.ledger().user_work);
  }
  EXPECT_LT(peak, 100);
  EXPECT_GT(peak, 60) << "40 kg at 1.875 m/s: 70 J";
}

}  // namespace brio
