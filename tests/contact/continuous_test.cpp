#include "contact/continuous.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace brio {
namespace {

using Places = std::array<Vec3, 4>;

Places random_places(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> place(-size, size);
  Places x;
  for (Vec3& p : x) p = Vec3(place(random), place(random), place(random));
  return x;
}

Places along(const Places& x, const Places& d, double s) {
  Places y;
  for (int i = 0; i < 4; ++i) y[i] = x[i] + s * d[i];
  return y;
}

const Places above_triangle{Vec3(0.2, 1, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)};
const Places crosswise{Vec3(-1, 1, 0), Vec3(1, 1, 0), Vec3(0, 0, -1), Vec3(0, 0, 1)};
const Places down{Vec3(0, -5, 0), Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)};
const Places both_down{Vec3(0, -5, 0), Vec3(0, -5, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)};

}  // namespace

TEST(SafeStep, KeepsATenthOfTheDistanceEverywhereOnThePath) {
  std::mt19937 random(1);
  int limited = 0;
  for (const PairKind kind : {PairKind::point_triangle, PairKind::segment_segment, PairKind::point_segment})
    for (int i = 0; i < 300; ++i) {
      const Places x = random_places(random, 1);
      const Places d = random_places(random, 3);
      const double start = nearest(kind, x.data()).distance();
      const double step = safe_step(kind, x.data(), d.data(), 2);
      ASSERT_GT(step, 0);
      limited += step < 1 ? 1 : 0;
      for (int k = 0; k <= 100; ++k)
        EXPECT_GE(nearest(kind, along(x, d, step * k / 100).data()).distance(), 0.0999 * start);
    }
  EXPECT_GT(limited, 50);
}

TEST(SafeStep, GoesNineTenthsOfTheWayToAFrontalCollision) {
  const double point = safe_step(PairKind::point_triangle, above_triangle.data(), down.data(), 2);
  EXPECT_LE(point, 0.9 / 5);
  EXPECT_GT(point, 0.89 / 5);
  const double segment = safe_step(PairKind::segment_segment, crosswise.data(), both_down.data(), 2);
  EXPECT_LE(segment, 0.9 / 5);
  EXPECT_GT(segment, 0.89 / 5);
}

/// Lists of candidates, found at different times, differ in such pairs.
TEST(SafeStep, OfAPairThatStaysBeyondItsActivationDistanceIsTheWholeStep) {
  std::mt19937 random(2);
  constexpr double dhat = 0.05;
  int near_misses = 0;
  for (const PairKind kind : {PairKind::point_triangle, PairKind::segment_segment, PairKind::point_segment})
    for (int i = 0; i < 1000; ++i) {
      const Places x = random_places(random, 1);
      const Places d = random_places(random, 3);
      double least = 1e9;
      for (int k = 0; k <= 1000; ++k) least = std::min(least, nearest(kind, along(x, d, k / 1000.0).data()).distance());
      if (least < 1.2 * dhat) continue;
      near_misses += least < 0.1 * nearest(kind, x.data()).distance() ? 1 : 0;
      EXPECT_EQ(safe_step(kind, x.data(), d.data(), dhat), 1);
    }
  EXPECT_GT(near_misses, 10);
}

TEST(SafeStep, DoesNotLimitWhatMovesTogetherOrApart) {
  Places together;
  together.fill(Vec3(100, -200, 50));
  EXPECT_EQ(safe_step(PairKind::point_triangle, above_triangle.data(), together.data(), 2), 1);
  Places up = down;
  up[0] = Vec3(0, 100, 0);
  EXPECT_EQ(safe_step(PairKind::point_triangle, above_triangle.data(), up.data(), 2), 1);
}

TEST(PassedThrough, TellsAHitFromAMiss) {
  const auto ends = [](const Places& x, const Places& d) { return along(x, d, 1); };
  EXPECT_TRUE(passed_through(PairKind::point_triangle, above_triangle.data(), ends(above_triangle, down).data()));
  EXPECT_TRUE(passed_through(PairKind::segment_segment, crosswise.data(), ends(crosswise, both_down).data()));
  Places beside = above_triangle;
  beside[0] = Vec3(0.7, 1, 0.7);
  EXPECT_FALSE(passed_through(PairKind::point_triangle, beside.data(), ends(beside, down).data()));
  Places short_path = down;
  short_path[0] = Vec3(0, -0.99, 0);
  EXPECT_FALSE(
      passed_through(PairKind::point_triangle, above_triangle.data(), ends(above_triangle, short_path).data()));
  Places aside = crosswise;
  aside[2] += Vec3(3, 0, 0);
  aside[3] += Vec3(3, 0, 0);
  EXPECT_FALSE(passed_through(PairKind::segment_segment, aside.data(), ends(aside, both_down).data()));
}

TEST(PassedThrough, NeverHappensWithinASafeStep) {
  std::mt19937 random(2);
  int hits = 0;
  for (const PairKind kind : {PairKind::point_triangle, PairKind::segment_segment})
    for (int i = 0; i < 1000; ++i) {
      const Places x = random_places(random, 1);
      const Places d = random_places(random, 3);
      const double step = safe_step(kind, x.data(), d.data(), 2);
      EXPECT_FALSE(passed_through(kind, x.data(), along(x, d, step).data()));
      const bool hit = passed_through(kind, x.data(), along(x, d, 1).data());
      EXPECT_TRUE(!hit || step < 1);
      hits += hit ? 1 : 0;
    }
  EXPECT_GT(hits, 50);
}

TEST(Pierces, OnlyWhatGoesThroughTheInside) {
  const Vec3 through[]{Vec3(0.2, 1, 0.2), Vec3(0.2, -1, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)};
  EXPECT_TRUE(pierces(through));
  const Vec3 beside[]{Vec3(0.8, 1, 0.8), Vec3(0.8, -1, 0.8), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)};
  EXPECT_FALSE(pierces(beside));
  const Vec3 above[]{Vec3(0.2, 1, 0.2), Vec3(0.2, 0.1, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)};
  EXPECT_FALSE(pierces(above));
}

}  // namespace brio
