/// Who moves along sees the same motion and the same books.
#include <gtest/gtest.h>

#include "driven_testing.h"

namespace brio {
namespace {

using testing::DrivenScene;

struct Seen {
  NodalField x;  ///< less u t
  double residual = 0, friction_loss = 0, damping_loss = 0;
};

Seen run(const DrivenScene& scene, const Method& method, const Vec3& u, int steps) {
  const bool is_explicit = method.force_evaluations > 0;
  Simulation simulation = scene.make(
      {.integrator = method.name, .h = is_explicit ? 1e-4 : 1.0 / 60, .options = {.solver = {.tolerance = 1e-11}}}, u);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok()) << scene.name << ", " << method.name << ", step " << k << ": " << report.message;
    if (!report.ok()) break;
  }
  Seen seen{.x = simulation.state().x};
  for (std::size_t i = 0; i < seen.x.size(); ++i) seen.x[i] -= simulation.state().time * u;
  seen.residual = simulation.ledger().residual;
  seen.friction_loss = simulation.ledger().friction_loss;
  seen.damping_loss = simulation.ledger().damping_loss;
  return seen;
}

/// Contact amplifies rounding, so the runs are short.
void expect_the_same_for_every_observer(const DrivenScene& scene, const Method& method) {
  if (method.force_evaluations > 0 && scene.implicit_only) return;
  const Seen still = run(scene, method, Vec3::Zero(), 10);
  const Seen along = run(scene, method, Vec3(0.7, 0.3, -0.2), 10);
  double apart = 0;
  for (std::size_t i = 0; i < still.x.size(); ++i) apart = std::max(apart, (still.x[i] - along.x[i]).norm());
  const std::string what = scene.name + ", " + method.name;
  EXPECT_LT(apart, 2e-9) << what;
  EXPECT_NEAR(along.residual, still.residual, 2e-9) << what;
  EXPECT_NEAR(along.friction_loss, still.friction_loss, 2e-9) << what;
  EXPECT_NEAR(along.damping_loss, still.damping_loss, 2e-9) << what;
}

class Galilean : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Galilean, MotionAndResidualAreTheSameForEveryObserver) {
  const DrivenScene scene = testing::driven_scenes()[GetParam()];
  for (const Method& method : integrators())
    if (method.dynamic) expect_the_same_for_every_observer(scene, method);
}

std::string readable(const ::testing::TestParamInfo<std::size_t>& info) {
  std::string name = testing::driven_scenes()[info.param].name;
  std::erase_if(name, [](char c) { return c == ' ' || c == ','; });
  return name;
}
INSTANTIATE_TEST_SUITE_P(Scenes, Galilean, ::testing::Range<std::size_t>(0, testing::driven_scenes().size()), readable);

/// The solver's measure of convergence does not depend on the observer either.
TEST(Galilean, SpeedDoesNotLoosenTheTolerance) {
  const auto jiggling = [](double speed) {
    Model model;
    model.add(testing::small_bar());
    State state = testing::shaken(model, Vec3(speed, 0, 0), 1);
    Simulation simulation(std::move(model), std::move(state),
                          {.integrator = "implicit-midpoint", .h = 0.01, .options = {.solver = {.tolerance = 1e-3}}});
    EXPECT_TRUE(simulation.step(50).ok());
    const LedgerRow& row = simulation.ledger();
    return row.kinetic + row.elastic - 0.5 * row.linear.squaredNorm() / 0.8;
  };
  const double still = jiggling(0);
  EXPECT_NEAR(jiggling(500), still, 1e-6 * still);
}

}  // namespace
}  // namespace brio
