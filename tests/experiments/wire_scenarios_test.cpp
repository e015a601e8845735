/// Knots, hose and suture, in the short forms.
#include "experiments/wire_scenarios.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "experiments/knots.h"

namespace brio {
namespace {

double stretch(const std::vector<Vec3>& curve) { return (curve.front() - curve.back()).norm(); }

/// How far the curve strays from the line between its ends [m].
double breadth(const std::vector<Vec3>& curve) {
  const Vec3 along = (curve.back() - curve.front()).normalized();
  double most = 0;
  for (const Vec3& p : curve) most = std::max(most, (p - curve.front()).cross(along).norm());
  return most;
}

}  // namespace

TEST(WireScenarios, AnOverhandKnotHoldsAThousandFramesUnderTension) {
  WireScenario knot = tightened_knot(true);
  ASSERT_TRUE(knot.run(2).ok());
  const double size = breadth(knot.curve());
  EXPECT_LT(size, 0.06) << "a stopper of some three diameters";
  for (int frame = 0; frame < 1000; ++frame) {
    const StepReport report = knot.run(2e-3);
    ASSERT_TRUE(report.ok()) << report.message;
    ASSERT_EQ(knot_determinant(knot.curve()), 3) << "frame " << frame;
  }
  EXPECT_LT(knot.simulation.ledger().kinetic, 1e-3);
  EXPECT_LT(breadth(knot.curve()), 1.1 * size);
  EXPECT_GT(min_distance(knot.curve(), 4), 0.01) << "links keep at least half of their thickness apart";
}

TEST(WireScenarios, ASpringyCableUndoesItsKnot) {
  WireScenario cable = unknotting_cable(true);
  EXPECT_EQ(knot_determinant(cable.curve()), 3);
  const double elastic = cable.simulation.ledger().elastic;
  const StepReport report = cable.run(cable.duration);
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(knot_determinant(cable.curve()), 1);
  EXPECT_LT(cable.simulation.ledger().elastic, 0.2 * elastic);
  EXPECT_GT(stretch(cable.curve()), 1.2);
}

TEST(WireScenarios, ATwistedHoseTradesTwistForLoops) {
  WireScenario hose = twisted_hose(true);
  ASSERT_TRUE(hose.run(1).ok());
  EXPECT_LT(std::abs(writhe(hose.curve())), 0.5) << "twisted but nearly straight";
  const StepReport report = hose.run(hose.duration - 1);
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_GT(std::abs(writhe(hose.curve())), 1.5);
  EXPECT_EQ(knot_determinant(hose.curve()), 1);
  EXPECT_GT(min_distance(hose.curve(), 4), 0.012) << "it lies against itself, not in itself";
}

TEST(WireScenarios, ASutureDrawsTheHalvesOfALayerTogether) {
  Suture s = suture(true);
  const double gap = (s.hole(1) - s.hole(0)).norm();
  StepReport report = s.scenario.run(s.tight_from);
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(s.passes(0), 1);
  EXPECT_EQ(s.passes(1), 1);
  report = s.scenario.run(s.scenario.duration - s.tight_from);
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(s.passes(0), 1) << "the thread stays in its holes";
  EXPECT_EQ(s.passes(1), 1);
  EXPECT_LT((s.hole(1) - s.hole(0)).norm(), 0.85 * gap);
}

}  // namespace brio
