#include "report/phase_chart.h"

#include <gtest/gtest.h>

#include <cmath>

#include "record/testing.h"
#include "report/svg.h"

namespace brio {
namespace {

class PhaseSpace : public testing::InFolder {
 protected:
  static constexpr double rate = 3;  // rad/s
  static constexpr int steps = 60;

  static double time(int frame) { return 0.05 * frame; }

  /// A vertex at rest, and one on a circle of radius 2 around it in the plane of two axes.
  NamedFrames circling(int first, int second) const {
    NamedFrames run{"circle", folder / "frames.bin"};
    FrameCacheWriter writer(run.file, {.vertices = 2, .frames_per_second = 20});
    NodalField x(2), v(2);
    x.row(0)[1] = x.row(1)[1] = 5;
    for (int frame = 0; frame <= steps; ++frame) {
      const double angle = rate * time(frame);
      for (int axis = 0; axis < 3; ++axis) {
        const double along = (axis == first ? std::cos(angle) : 0) + (axis == second ? std::sin(angle) : 0);
        const double speed = (axis == first ? -std::sin(angle) : 0) + (axis == second ? std::cos(angle) : 0);
        x.row(1)[axis] = x.row(0)[axis] + 2 * along;
        v.row(1)[axis] = 2 * rate * speed;
      }
      writer.add(x, v);
    }
    return run;
  }
  static std::string refusal(const NamedFrames& run, const PhaseChoice& choice) {
    return testing::complaint([&] { phase_chart({run}, choice); });
  }
};

}  // namespace

TEST_F(PhaseSpace, IsPositionAgainstVelocityOfTheLastVertexUnlessAnotherIsChosen) {
  const Chart chart = phase_chart({circling(0, 1)}, {.coordinate = "y"});
  ASSERT_EQ(chart.series.size(), 1u);
  EXPECT_EQ(chart.series[0].name, "circle");
  ASSERT_EQ(chart.series[0].x.size(), steps + 1u);
  for (int frame = 0; frame <= steps; ++frame) {
    EXPECT_NEAR(chart.series[0].x[frame], 5 + 2 * std::sin(rate * time(frame)), 1e-6);
    EXPECT_NEAR(chart.series[0].y[frame], 2 * rate * std::cos(rate * time(frame)), 1e-6);
  }
  EXPECT_EQ(chart.x_label, "y [m]");
  EXPECT_EQ(chart.y_label, "velocity along y [m/s]");
  const Chart still = phase_chart({circling(0, 1)}, {.coordinate = "y", .vertex = 0});
  EXPECT_EQ(still.series[0].x.back(), 5);
  EXPECT_EQ(still.series[0].y.back(), 0);
}

TEST_F(PhaseSpace, AnglesCountFromStraightDownByTheRightHandAndGoOnBeyondHalfATurn) {
  // By the right hand around z, x and y; the quarter turns from where the angle is zero to where the circle starts.
  const double quarter = std::acos(0.0);
  for (const auto& [about, first, second, start] :
       {std::tuple("z", 0, 1, quarter), std::tuple("x", 1, 2, 2 * quarter), std::tuple("y", 2, 0, -quarter)}) {
    const Chart chart = phase_chart({circling(first, second)}, {.coordinate = "angle", .about = about});
    const double turned = rate * time(steps);
    ASSERT_GT(turned, 8) << "more than one turn";
    EXPECT_NEAR(std::remainder(chart.series[0].x.front() - start, 4 * quarter), 0, 1e-6) << about;
    EXPECT_NEAR(chart.series[0].x.back() - chart.series[0].x.front(), turned, 1e-6) << about;
    for (const double value : chart.series[0].y) EXPECT_NEAR(value, rate, 1e-6) << about;
  }
}

TEST_F(PhaseSpace, ThePivotMayBeAPoint) {
  const Chart chart = phase_chart({circling(0, 1)}, {.coordinate = "angle", .pivot = {0, 5, 9}});
  for (const double value : chart.series[0].y) EXPECT_NEAR(value, rate, 1e-6);
}

TEST_F(PhaseSpace, CurvesKeepOffTheFrameOfThePicture) {
  Chart chart{
      .title = "", .x_label = "x", .x_margin = 0, .y_label = "v", .series = {{.name = "a", .x = {0, 1}, .y = {0, 1}}}};
  const std::string tight = to_svg(chart);
  chart.x_margin = 0.04;
  EXPECT_NE(to_svg(chart), tight);
}

TEST_F(PhaseSpace, WhatIsNotThereIsNamed) {
  const NamedFrames run = circling(0, 1);
  const std::string file = run.file.string();
  EXPECT_EQ(refusal(run, {.vertex = 2}), "--vertex = 2: " + file + " has no such vertex; name one of 0 to 1");
  EXPECT_EQ(refusal(run, {.coordinate = "angle", .pivot = {0.5}}),
            "--pivot = 0.5: " + file + " has no such vertex; name one of 0 to 1");
  EXPECT_EQ(refusal(run, {.coordinate = "angle", .pivot = {1, 2}}),
            "--pivot: has 2 numbers; give a vertex, or the x,y,z of a point");
  EXPECT_EQ(refusal(run, {.coordinate = "angle", .pivot = {1}}),
            "--pivot: the vertex lies on the axis through it, where there is no angle; choose another --vertex, "
            "--pivot or --about");
  EXPECT_EQ(refusal(run, {.coordinate = "w"}), "--phase = w: is none of x, y, z");
  FrameCacheWriter(run.file, {.vertices = 2, .frames_per_second = 20});
  EXPECT_EQ(refusal(run, {}), file + ": has no complete frame");
}

}  // namespace brio
