/// The force of a pair over a step: exact work, no force and no torque as a whole, whatever happens on the way.
#include "contact/pair_path.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

namespace brio {
namespace {

constexpr PairKind kinds[]{PairKind::point_triangle, PairKind::segment_segment, PairKind::point_segment};

struct Step {
  Vec3 from[4] = {}, to[4] = {};
  PairKind kind = PairKind::point_triangle;
  Barrier barrier{.k = 1, .dhat = 0.5};
};

/// What is in play: of edges that are parallel nearly all of it has faded, the rest is a difference of such numbers.
double unfaded(const Step& step, const Vec3* x) {
  const double d = nearest(step.kind, x).distance();
  return d < step.barrier.dhat ? barrier_at(step.barrier, d).B : 0;
}
/// Likewise of torques [N m]: those of edges that fade are differences of B |u|²|v|²/ε.
double fading_lever(const Step& step) {
  double sum = 0;
  for (const Vec3* x : {step.from, step.to})
    if (fading(step.kind, step.barrier, x) < 1)
      sum += (unfaded(step, step.from) + unfaded(step, step.to)) / step.barrier.epsilon * (x[1] - x[0]).squaredNorm() *
             (x[3] - x[2]).squaredNorm();
  return sum;
}
double energy(const Step& step, const Vec3* x) { return fading(step.kind, step.barrier, x) * unfaded(step, x); }

double distance(const Step& step, const Vec3* x) { return nearest(step.kind, x).distance(); }

/// Steps of all lengths; of edges some are parallel, or nearly so, at one end or at both.
class RandomSteps {
 public:
  Step next() {
    Step step{.kind = kinds[count_++ % 3]};
    for (;;) {
      const double reach = std::array{1e-5, 1e-3, 0.1, 1.0}[random_() % 4];
      for (int i = 0; i < 4; ++i) {
        step.from[i] = 0.3 * vector();
        step.to[i] = step.from[i] + reach * vector();
      }
      if (step.kind == PairKind::segment_segment) {
        step.barrier.epsilon = 0.01;
        const double tilt = std::array{0.0, 1e-9, 1e-3, 0.1}[random_() % 4];
        if (random_() % 3 == 0) make_parallel(step.from, tilt);
        if (random_() % 3 == 0) make_parallel(step.to, tilt);
      }
      // From the origin, about which the pair is evaluated: distances then have the same rounding errors.
      const Vec3 origin = step.from[0];
      for (int i = 0; i < 4; ++i) {
        step.from[i] -= origin;
        step.to[i] -= origin;
      }
      const double nearer = std::min(distance(step, step.from), distance(step, step.to));
      if (nearer < step.barrier.dhat && nearer > 1e-6) return step;
    }
  }
  Vec3 vector() { return {normal_(random_), normal_(random_), normal_(random_)}; }

