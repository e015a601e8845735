#include "report/modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "brio/mesh.h"
#include "brio/sim.h"
#include "in_folder.h"
#include "record/frame_cache.h"
#include "report/comparison.h"

namespace brio {
namespace {

/// n beads of 0.2 kg between springs of 50 N/m, its ends held.
Model string_of_beads(int segments) {
  Model model;
  const BodyId body =
      model.add(ParticlesOptions{.mesh = make_line({.length = 1, .segments = segments}), .stiffness = 50, .mass = 0.2});
  model.pin(body, std::vector<int>{0, segments});
  return model;
}

/// Of a string of beads: 2 √(k/m) sin(iπ/2n).
double frequency_of_string(int i, int segments) {
  return 2 * std::sqrt(50 / 0.2) * std::sin(i * std::numbers::pi / (2 * segments));
}

}  // namespace

TEST(Modes, FrequenciesOfAStringOfBeadsAreThoseOfTheTextbook) {
  for (const int segments : {12, 400}) {  // all at once, and by iteration
    const Modes modes = Modes::of_patterns(string_of_beads(segments), 8);
    ASSERT_EQ(modes.count(), 8);
    for (int i = 1; i <= 8; ++i)
      EXPECT_NEAR(modes.frequencies()[i - 1] / frequency_of_string(i, segments), 1, 1e-8) << segments << ' ' << i;
  }
}

TEST(Modes, OfVibrationAFreeSolidHasSixWithoutFrequencyAndItsMotionAsAWholeIsTheirs) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.size = {1, 0.3, 0.3}, .cells = {8, 2, 2}})});
  const Modes modes = Modes::of_vibration(model, model.rest(), 8);
  EXPECT_LT(modes.frequencies()[5], 1e-3 * modes.frequencies()[6]);
  NodalField v(model.vertices());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = Vec3(1, 2, 3) + Vec3(3, 1, -2).cross(Vec3(model.rest()[i]));
  EXPECT_LT(modes.kinetic_energy_above(v), 1e-9 * model.kinetic_energy(v));
}

TEST(Modes, AModeOfVibrationIsAMotionThatTheBodyKeeps) {
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.size = {1, 0.2, 0.2}, .cells = {8, 2, 2}})});
  std::vector<int> held;
  for (std::size_t i = 0; i < model.vertices(); ++i)
    if (model.rest()[i][0] < -0.49) held.push_back(static_cast<int>(i));
  ASSERT_FALSE(held.empty());
  model.pin(bar, held);
  model.set_gravity(Vec3::Zero());
  const Modes all = Modes::of_vibration(model, model.rest(), 12);
  State state = model.rest_state();
  // A small kick along the third mode: its acceleration by the forces of half a period later is that of the mode alone.
  const NodalField shape = all.shape(2);
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = 1e-6 * shape[i];
  const double start = model.kinetic_energy(state.v);
  const double omega = all.frequencies()[2];
  const int steps = 2000;
  Simulation simulation(model, state, {.integrator = "verlet", .h = 2 * std::numbers::pi / omega / steps});
  ASSERT_TRUE(simulation.step(steps).ok());
  const std::vector<double> parts = all.kinetic_energies(simulation.state().v);
  EXPECT_NEAR(parts[2] / start, 1, 1e-3) << "after a period all of it is back";
  EXPECT_LT(all.kinetic_energy_above(simulation.state().v), 1e-3 * start);
}

/// What swings in the slowest mode is not above it; what goes to and fro from bead to bead is.
TEST(Modes, EnergyOfARecordedRunAboveThemIsThatOfWhatIsFiner) {
  const testing::TestFolder folder;
  const int segments = 40;
  const Model model = string_of_beads(segments);
  NodalField slow(model.vertices()), fast(model.vertices());
  for (int i = 1; i < segments; ++i) {
    slow[i][1] = std::sin(i * std::numbers::pi / segments);
    fast[i][1] = i % 2 == 0 ? 1 : -1;
  }
  {
    FrameCacheWriter writer(folder.path() / "frames.bin", {.vertices = model.vertices(), .frames_per_second = 10});
    writer.add(model.rest(), slow);
    writer.add(model.rest(), fast);
  }
  const Series above = energy_above(Modes::of_patterns(model, 5), FrameCache(folder.path() / "frames.bin"));
  EXPECT_EQ(above.x, (std::vector<double>{0, 0.1}));
  EXPECT_LT(above.y[0], 1e-6 * model.kinetic_energy(slow)) << "float32 in the file";
  EXPECT_NEAR(above.y[1] / model.kinetic_energy(fast), 1, 0.05);
}

TEST(Modes, PartsAddUpToTheWhole) {
  const Model model = string_of_beads(40);
  const Modes modes = Modes::of_patterns(model, 39);
  NodalField v(model.vertices());
  for (std::size_t i = 1; i + 1 < v.size(); ++i) v[i] = Vec3(std::sin(7.0 * double(i)), std::cos(3.0 * double(i)), 0.3);
  double sum = 0;
  for (const double part : modes.kinetic_energies(v)) sum += part;
  EXPECT_NEAR(sum / model.kinetic_energy(v), 1, 1e-10);
}

}  // namespace brio
