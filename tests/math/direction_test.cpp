#include "math/direction.h"

#include <gtest/gtest.h>

namespace brio {

TEST(Direction, TheTurnFromYIsARotationThatBringsItThere) {
  for (const Vec3& to :
       {Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(1, 2, 3), Vec3(-3, 0, 1e-9), Vec3(1e-200, -1e-200, 0), Vec3(1e-8, -1, 0),
        Vec3(0, -1, 1e-7), Vec3(2e-7, -1, -3e-7), Vec3(1e-155, -1, 0), Vec3(1e-149, -1, 1e-161)}) {
    const Mat3 R = turn_from_y(to);
    EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-15) << to.transpose();
    EXPECT_GT(R.determinant(), 0.9);
    EXPECT_LT((R.col(1) - direction_of(to)).norm(), 1e-15) << to.transpose();
  }
  EXPECT_EQ(turn_from_y({0, 3, 0}), Mat3::Identity());
}

}  // namespace brio