 private:
  void make_parallel(Vec3* x, double tilt) {
    x[3] = x[2] + (0.5 + std::abs(normal_(random_))) * (x[1] - x[0]) + tilt * vector();
  }
  std::mt19937 random_{5};
  std::normal_distribution<double> normal_;
  int count_ = 0;
};

/// Which of the simplices' vertices and edges are nearest.
std::array<bool, 4> region(const Nearest& near) {
  std::array<bool, 4> used;
  for (int i = 0; i < 4; ++i) used[i] = near.w[i] != 0;
  return used;
}

}  // namespace

TEST(PairPath, WorkIsWhatTheEnergyLosesAndNothingIsMovedOrTurnedAsAWhole) {
  RandomSteps steps;
  int changed = 0, entered = 0, left = 0, faded = 0;
  double worst = 0, force_worst = 0, torque_worst = 0;
  for (int n = 0; n < 60000; ++n) {
    const Step step = steps.next();
    const PairPath path(step.kind, step.barrier, step.from, step.to);
    const PairGradient g = path.gradient();
    const double before = energy(step, step.from), after = energy(step, step.to);
    double work = 0, flow = unfaded(step, step.from) + unfaded(step, step.to), size = 0;
    double lever = fading_lever(step);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (int i = 0; i < vertices_of(step.kind); ++i) {
      const Vec3 f = g.segment<3>(3 * i);
      work += f.dot(step.to[i] - step.from[i]);
      flow += std::abs(f.dot(step.to[i] - step.from[i]));
      force += f;
      torque += (0.5 * (step.from[i] + step.to[i])).cross(f);
      size += f.norm();
      lever += (step.from[i] + step.to[i]).norm() * f.norm();
    }
    ASSERT_NEAR(path.energy(), after, 1e-15 * after);
    const double slope = path_slope(step.barrier, distance(step, step.from), distance(step, step.to)).slope;
    const double blur = 2e-16 * step.barrier.dhat * std::abs(slope);  // of energies by rounding of distances
    ASSERT_LT(std::abs(work - (after - before)), 1e-12 * flow + blur) << n;
    ASSERT_LT(force.norm(), 1e-14 * size) << n;
    ASSERT_LT(torque.norm(), 1e-14 * lever) << n;
    worst = std::max(worst, std::abs(work - (after - before)) / flow);
    if (size > 0) force_worst = std::max(force_worst, force.norm() / size);
    if (size > 0) torque_worst = std::max(torque_worst, torque.norm() / lever);
    changed += region(nearest(step.kind, step.from)) != region(nearest(step.kind, step.to)) ? 1 : 0;
    entered += before == 0 && after > 0 ? 1 : 0;
    left += before > 0 && after == 0 ? 1 : 0;
    faded += fading(step.kind, step.barrier, step.from) < 1 || fading(step.kind, step.barrier, step.to) < 1 ? 1 : 0;
  }
  std::printf("work against energy %.1e, force %.1e, torque %.1e\n", worst, force_worst, torque_worst);
  EXPECT_GT(changed, 5000);
  EXPECT_GT(entered, 2000);
  EXPECT_GT(left, 2000);
  EXPECT_GT(faded, 2000);
}

/// Quotients of differences would lose half of the digits.
TEST(PairPath, SlopesLoseNoDigitsHoweverShortThePath) {
  const Barrier barrier{.k = 3, .dhat = 0.5};
  using Long = long double;
  const auto B = [&](Long d) -> Long {
    const Long dhat = barrier.dhat;
    return d < dhat ? Long(0.5) * barrier.k * dhat * (dhat - d) * (dhat - d) / d : Long(0);
  };
  for (const double d : {0.5, 0.4999, 0.3, 1e-2, 1e-6})
    for (const double relative : {1e-9, 1e-8, 1e-4, 0.1, 3.0})
      for (const double sign : {1.0, -1.0}) {
        const double other = d * (sign > 0 ? 1 + relative : 1 / (1 + relative));
        if (std::min(d, other) >= barrier.dhat) continue;
        // What long doubles round, too.
        const double blur = static_cast<double>(1e-19L * (B(d) + B(other)) / std::abs(Long(other) - d));
        const double exact = static_cast<double>((B(other) - B(d)) / (Long(other) - Long(d)));
        EXPECT_NEAR(path_slope(barrier, d, other).slope, exact, 1e-14 * std::abs(exact) + 4 * blur)
            << d << " to " << other;
        EXPECT_EQ(path_slope(barrier, d, other).slope, path_slope(barrier, other, d).slope);
      }
}

TEST(PairPath, SlopeTendsToTheBarriersAndItsDerivativeIsRight) {
  const Barrier barrier{.k = 3, .dhat = 0.5};
  for (const double d : {0.499, 0.3, 1e-2}) {
    const BarrierValue value = barrier_at(barrier, d);
    EXPECT_NEAR(path_slope(barrier, d, d).slope, value.slope, 1e-14 * std::abs(value.slope));
    EXPECT_NEAR(path_slope(barrier, d, d).curvature, 0.5 * value.curvature, 1e-14 * value.curvature);
  }
  for (const auto& [from, to] : {std::pair{0.1, 0.3}, {0.3, 0.1}, {0.9, 0.2}, {0.2, 0.9}, {0.5, 0.1}}) {
    const double h = 1e-6;
    const double difference =
        (path_slope(barrier, from, to + h).slope - path_slope(barrier, from, to - h).slope) / (2 * h);
    EXPECT_NEAR(path_slope(barrier, from, to).curvature, difference, 1e-8 * std::abs(difference)) << from << ", " << to;
  }
}

TEST(PairPath, JacobianIsTheDerivativeOfTheForce) {
  RandomSteps steps;
  int tested = 0;
  double worst = 0;
  for (int n = 0; n < 20000; ++n) {
    const Step step = steps.next();
    const PairPath path(step.kind, step.barrier, step.from, step.to);
    const double d = distance(step, step.to);
    const double h = 1e-6 * std::min(d, 0.1);
    const auto gradient_at = [&](int k, double offset, bool& same) {
      Step moved = step;
      moved.to[k / 3][k % 3] += offset;
      const Nearest near = nearest(step.kind, moved.to), here = nearest(step.kind, step.to);
      same = same && region(near) == region(here) && near.free == here.free &&
             (near.distance() < step.barrier.dhat) == (d < step.barrier.dhat);
      return PairPath(step.kind, step.barrier, moved.from, moved.to).gradient();
    };
    PairHessian difference = PairHessian::Zero(), wide = PairHessian::Zero();
    bool same = true;
    for (int k = 0; k < 3 * vertices_of(step.kind); ++k) {
      difference.col(k) = (gradient_at(k, h, same) - gradient_at(k, -h, same)) / (2 * h);
      wide.col(k) = (gradient_at(k, 4 * h, same) - gradient_at(k, -4 * h, same)) / (8 * h);
    }
    const double size = difference.norm();
    if (!same || (difference - wide).norm() > 1e-5 * size) continue;  // differences straddle a kink, or are too rough
    ++tested;
    const double error = (path.jacobian() - difference).norm();
    worst = std::max(worst, error / size);
    ASSERT_LT(error, 2e-5 * size) << n << ", kind " << static_cast<int>(step.kind);
  }
  std::printf("%d tested, worst %.1e\n", tested, worst);
  EXPECT_GT(tested, 12000);
}

/// Of a damper: what the force does beyond the energy's change is its loss.
TEST(PairPath, DamperLosesWhatItSaysAndItsJacobianIsRight) {
  RandomSteps steps;
  int tested = 0, unclamped = 0;
  for (int n = 0; n < 6000; ++n) {
    const Step step = steps.next();
    const double rate = std::array{0.3, 3.0, 30.0}[n % 3];
    const PairPath path(step.kind, step.barrier, step.from, step.to, rate);
    const PairGradient g = path.gradient();
    double work = 0, flow = unfaded(step, step.from) + unfaded(step, step.to);
    for (int i = 0; i < vertices_of(step.kind); ++i) {
      const double part = g.segment<3>(3 * i).dot(step.to[i] - step.from[i]);
      work += part;
      flow += std::abs(part);
    }
    const double gain = energy(step, step.to) - energy(step, step.from);
    ASSERT_GE(path.loss(), 0);
    ASSERT_LT(std::abs(work - gain - path.loss()), 1e-12 * (flow + path.loss()) + 1e-15) << n;
    const double d = distance(step, step.to), from = distance(step, step.from);
    if (from < step.barrier.dhat && d < step.barrier.dhat && rate * (d - from) < 0.9) ++unclamped;
    if (std::abs(rate * (d - from) - 1) < 1e-3) continue;
    const double h = 1e-6 * std::min(d, 0.1);
    Vec3 by[4];
    Step ahead = step, back = step;
    PairGradient direction = PairGradient::Zero();
    for (int i = 0; i < vertices_of(step.kind); ++i) {
      by[i] = steps.vector();
      ahead.to[i] += h * by[i];
      back.to[i] -= h * by[i];
      direction.segment<3>(3 * i) = by[i];
    }
    const Nearest there = nearest(step.kind, ahead.to), here = nearest(step.kind, back.to);
    if (region(there) != region(here) || (there.distance() < 0.5) != (here.distance() < 0.5)) continue;
    const PairGradient difference = (PairPath(step.kind, step.barrier, ahead.from, ahead.to, rate).gradient() -
                                     PairPath(step.kind, step.barrier, back.from, back.to, rate).gradient()) /
                                    (2 * h);
    if (fading(step.kind, step.barrier, step.to) < 1) continue;
    ++tested;
    ASSERT_LE((path.jacobian() * direction - difference).norm(), 1e-3 * path.jacobian().norm() * direction.norm()) << n;
  }
  EXPECT_GT(tested, 3000);
  EXPECT_GT(unclamped, 1000);
}

TEST(PairPath, PositivePartIsTheJacobianAlongTheNormalOfARigidApproach) {
  // A point that approaches a face head on: nothing turns, and the frozen normal is the true one.
  Step step{.kind = PairKind::point_triangle};
  const Vec3 corners[]{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (int i = 0; i < 3; ++i) step.from[i + 1] = step.to[i + 1] = corners[i];
  step.from[0] = Vec3(0.2, 0.3, 0.4);
  step.to[0] = Vec3(0.2, 0.3, 0.1);
  const PairPath path(step.kind, step.barrier, step.from, step.to);
  EXPECT_NEAR(path.positive_part()(2, 2), path.jacobian()(2, 2), 1e-12 * path.jacobian()(2, 2));
  EXPECT_GT(path.positive_part()(2, 2), 0);
}

}  // namespace brio
