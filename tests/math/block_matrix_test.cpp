#include "math/block_matrix.h"

#include <gtest/gtest.h>

#include <array>

namespace brio {

TEST(BlockMatrix, PatternHoldsTheDiagonalAndEveryCoupledPairOnceInOrder) {
  PatternBuilder builder(5);
  builder.couple(std::array{3, 0, 1});
  builder.couple(std::array{1, 3});
  const auto pattern = builder.build();
  EXPECT_EQ(pattern->vertices(), 5);
  EXPECT_EQ(pattern->column_start, (std::vector<int>{0, 3, 5, 6, 7, 8}));
  EXPECT_EQ(pattern->row, (std::vector<int>{0, 1, 3, 1, 3, 2, 3, 4}));
  EXPECT_EQ(pattern->find(3, 1), 4);
}

TEST(BlockMatrix, BecomesAFullSymmetricEigenMatrix) {
  PatternBuilder builder(2);
  builder.couple(std::array{0, 1});
  BlockMatrix m(builder.build());
  for (int c = 0; c < 9; ++c) m.block(m.pattern().find(1, 0))[c] = c + 1;
  const Eigen::MatrixXd full(to_eigen(m));
  EXPECT_EQ(full(3, 1), 2);
  EXPECT_EQ(full(5, 0), 7);
  EXPECT_EQ(full, full.transpose());
  m.set_zero();
  EXPECT_EQ(Eigen::MatrixXd(to_eigen(m)).norm(), 0);
}

}  // namespace brio
