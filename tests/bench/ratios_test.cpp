/// Guards of speed: ratios of two versions in one run, never times. The least of ever more repetitions, taken in turns,
/// is compared, so that a busy machine makes a test longer but does not fail it.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "bench/subject.h"
#include "brio/core.h"
#include "brio/integrators.h"
#include "core/timer.h"

namespace brio::bench {
namespace {

#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr bool optimized = true;
#else
constexpr bool optimized = false;
#endif

double milliseconds(const std::function<void()>& work) {
  const Stopwatch watch;
  work();
  return watch.milliseconds();
}

/// The ratio of the least times of slow and fast work, once it has reached `goal` or after `rounds`.
double ratio(int rounds, double goal, const std::function<void()>& slow, const std::function<void()>& fast) {
  double slow_ms = std::numeric_limits<double>::infinity();
  double fast_ms = slow_ms;
  for (int round = 0; round < 2 || (round < rounds && slow_ms < goal * fast_ms); ++round) {
    fast_ms = std::min(fast_ms, milliseconds(fast));
    slow_ms = std::min(slow_ms, milliseconds(slow));
  }
  return slow_ms / fast_ms;
}

const Shape medium{"bar", {22, 8, 8}};   // 1,863 vertices
const Shape large{"bar", {35, 11, 11}};  // 5,184 vertices

}  // namespace

TEST(Speed, ANewtonFrameTakesLessThanHalfAsLongAsStraightforwardEigen) {
  if (!optimized) GTEST_SKIP() << "says nothing in builds for finding errors";
  const auto s = bar(medium, "stable-neo-hookean", 0.3);
  const auto solver = make_solver({.name = "newton", .tolerance = 1e-6});
  Solved ours = solve(*solver, *s);
  PlainSolver plain(s->plain());
  std::vector<Vec3> theirs;
  const double goal = s->objective->goal(1e-6);
  const double measured = ratio(
      10, 2,
      [&] {
        theirs = s->guess();
        plain.newton(theirs, goal);
      },
      [&] { ours = solve(*solver, *s); });
  EXPECT_LT(apart(ours.x, theirs), 1e-4);
  EXPECT_GE(measured, 2);
}

TEST(Speed, LocalGlobalTakesLessThanAThirdOfStraightforwardEigen) {
  if (!optimized) GTEST_SKIP() << "says nothing in builds for finding errors";
  const auto s = bar(medium, "corotated", 0);
  const auto solver = make_solver({.name = "local-global", .tolerance = 1e-14, .iterations = 10});
  Solved ours = solve(*solver, *s);
  PlainSolver plain(s->plain());
  std::vector<Vec3> theirs;
  const double measured = ratio(
      20, 3,
      [&] {
        theirs = s->guess();
        plain.local_global(theirs, 10);
      },
      [&] { ours = solve(*solver, *s); });
  EXPECT_LT(apart(ours.x, theirs), 1e-8);
  EXPECT_GE(measured, 3);
}

TEST(Speed, TwoThreadsAreNotSlowerThanOne) {
  if (!optimized) GTEST_SKIP() << "says nothing in builds for finding errors";
  set_threads(0);
  if (threads() < 2) GTEST_SKIP() << "this machine has one";
  const auto s = bar(large, "corotated", 0);
  const auto solver = make_solver({.name = "local-global", .tolerance = 1e-14, .iterations = 10});
  const auto with = [&](int count) {
    set_threads(count);
    solve(*solver, *s);
  };
  with(2);
  constexpr double clock = 0.95;  // where another program takes part of a core
  EXPECT_GE(ratio(
                50, 1, [&] { with(1); }, [&] { with(2); }),
            clock);
  set_threads(0);
}

/// Ordinary and violent motion of a corotated cube, with means that are exact in energy beside three fixed points. In
/// violent motion 3 times is wanted; 3.2 to 3.4 are measured: 2.7 times the points, and a tenth more iterations.
TEST(Speed, ExactEnergyCostsATenthMoreInOrdinaryMotionAndSomeThreeTimesAsMuchInViolentMotion) {
  if (!optimized) GTEST_SKIP() << "says nothing in builds for finding errors";
  Model model;
  model.add(SolidOptions{
      .mesh = make_cube({.cells = 4}), .material = {.name = "corotated", .mu = 1e5, .lambda = 1e5}, .mass = 1000});
  const auto turning = [&](const Vec3& stretch, double rate) {
    State state = model.rest_state();
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.x[i] = stretch.cwiseProduct(Vec3(state.x[i]));
      state.v[i] = rate * Vec3(-state.x[i][1], state.x[i][0], 0);
    }
    return state;
  };
  const auto frames = [&](QuadratureRule rule, State state) {
    const auto integrator = find_integrator("avf").make({.quadrature = rule});
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(integrator->step(model, state, 1.0 / 30).ok());
  };
  const auto measured = [&](const State& start, double goal) {
    return ratio(
        20, goal, [&] { frames(QuadratureRule::gauss3, start); }, [&] { frames(QuadratureRule::adaptive, start); });
  };
  EXPECT_GE(measured(turning({1.1, 1, 1}, 1), 1 / 1.1), 1 / 1.1);
  EXPECT_GE(measured(turning({2.2, 2.2, 2.2}, 10), 1 / 3.8), 1 / 3.8);
}

}  // namespace brio::bench
