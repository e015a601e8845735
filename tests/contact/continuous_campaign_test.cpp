/// Continuous collision detection against answers that are known exactly: everything lies on a grid of binary
/// fractions, so that paths, their ends and where they touch are numbers without rounding.
///
/// Classes after those of published benchmarks of it [Wang et al. 2021]: generic, grazing, in one plane, parallel
/// edges, without area, gaps of 1e-9, 10 km away. BRIO_CCD_PAIRS=4000000 looks at as many pairs as one likes.
#include <cstdlib>
#include <random>

#include "contact/continuous.h"
#include "exact_intersection.h"

namespace brio {
namespace {

using Places = std::array<Vec3, 4>;

enum class Class { generic, grazing, flat, parallel, no_area, tiny_gap };
constexpr Class classes[]{Class::generic,  Class::grazing, Class::flat,
                          Class::parallel, Class::no_area, Class::tiny_gap};
const char* const names[]{"generic", "grazing", "flat", "parallel", "no area", "tiny gap"};

long wanted_pairs() {
  const char* const given = std::getenv("BRIO_CCD_PAIRS");
  return given == nullptr ? 60'000 : std::max(1L, std::atol(given));
}

class GridDice {
 public:
  explicit GridDice(unsigned seed) : random_(seed) {}
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  /// A multiple of `grid` between -1 and 1.
  double number(double grid) {
    return grid * (static_cast<double>(below(2 * static_cast<int>(1 / grid) + 1)) - 1 / grid);
  }
  Vec3 vector(double grid) {
    const double x = number(grid), y = number(grid);
    return {x, y, number(grid)};
  }

