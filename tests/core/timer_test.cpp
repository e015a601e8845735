#include "core/timer.h"

#include <gtest/gtest.h>

#include <thread>

namespace brio {

TEST(Stopwatch, MeasuresAtLeastTheTimeSlept) {
  const Stopwatch watch;
  EXPECT_GE(watch.seconds(), 0.0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(watch.seconds(), 0.020);
  EXPECT_GE(watch.milliseconds(), 20.0);
}

TEST(Stopwatch, NeverRunsBackwards) {
  const Stopwatch watch;
  double last = 0;
  for (int i = 0; i < 1000; ++i) {
    const double now = watch.seconds();
    EXPECT_GE(now, last);
    last = now;
  }
}

}  // namespace brio
