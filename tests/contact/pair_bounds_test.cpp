#include "contact/pair_bounds.h"

#include <gtest/gtest.h>

#include <random>

namespace brio {
namespace {

constexpr PairKind bounded_kinds[] = {PairKind::point_triangle, PairKind::segment_segment, PairKind::point_segment};
constexpr int bounded_groups = 20'000;
constexpr PairVertices four_vertices[4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}};
constexpr const PairVertices* four_pairs[4] = {&four_vertices[0], &four_vertices[1], &four_vertices[2],
                                               &four_vertices[3]};

/// Four pairs of sixteen vertices.
class PairBounds : public ::testing::Test {
 protected:
  /// Distances at least, beside those found one by one.
  template <class Check>
  void for_pairs(PairKind kind, Check&& check) {
    const auto bounds = least_distances(kind, four_pairs, x_);
    for (std::size_t p = 0; p < 4; ++p) {
      Vec3 place[4];
      double extent = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        place[i] = x_[static_cast<std::size_t>(four_vertices[p][i])];
        extent = std::max(extent, (place[i] - place[0]).norm());
      }
      check(bounds[p], nearest(kind, place).distance(), extent);
    }
  }
  template <class Coordinate>
  void place(Coordinate&& coordinate) {
    for (std::size_t i = 0; i < x_.size(); ++i)
      for (int c = 0; c < 3; ++c) x_[i][c] = coordinate(c);
  }

  std::mt19937 random_{16};
  NodalField x_ = NodalField(16), d_ = NodalField(16);
};

TEST_F(PairBounds, AreNeverMoreThanTheDistance) {
  // Points of a coarse grid are often in one plane or on one line, segments parallel, simplices without extent; layers
  // that are next to flat have them up to rounding.
  std::uniform_int_distribution<int> grid(0, 3);
  std::uniform_real_distribution<double> shaken(-1, 1);
  for (const PairKind kind : bounded_kinds)
    for (const double off : {0.0, 1e-13, 1e-9, 1e-6, 1e-3, 1.0})
      for (const double flat : {1.0, 1e-4, 1e-8})
        for (const double far : {0.0, 1e4})
          for (int k = 0; k < bounded_groups / 36; ++k) {
            place([&](int c) { return far + (c == 1 ? flat : 1) * (grid(random_) + off * shaken(random_)); });
            for_pairs(kind, [&](double bound, double distance, double extent) {
              ASSERT_LE(bound, distance) << "kind " << static_cast<int>(kind) << " off " << off << " flat " << flat;
              ASSERT_GE(bound, -1e-3 * extent - 1e-13 * far);
            });
          }
}

TEST_F(PairBounds, AreSharp) {
  std::uniform_real_distribution<double> shaken(-1, 1);
  for (const PairKind kind : bounded_kinds)
    for (int k = 0; k < bounded_groups; ++k) {
      place([&](int) { return shaken(random_); });
      for_pairs(kind, [&](double bound, double distance, double extent) {
        ASSERT_NEAR(bound, distance, 1e-3 * extent);  // those next to parallel are bounded by their rims
      });
    }
}

TEST_F(PairBounds, NoPairApproachesByMoreThanTheBound) {
  std::uniform_real_distribution<double> shaken(-1, 1);
  for (const PairKind kind : bounded_kinds)
    for (int k = 0; k < bounded_groups; ++k) {
      place([&](int) { return shaken(random_); });
      for (std::size_t i = 0; i < d_.size(); ++i) d_[i] = 5 * Vec3::Ones() + Vec3(shaken(random_), 0, shaken(random_));
      const auto approaches = most_approaches(kind, four_pairs, d_);
      const NodalField before = x_;
      std::array<double, 4> start;
      std::size_t p = 0;
      for_pairs(kind, [&](double, double distance, double) { start[p++] = distance; });
      for (std::size_t i = 0; i < d_.size(); ++i) x_[i] += d_[i];
      p = 0;
      for_pairs(kind, [&](double, double distance, double) {
        ASSERT_GE(distance, start[p] - approaches[p]);
        ++p;
      });
      for (const double approach : approaches) ASSERT_LE(approach, 4 * std::sqrt(2));
    }
}

TEST_F(PairBounds, PlanesHaveNone) {
  for (const double bound : least_distances(PairKind::point_plane, four_pairs, x_))
    EXPECT_EQ(bound, -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace brio
