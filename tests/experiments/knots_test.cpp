#include "experiments/knots.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

#include "brio/mesh.h"

namespace brio {
namespace {

constexpr double pi = std::numbers::pi;

/// A knot cut open where it is widest.
template <class Curve>
std::vector<Vec3> opened(Curve curve, int segments) {
  std::vector<Vec3> points;
  for (int i = 0; i <= segments; ++i) points.push_back(curve(2 * pi * (i + 0.5) / (segments + 1)));
  return points;
}

std::vector<Vec3> coil(double radius, double pitch, double turns, double hand) {
  std::vector<Vec3> points;
  for (int i = 0; i <= 800; ++i) {
    const double angle = 2 * pi * turns * i / 800;
    points.emplace_back(radius * std::cos(angle), hand * radius * std::sin(angle), pitch * angle / (2 * pi));
  }
  return points;
}

}  // namespace

TEST(Knots, DeterminantsTellKnotsApart) {
  EXPECT_EQ(knot_determinant(make_line({.length = 1, .segments = 20}).vertices), 1);
  EXPECT_EQ(knot_determinant(make_helix({.turns = 3, .segments = 90}).vertices), 1);
  EXPECT_EQ(knot_determinant(make_overhand_knot({.tail = 1, .segments = 120}).vertices), 3);
  const auto figure_eight = [](double t) {
    return Vec3((2 + std::cos(2 * t)) * std::cos(3 * t), (2 + std::cos(2 * t)) * std::sin(3 * t), std::sin(4 * t));
  };
  EXPECT_EQ(knot_determinant(opened(figure_eight, 400)), 5);
}

TEST(Knots, ADeterminantDoesNotDependOnTheViewNorOnSmallMotions) {
  const auto knot = make_overhand_knot({.tail = 1, .segments = 100}).vertices;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 50; ++k) {
    const Eigen::Quaterniond turn =
        Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized();
    std::vector<Vec3> points = knot;
    for (Vec3& p : points) p = turn * p + 2e-3 * Vec3(normal(random), normal(random), normal(random));
    EXPECT_EQ(knot_determinant(points), 3) << k;
  }
}

TEST(Knots, PassingOneStrandThroughAnotherUndoesAnOverhandKnot) {
  auto points = make_overhand_knot({.tail = 1, .segments = 100}).vertices;
  for (Vec3& p : points) p[2] = std::abs(p[2]);  // over and under become touch; lifted, all of one half lies above
  for (std::size_t i = 0; i < points.size(); ++i) points[i][2] += 0.01 * static_cast<double>(i);
  EXPECT_EQ(knot_determinant(points), 1) << "a curve that descends all the way is not knotted";
}

TEST(Knots, WritheIsZeroForPlaneCurvesAndThatOfTheoryForLongCoils) {
  std::vector<Vec3> plane;
  plane.reserve(60);
  for (int i = 0; i < 60; ++i) plane.emplace_back(0.1 * i, std::sin(0.2 * i), 0);
  EXPECT_NEAR(writhe(plane), 0, 1e-12);
  // Of a helix: turns (1 - sine of the pitch angle) for many turns. [Fuller 1971]
  for (const double pitch : {2.0, 6.0}) {
    const double slope = pitch / std::hypot(pitch, 2 * pi);
    const double expected = 20 * (1 - slope);
    EXPECT_NEAR(writhe(coil(1, pitch, 20, 1)), expected, 0.06 * expected) << pitch;
    EXPECT_NEAR(writhe(coil(1, pitch, 20, -1)), -writhe(coil(1, pitch, 20, 1)), 1e-9) << pitch;
  }
}

TEST(Knots, SegmentDistancesAreThoseOfDenselySampledSegments) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> u(-1, 1);
  const auto point = [&] { return Vec3(u(random), u(random), u(random)); };
  for (int k = 0; k < 100; ++k) {
    const Vec3 a = point(), b = point(), c = point(), d = k % 10 == 0 ? Vec3(c + 2 * (b - a)) : point();
    double sampled = 10;
    for (int i = 0; i <= 300; ++i)
      for (int j = 0; j <= 300; ++j)
        sampled = std::min(sampled, (a + i / 300.0 * (b - a) - c - j / 300.0 * (d - c)).norm());
    const double exact = segment_distance(a, b, c, d);
    EXPECT_LE(exact, sampled + 1e-12);
    EXPECT_GT(exact, sampled - 0.01);
  }
}

}  // namespace brio