 private:
  std::mt19937 random_;
};

constexpr double coarse = 1.0 / 1024, fine = 1.0 / (1 << 30);

/// Simplices that touch in a point of both; `inside` tells whether of their insides.
Places touching(PairKind kind, Class which, GridDice& dice, bool& inside) {
  Places x;
  inside = true;
  if (kind == PairKind::segment_segment) {
    const int i = dice.below(5);
    const int j = std::array{1, 2, 4}[static_cast<std::size_t>(dice.below(3))];
    inside = i > 0 && i < 4 && j < 4;
    x[0] = dice.vector(coarse);
    x[1] = which == Class::no_area ? x[0] : dice.vector(coarse);
    const Vec3 meeting = x[0] + i / 4.0 * (x[1] - x[0]);
    x[2] = which == Class::parallel ? Vec3(meeting + 0.5 * (x[1] - x[0])) : dice.vector(coarse);
    x[3] = x[2] + 4.0 / j * (meeting - x[2]);
    return x;
  }
  const int i = dice.below(5), j = dice.below(5 - i);
  inside = i > 0 && j > 0 && i + j < 4;
  x[1] = dice.vector(coarse);
  x[2] = dice.vector(coarse);
  x[3] = which == Class::no_area ? Vec3(x[1] + 0.5 * (x[2] - x[1])) : dice.vector(coarse);
  x[0] = x[1] + i / 4.0 * (x[2] - x[1]) + j / 4.0 * (x[3] - x[1]);
  return x;
}

Places velocities(Class which, GridDice& dice, const Places& x) {
  Places v;
  for (Vec3& one : v) one = dice.vector(which == Class::tiny_gap ? fine : coarse);
  if (which == Class::tiny_gap)
    for (Vec3& one : v) one = dice.vector(1.0 / 4) * 16 * fine;
  if (which == Class::grazing)  // along an edge of the second, and hardly anything across
    for (std::size_t k = 0; k < 4; ++k) v[k] = dice.number(1.0 / 8) * (x[3] - x[2]) + dice.vector(1.0 / 4) * 64 * fine;
  if (which == Class::flat)
    for (Vec3& one : v) one.y() = 0;
  return v;
}

}  // namespace

TEST(ContinuousCampaign, NoContactIsMissedInAnyClassOfPairs) {
  GridDice dice(17);
  const long pairs = wanted_pairs();
  long looked_at = 0, limited = 0;
  for (long trial = 0; trial < pairs; ++trial) {
    const PairKind kind = trial % 2 == 0 ? PairKind::point_triangle : PairKind::segment_segment;
    const Class which = classes[trial / 2 % 6];
    bool inside = false;
    Places at = touching(kind, which, dice, inside);
    if (which == Class::flat)
      for (Vec3& p : at) p.y() = 0.5;
    const Places v = velocities(which, dice, at);
    const double when = (1 + dice.below(4)) / 4.0;
    const double away = trial % 3 == 0 ? 8192 : 0;
    Places before, after;
    for (std::size_t k = 0; k < 4; ++k) {
      before[k] = at[k] - when * v[k] + Vec3::Constant(away);
      after[k] = before[k] + v[k];
    }
    const double start = nearest(kind, before.data()).distance();
    const double resolved = away > 0 ? 2e-10 : 1e-13;  // what distances can tell there
    if (!(start > resolved)) continue;
    ++looked_at;
    for (const double dhat : {1e-3, 1e-9, 10.0}) {
      const double step = safe_step(kind, before.data(), v.data(), dhat);
      ASSERT_GT(step, 0) << names[static_cast<int>(which)] << ", trial " << trial;
      ASSERT_LT(step, when) << names[static_cast<int>(which)] << ", trial " << trial << ", from " << start;
      limited += step < when ? 1 : 0;
    }
    // From one side to the other through the inside: that is what explicit steps are refused for.
    using testing::exact::side;
    const int above = side(before[0], before[1], before[2], before[3]);
    const int below = side(after[0], after[1], after[2], after[3]);
    if (which == Class::generic && inside && above * below < 0) {
      ASSERT_TRUE(passed_through(kind, before.data(), after.data())) << "trial " << trial;
    }
  }
  EXPECT_GT(looked_at, pairs / 2);
  EXPECT_EQ(limited, 3 * looked_at);
}

/// Apart by a slab of that width at both ends, and so all the way.
TEST(ContinuousCampaign, WhatASlabKeepsApartIsFreeToGo) {
  GridDice dice(18);
  const long pairs = wanted_pairs();
  for (long trial = 0; trial < pairs; ++trial) {
    const PairKind kind = trial % 2 == 0 ? PairKind::point_triangle : PairKind::segment_segment;
    const double slab = std::array{0.25, 1.0 / 64, 1.0 / 256}[static_cast<std::size_t>(trial / 2 % 3)];
    const double away = trial % 5 == 0 ? 8192 : 0;
    Places before, after, d;
    for (int k = 0; k < 4; ++k) {
      const bool first = k < vertices_of_first(kind);
      for (Places* places : {&before, &after}) {
        Vec3 p = dice.vector(coarse);
        p.y() = first ? slab + std::abs(p.y()) : -std::abs(p.y());
        (*places)[static_cast<std::size_t>(k)] = p + Vec3::Constant(away);
      }
      d[static_cast<std::size_t>(k)] = after[static_cast<std::size_t>(k)] - before[static_cast<std::size_t>(k)];
    }
    ASSERT_EQ(safe_step(kind, before.data(), d.data(), 0.5 * slab), 1) << "trial " << trial << ", " << slab;
    ASSERT_FALSE(passed_through(kind, before.data(), after.data())) << "trial " << trial;
  }
}

/// Cores and planes: a point that reaches them at a known time.
TEST(ContinuousCampaign, CoresAndPlanesAreReachedNoLaterThanTheyAre) {
  GridDice dice(19);
  const long pairs = wanted_pairs() / 4;
  for (long trial = 0; trial < pairs; ++trial) {
    const double away = trial % 3 == 0 ? 8192 : 0, when = (1 + dice.below(4)) / 4.0;
    const Vec3 far = Vec3::Constant(away);
    // A plane that moves along and turns about its first point, in a frame of whole numbers.
    const Vec3 v = dice.vector(coarse), u = dice.vector(coarse);
    if (!(v.y() - u.y() < 0)) continue;
    const Vec3 foot(dice.number(coarse), 0, dice.number(coarse));
    const Places before{foot - when * v + far, -when * u + far, Vec3::UnitZ() - when * u + far,
                        Vec3::UnitX() - when * u + far};
    const Places d{v, u, u, u};
    for (const double dhat : {1e-3, 10.0}) {
      const double step = safe_step(PairKind::point_plane, before.data(), d.data(), dhat);
      ASSERT_GT(step, 0);
      ASSERT_LT(step, when) << trial;
      ASSERT_GT(step, 0.8 * when - dhat / (u.y() - v.y())) << "and not much sooner";
    }
    Places after;
    for (std::size_t k = 0; k < 4; ++k) after[k] = before[k] + d[k];
    if (when < 1) {
      ASSERT_TRUE(passed_through(PairKind::point_plane, before.data(), after.data())) << trial;
    }
    // A ball of radius 5/8 that comes to touch in direction (3, 4, 0)/5.
    const Vec3 touch(0.375, 0.5, 0);
    if (!(touch.dot(v - u) < 0)) continue;
    const Places ball{touch - when * v + far, -when * u + far, -when * u + far, -when * u + far};
    if (!((ball[0] - ball[1]).norm() > 0.625 + 1e-9)) continue;
    const double step = safe_step(PairKind::point_segment, ball.data(), d.data(), {1e-3, 0.625});
    ASSERT_GT(step, 0);
    ASSERT_LT(step, when) << trial;
  }
}

}  // namespace brio
