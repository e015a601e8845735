#include "contact/distance.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <random>

#include "contact/barrier.h"

namespace brio {
namespace {

constexpr PairKind kinds[] = {PairKind::point_triangle, PairKind::segment_segment, PairKind::point_segment};

using Places = std::array<Vec3, 4>;

Places random_places(std::mt19937& random) {
  std::uniform_real_distribution<double> place(-1, 1);
  Places x;
  for (Vec3& p : x) p = Vec3(place(random), place(random), place(random));
  return x;
}

/// Distance found by trying points of both simplices.
double tried_distance(PairKind kind, const Places& x) {
  constexpr int tries = 200;
  double least = 1e300;
  for (int i = 0; i <= tries; ++i)
    for (int j = 0; j <= tries; ++j) {
      const double s = static_cast<double>(i) / tries;
      const double t = static_cast<double>(j) / tries;
      Vec3 r;
      if (kind == PairKind::segment_segment) {
        r = (1 - s) * x[0] + s * x[1] - (1 - t) * x[2] - t * x[3];
      } else if (kind == PairKind::point_segment) {
        r = x[0] - (1 - t) * x[1] - t * x[2];
      } else {
        if (s + t > 1) continue;
        r = x[0] - (1 - s - t) * x[1] - s * x[2] - t * x[3];
      }
      least = std::min(least, r.norm());
    }
  return least;
}

/// A pair whose nearest points are well inside of what they lie on, at a distance below one.
struct Sample {
  PairKind kind;
  Places x;
};
std::vector<Sample> samples() {
  std::mt19937 random(4);
  std::vector<Sample> all;
  for (const PairKind kind : kinds)
    for (int free = kind == PairKind::point_segment ? 1 : 2; free >= 0; --free)
      for (int found = 0; found < 20;) {
        const Places x = random_places(random);
        const Nearest n = nearest(kind, x.data());
        const auto is_near_rim = [](double w) { return w != 0 && std::abs(w) < 0.05; };
        if (n.free != free || n.distance() > 0.9 || n.distance() < 0.05) continue;
        if (std::any_of(std::begin(n.w), std::end(n.w), is_near_rim)) continue;
        // Nor may other points of the rim be nearly as near.
        Places moved = x;
        bool stays = true;
        for (int k = 0; k < 12; ++k) {
          moved[k / 3][k % 3] += 1e-3;
          stays = stays && nearest(kind, moved.data()).free == free;
          moved[k / 3][k % 3] -= 2e-3;
          stays = stays && nearest(kind, moved.data()).free == free;
          moved = x;
        }
        if (!stays) continue;
        all.push_back({kind, x});
        ++found;
      }
  return all;
}

template <class F>
auto difference(Places x, int k, F f) {
  constexpr double h = 1e-4;
  double& place = x[k / 3][k % 3];
  const double center = place;
  const auto at = [&](double offset) {
    place = center + offset;
    return f(x);
  };
  const auto far = at(2 * h), near = at(h), near_back = at(-h), far_back = at(-2 * h);
  return decltype(f(x))((8.0 * (near - near_back) - (far - far_back)) / (12 * h));
}

/// Segments of length about one count as parallel below an angle of about 60 degrees, so that fading is tested too.
Barrier barrier_for(PairKind kind) {
  return {.k = 3, .dhat = 1, .epsilon = kind == PairKind::segment_segment ? 0.8 : 0};
}

}  // namespace

TEST(Distance, IsTheLeastOverAllPointsOfBothSimplices) {
  std::mt19937 random(1);
  for (const PairKind kind : kinds)
    for (int i = 0; i < 30; ++i) {
      const Places x = random_places(random);
      const double tried = tried_distance(kind, x);
      EXPECT_NEAR(nearest(kind, x.data()).distance(), tried, 0.02);
      EXPECT_LE(nearest(kind, x.data()).distance(), tried + 1e-12);
    }
}

TEST(Distance, WeightsJoinTheNearestPoints) {
  std::mt19937 random(2);
  for (const PairKind kind : kinds)
    for (int i = 0; i < 100; ++i) {
      const Places x = random_places(random);
      const Nearest n = nearest(kind, x.data());
      Vec3 r = Vec3::Zero();
      double first = 0, second = 0;
      for (int k = 0; k < vertices_of(kind); ++k) {
        r += n.w[k] * x[k];
        (k < vertices_of_first(kind) ? first : second) += n.w[k];
        EXPECT_GE(k < vertices_of_first(kind) ? n.w[k] : -n.w[k], 0);
      }
      EXPECT_NEAR(first, 1, 1e-12);
      EXPECT_NEAR(second, -1, 1e-12);
      EXPECT_LT((r - n.r).norm(), 1e-14);
    }
}

TEST(Distance, DegenerateSimplicesHaveOneToo) {
  const Vec3 p(1, 2, 3);
  const Places point{p, Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)};
  for (const PairKind kind : {PairKind::point_triangle, PairKind::point_segment})
    EXPECT_DOUBLE_EQ(nearest(kind, point.data()).distance(), p.norm());
  const Places line{Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(0, 0, 0), Vec3(1, 0, 0)};
  EXPECT_DOUBLE_EQ(point_triangle(line.data()).distance(), 1);
  const Places parallel{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 2, 0), Vec3(3, 2, 0)};
  EXPECT_DOUBLE_EQ(segment_segment(parallel.data()).distance(), 2);
  const Places apart{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(4, 4, 0), Vec3(9, 4, 0)};
  EXPECT_DOUBLE_EQ(segment_segment(apart.data()).distance(), 5);
}

