#include "math/dense_solve.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

namespace brio {

TEST(DenseSolve, SolvesWhatLuSolves) {
  for (int n = 1; n < 9; ++n) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n);
    const Eigen::VectorXd b = Eigen::VectorXd::Random(n);
    Eigen::MatrixXd work = A;
    Eigen::VectorXd x = b;
    EXPECT_EQ(DenseSolve(n)(work, x), n);
    EXPECT_LT((A * x - b).norm(), 1e-11 * b.norm() * (1 + A.inverse().norm()));
  }
}

TEST(DenseSolve, EquationsThatRepeatOthersLowerTheRankAndDoNoHarm) {
  const Eigen::MatrixXd J = (Eigen::MatrixXd(4, 3) << 1, 2, 0, 0, 1e-6, 3e-6, 1, 2, 0, 0, 0, 0).finished();
  const Eigen::MatrixXd A = J * J.transpose();
  const Eigen::VectorXd b = A * Eigen::Vector4d(1, 2e6, 3, 4);
  Eigen::MatrixXd work = A;
  Eigen::VectorXd x = b;
  EXPECT_EQ(DenseSolve(4)(work, x), 2);
  EXPECT_LT((A * x - b).norm(), 1e-12 * b.norm());
}

}  // namespace brio
