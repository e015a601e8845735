#include "experiments/track_measures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace brio {
namespace {

/// Of one vertex with the height h(frame), 1 kg under 10 m/s².
Track falling(int frames, double (*height)(int)) {
  Track track;
  track.planned = frames;
  for (int i = 0; i <= frames; ++i) {
    LedgerRow row;
    row.gravity = 10 * height(i);
    row.total = 7;
    track.rows.push_back(row);
    NodalField x(1);
    x[0] = Vec3(0, height(i), 0);
    track.positions.push_back(x);
  }
  return track;
}

}  // namespace

TEST(TrackMeasures, ReturnsOfADampedOscillationAreItsMaxima) {
  // exp(-a t) cos(2π t/20): maxima near every twentieth frame, minima half way between.
  const Track track = falling(70, [](int i) { return std::exp(-0.01 * i) * std::cos(i * std::numbers::pi / 10); });
  const std::vector<Return> all = returns(track);
  ASSERT_EQ(all.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(all[k].frame, 20u * (k + 1));
    const double lowest = -std::exp(-0.1);  // of the first minimum, frame 10
    EXPECT_NEAR(all[k].height, (std::exp(-0.2 * (k + 1)) - lowest) / (1 - lowest), 1e-12);
  }
  EXPECT_TRUE(returns(falling(30, [](int i) { return -0.1 * i * i; })).empty()) << "what falls on does not return";
}

TEST(TrackMeasures, DistancesOfShiftedRunsAreTheShift) {
  const Track a = falling(5, [](int i) { return 0.5 * i; }), b = falling(8, [](int i) { return 0.5 * i + 2; });
  const std::vector<double> list = distances(a, b);
  ASSERT_EQ(list.size(), 6u) << "as long as both go on";
  for (const double distance : list) EXPECT_DOUBLE_EQ(distance, 2);
}

TEST(TrackMeasures, EnergyErrorsAreThoseOfTheWorstFrameAndInfiniteForWhatDidNotEnd) {
  Track track = falling(5, [](int) { return 0.0; });
  EXPECT_EQ(energy_error(track), 0);
  track.rows[2].total = 6.3;
  EXPECT_NEAR(energy_error(track), 0.1, 1e-12);
  track.rows.pop_back();
  EXPECT_TRUE(std::isinf(energy_error(track)));
}

TEST(TrackMeasures, AMeanIsThatOfThePart) {
  EXPECT_DOUBLE_EQ(mean({1, 2, 3, 4}, 0, 1), 2.5);
  EXPECT_DOUBLE_EQ(mean({1, 2, 3, 4}, 0.5, 1), 3.5);
}

}  // namespace brio
