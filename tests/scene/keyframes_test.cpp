/// What scenes say of paths: curves, pivots, turns about any axis, and how attachments are forced along them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "scene/motion.h"
#include "scene/testing.h"

namespace brio {
namespace {

using testing::SceneFile;

constexpr double degree = std::numbers::pi / 180;

Motion motion_of(const std::string& keys, const Vec3& middle = Vec3::Zero(), const Vec3& offset = Vec3::Zero()) {
  return read_motion(parse_toml(keys, "s.toml"), middle, offset);
}

class Keyframes : public SceneFile {
 protected:
  /// Of a pin, an attachment and a collider with these keys beside their own.
  std::vector<std::string> complaints_of_all(const std::string& keys) const {
    return {body_complaint("pin = { select = { vertex = 0 }, " + keys + " }"),
            body_complaint("attach = { select = { vertex = 0 }, " + keys + " }"),
            complaint("collider = [{ shape = 'plane', point = [0, -9, 0], " + keys + " }]\n" + minimal(""))};
  }
};

}  // namespace

TEST(Keyframe, InterpolationIsLinearUnlessItIsSmooth) {
  const std::string path = "path = [[0, [0, 0, 0]], [1, [1, 0, 0]], [2, [3, 0, 0]], [3, [2, 0, 0]]]\n";
  const Motion linear = motion_of(path), smooth = motion_of(path + "interpolate = 'smooth'");
  EXPECT_EQ(motion_of(path + "interpolate = 'linear'").at(0.3).translation, linear.at(0.3).translation);
  EXPECT_NEAR(linear.at(0.5).translation[0], 0.5, 1e-15);
  EXPECT_NEAR(linear.rate(1.5).linear[0], 2, 1e-15);
  for (const double time : {0.0, 1.0, 2.0, 3.0})
    EXPECT_EQ(smooth.at(time).translation, linear.at(time).translation) << "goes through the keys";
  for (double time = -0.5; time < 3.5; time += 0.01) {
    const double x = smooth.at(time).translation[0];
    EXPECT_TRUE(x >= 0 && x <= 3) << "overshoots at " << time;
    const double slope = (smooth.at(time + 1e-6).translation[0] - smooth.at(time - 1e-6).translation[0]) / 2e-6;
    EXPECT_NEAR(smooth.rate(time).linear[0], slope, 1e-4) << "velocity is that of the curve at " << time;
  }
  for (const double time : {0.0, 1.0, 2.0, 3.0})
    EXPECT_NEAR(smooth.rate(time, Side::before).linear[0], smooth.rate(time, Side::after).linear[0], 1e-12) << time;
  EXPECT_EQ(smooth.rate(0).linear[0], 0);
  EXPECT_EQ(smooth.rate(2).linear[0], 0) << "turns back";
}

/// The times of one do not add keys to the other, which would change its curve.
TEST(Keyframe, PathAndTurnAreCurvesOfTheirOwn) {
  const std::string path = "path = [[0, [0, 0, 0]], [1, [2, 0, 0]]]\n";
  const std::string turn = "turn = [[0.3, 0], [0.4, 80], [0.9, 400]]\n";
  for (const std::string interpolate : {"interpolate = 'linear'\n", "interpolate = 'smooth'\n"}) {
    const Motion both = motion_of(path + turn + interpolate);
    const Motion moves = motion_of(path + interpolate), turns = motion_of(turn + interpolate);
    for (double time = -0.1; time < 1.2; time += 0.05) {
      EXPECT_EQ(both.at(time).translation, moves.at(time).translation) << time;
      EXPECT_EQ(both.at(time).rotation, turns.at(time).rotation) << time;
      EXPECT_EQ(both.rate(time).angular, turns.rate(time).angular) << time;
    }
  }
}

TEST(Keyframe, APathCarriesThePivotAndTurnsGoAboutIt) {
  const std::string keys = "path = [[0, [1, 0, 0]], [1, [1, 2, 0]]]\nturn = [[0, 0], [1, 90]]\naxis = [0, 0, 1]\n";
  const Motion motion = motion_of(keys + "pivot = [1, 0, 0]", Vec3(0, 0, 5));
  EXPECT_LT((motion.at(1).apply(Vec3(1, 0, 0)) - Vec3(1, 2, 0)).norm(), 1e-15) << "the pivot";
  EXPECT_LT((motion.at(1).apply(Vec3(3, 0, 0)) - Vec3(1, 4, 0)).norm(), 1e-15);
  EXPECT_LT((motion.rate(1, Side::before).at(Vec3(1, 4, 0)) - Vec3(-2 * std::numbers::pi / 2, 2, 0)).norm(), 1e-12);
  const Motion copy = motion_of(keys + "pivot = [1, 0, 0]", Vec3(0, 0, 5), Vec3(10, 0, 0));
  EXPECT_LT((copy.at(1).apply(Vec3(13, 0, 0)) - Vec3(11, 4, 0)).norm(), 1e-14) << "goes along with a copy";
  const Motion swung = motion_of("turn = [[0, 0], [1, 90]]\naxis = [0, 0, 1]\npivot = [1, 0, 0]");
  EXPECT_LT((swung.at(1).apply(Vec3(3, 0, 0)) - Vec3(1, 2, 0)).norm(), 1e-15) << "without a path it stays";
}

TEST(Keyframe, TurnsMayHaveAxesOfTheirOwn) {
  const Motion about_axis = motion_of("turn = [[0, 0], [2, 500]]\naxis = [0, 0, 3]");
  const Motion own = motion_of("turn = [[0, [0, 0, 0]], [2, [0, 0, 500]]]");
  for (const double time : {0.0, 0.5, 1.3, 2.0})
    EXPECT_LT((own.at(time).rotation - about_axis.at(time).rotation).norm(), 1e-14) << time;
  for (const std::string interpolate : {"linear", "smooth"}) {
    const Motion two =
        motion_of("turn = [[0, [0, 0, 0]], [1, [90, 0, 0]], [2, [0, 90, 0]]]\ninterpolate = '" + interpolate + "'");
    const Mat3 x = Eigen::AngleAxisd(90 * degree, Vec3::UnitX()).toRotationMatrix();
    const Mat3 y = Eigen::AngleAxisd(90 * degree, Vec3::UnitY()).toRotationMatrix();
    EXPECT_LT((two.at(1).rotation - x).norm(), 1e-14);
    EXPECT_LT((two.at(2).rotation - y).norm(), 1e-14);
    // In between the shortest turn, by half of 120 degrees when half the time is over.
    EXPECT_NEAR(Eigen::AngleAxisd(Mat3(two.at(1.5).rotation * x.transpose())).angle(), 60 * degree, 1e-12);
    const double speed = interpolate == "smooth" ? 1.5 : 1;
    EXPECT_NEAR(two.rate(1.5).angular.norm(), speed * 120 * degree, 1e-12) << interpolate;
  }
}

TEST_F(Keyframes, PinsAttachmentsAndCollidersReadThemAll) {
  const std::string motion =
      "turn = [[0, [0, 0, 0]], [1, [0, 0, 90]]], pivot = [0, 2, 0], path = [[0, [0, 2, 0]], [1, [0, 3, 0]]], "
      "interpolate = 'smooth'";
  for (const std::string& complaint : complaints_of_all(motion)) EXPECT_EQ(complaint, "no complaint");
  Scene scene = load_body("pin = { select = { vertex = 0 }, " + motion + " }");
  const Vec3 start = scene.simulation.state().x[0];
  ASSERT_TRUE(scene.simulation.step(500).ok());
  const double s = std::sqrt(0.5);
  const Vec3 arm = start - Vec3(0, 2, 0), turned(s * (arm[0] - arm[1]), s * (arm[0] + arm[1]), arm[2]);
  EXPECT_LT((scene.simulation.state().x[0] - Vec3(0, 2.5, 0) - turned).norm(), 1e-12);
}

TEST_F(Keyframes, WhatIsWrongIsSaidWithPlaceAndRemedy) {
  const auto of_pin = [&](const std::string& keys) {
    return body_complaint("pin = { select = { vertex = 0 }, " + keys + " }");
  };
  const std::string turn = "turn = [[0, 0], [1, 9]]";
  EXPECT_EQ(of_pin(turn + ", interpolate = 'smoth'"),
            "s.toml:5: body[0].pin.interpolate = \"smoth\": must be one of linear, smooth; did you mean 'smooth'?");
  EXPECT_EQ(of_pin(turn + ", interpolat = 'smooth'"),
            "s.toml:5: body[0].pin.interpolat = \"smooth\": unknown key; did you mean 'interpolate'?");
  EXPECT_EQ(of_pin(turn + ", interpolate = 3"), "s.toml:5: body[0].pin.interpolate = 3: must be a text in quotes");
  EXPECT_EQ(of_pin(turn + ", pivot = [1, 2]"), "s.toml:5: body[0].pin.pivot = [1, 2]: must be a list of 3 numbers [m]");
  EXPECT_EQ(
      of_pin("turn = [[0, [0, 0, 0]], [1, [0, 9, 0]]], axis = [0, 1, 0]"),
      "s.toml:5: body[0].pin.axis = [0, 1, 0]: is of no use where turn gives [time, [x, y, z]]; there, axis times "
      "degrees say both");
  EXPECT_EQ(
      of_pin("turn = [[0, 0], [1, [0, 9, 0]]]"),
      "s.toml:5: body[0].pin.turn[1] = [1, [0, 9, 0]]: must be a list of [time, degrees], or of [time, [x, y, z]]");
  EXPECT_EQ(of_pin("turn = [[0, [0, 0, 0]], [1, 9]]"),
            "s.toml:5: body[0].pin.turn[1] = [1, 9]: must be a list of [time, [x, y, z]], axis times degrees, "
            "throughout");
  EXPECT_EQ(of_pin("turn = [[0, [0, 0, 0]], [0, [0, 9, 0]]]"),
            "s.toml:5: body[0].pin.turn[1] = [0, [0, 9, 0]]: times must ascend");
  EXPECT_EQ(of_pin("pivot = [0, 1, 0], path = [[0, [0, 0, 0]], [1, [0, 1, 0]]]"),
            "s.toml:5: body[0].pin.path = [[0, [0, 0, 0]], [1, [0, 1, 0]]]: begins at [0, 0, 0], but the pivot is at "
            "[0, 1, 0]; a path says where the pivot is: add [0, 1, 0] to every place");
  for (const std::string key : {"pivot = [0, 1, 0]", "interpolate = 'smooth'"})
    for (const std::string& complaint : complaints_of_all(key))
      EXPECT_NE(complaint.find(": is of no use without path or turn"), std::string::npos) << complaint;
  const auto attached = [&](const std::string& keys) {
    return body_complaint("attach = { select = { vertex = 0 }, " + keys + " }");
  };
  EXPECT_EQ(attached(turn + ", forcing = 's2'"),
            "s.toml:5: body[0].attach.forcing = \"s2\": must be one of path, s1; did you mean 's1'?");
  EXPECT_EQ(attached("forcing = 's1'"), "s.toml:5: body[0].attach.forcing = \"s1\": is of no use without path or turn");
  EXPECT_EQ(of_pin(turn + ", forcing = 's1'").find("s.toml:5: body[0].pin.forcing = \"s1\": unknown key"), 0U);
}

TEST_F(Keyframes, PinsWhosePathsDifferOnlyBetweenKeysAreRefused) {
  const std::string pin = "{ select = { vertex = 0 }, path = [[0, [-0.5, -0.5, -0.5]], [1, [-0.5, 1.5, -0.5]]]";
  EXPECT_EQ(body_complaint("pin = [" + pin + " }, " + pin + " }]"), "no complaint");
  EXPECT_NE(body_complaint("pin = [" + pin + " }, " + pin + ", interpolate = 'smooth' }]").find("at 0.25 s"),
            std::string::npos);
}

/// [S1 section 4.3]: the points are where the step ends before it begins, and the energy that this adds is the work.
TEST_F(Keyframes, ForcingS1JumpsBeforeTheStep) {
  const auto work_of_one_step = [&](const std::string& forcing) {
    Scene scene = load(
        "gravity = [0, 0, 0]\nintegrator.name = 'backward-euler'\n[time]\nh = 0.01\n[[body]]\nkind = 'particles'\n"
        "mass = 2\nmesh = { generate = 'line', segments = 1 }\nattach = { select = { all = true }, stiffness = 100, "
        "path = "
        "[[0, [0, 0, 0]], [1, [3, 0, 0]]]" +
        forcing + " }\n");
    EXPECT_TRUE(scene.simulation.step().ok());
    return scene.simulation.ledger().user_work;
  };
  const double jumped = 2 * 0.5 * 100 * 0.03 * 0.03;  // two springs, stretched by 3 m/s for 0.01 s
  EXPECT_NEAR(work_of_one_step(", forcing = 's1'"), jumped, 1e-12);
  EXPECT_GT(work_of_one_step(", forcing = 'path'"), 1.5 * jumped) << "force at the end of the step times the way";
  EXPECT_EQ(work_of_one_step(""), work_of_one_step(", forcing = 'path'"));
}

}  // namespace brio