TEST(Barrier, BeginsSmoothlyWithItsStiffnessAndHasNoEnd) {
  const Barrier barrier{.k = 7, .dhat = 0.5};
  const BarrierValue begin = barrier_at(barrier, 0.5);
  EXPECT_EQ(begin.B, 0);
  EXPECT_EQ(begin.slope, 0);
  EXPECT_DOUBLE_EQ(begin.curvature, 7);
  EXPECT_DOUBLE_EQ(barrier_at(barrier, 0.4).B, 0.5 * 7 * 0.1 * 0.1 * 0.5 / 0.4);
  EXPECT_GT(barrier_at(barrier, 1e-9).B, 1e7);
}

TEST(Barrier, GradientsAreThoseOfTheEnergyOnFacesEdgesAndCorners) {
  int faded = 0;
  for (const auto& [kind, x] : samples()) {
    const Barrier barrier = barrier_for(kind);
    PairGradient g;
    pair_gradient(kind, barrier, x.data(), nearest(kind, x.data()), g);
    PairGradient expected = PairGradient::Zero();
    for (int k = 0; k < 3 * vertices_of(kind); ++k)
      expected[k] = difference(x, k, [kind = kind, &barrier](const Places& y) {
        return pair_energy(kind, barrier, y.data(), nearest(kind, y.data()));
      });
    EXPECT_LT((g - expected).norm(), 1e-7 * (1 + g.norm()));
    const double full = barrier_at(barrier, nearest(kind, x.data()).distance()).B;
    if (pair_energy(kind, barrier, x.data(), nearest(kind, x.data())) < 0.999 * full) ++faded;
  }
  EXPECT_GT(faded, 10);
}

TEST(Barrier, HessiansAreThoseOfTheGradientOnFacesEdgesAndCorners) {
  for (const auto& [kind, x] : samples()) {
    const Barrier barrier = barrier_for(kind);
    const auto gradient = [kind = kind, &barrier](const Places& y) {
      PairGradient g;
      pair_gradient(kind, barrier, y.data(), nearest(kind, y.data()), g);
      return g;
    };
    PairGradient g;
    PairHessian H;
    pair_hessian(kind, barrier, x.data(), nearest(kind, x.data()), false, g, H);
    EXPECT_EQ(g, gradient(x));
    EXPECT_LT((H - H.transpose()).norm(), 1e-12 * H.norm());
    PairHessian expected = PairHessian::Zero();
    for (int k = 0; k < 3 * vertices_of(kind); ++k) expected.col(k) = difference(x, k, gradient);
    EXPECT_LT((H - expected).norm(), 1e-6 * (1 + H.norm())) << nearest(kind, x.data()).free;
  }
}

TEST(Barrier, ThePositivePartOfTheHessianHasNoNegativeEigenvalue) {
  for (const auto& [kind, x] : samples()) {
    PairGradient g;
    PairHessian H;
    pair_hessian(kind, barrier_for(kind), x.data(), nearest(kind, x.data()), true, g, H);
    const Eigen::SelfAdjointEigenSolver<PairHessian> eigen(H, Eigen::EigenvaluesOnly);
    EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-12 * eigen.eigenvalues().maxCoeff());
  }
}

}  // namespace brio
