#include "math/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

namespace brio {
namespace {

/// Vectors are orthonormal, A v = λ v, and what is left without negative eigenvalues is what Eigen leaves.
template <int n>
void expect_decomposed(const Eigen::Matrix<double, n, n>& A) {
  using Matrix = Eigen::Matrix<double, n, n>;
  const SymmetricEigen<n> eigen(A);
  const double size = A.norm(), rounding = 4 * n * n * 2.2e-16;  // of n² rotations in a few sweeps
  Matrix V;
  for (int k = 0; k < n; ++k) {
    V.col(k) = eigen.vector(k);
    EXPECT_LE((A * eigen.vector(k) - eigen.value(k) * eigen.vector(k)).norm(), rounding * size);
  }
  EXPECT_LE((V.transpose() * V - Matrix::Identity()).norm(), rounding);
  const Eigen::SelfAdjointEigenSolver<Matrix> other(A);
  const Matrix expected =
      other.eigenvectors() * other.eigenvalues().cwiseMax(0).asDiagonal() * other.eigenvectors().transpose();
  EXPECT_LE((eigen.positive_part() - expected).norm(), 2 * rounding * size);
}

template <int n>
void try_many() {
  using Matrix = Eigen::Matrix<double, n, n>;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Matrix flipped = Matrix::Identity();
  flipped(0, 0) = -1;
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix R = Matrix::NullaryExpr([&] { return normal(random); });
    const Matrix Q = Eigen::HouseholderQR<Matrix>(R).householderQ();
    Matrix A = R + R.transpose();                             // of no rank in particular
    if (trial % 4 == 1) A = R.col(0) * R.col(0).transpose();  // of rank one
    if (trial % 4 == 2) A = Q * flipped * Q.transpose();      // two values
    if (trial % 4 == 3)                                       // values from 1 to 1e-12
      A = Q * Matrix::NullaryExpr([](Eigen::Index i, Eigen::Index j) {
            return i == j ? (i % 2 == 0 ? 1 : -1) * std::pow(10.0, -12.0 * double(i) / n) : 0.0;
          }) *
          Q.transpose();
    A = 0.5 * (A + A.transpose()).eval() * std::pow(10.0, trial % 25 - 12);
    expect_decomposed<n>(A);
  }
  expect_decomposed<n>(Matrix::Zero());
  expect_decomposed<n>(Matrix::Identity());
}

TEST(SymmetricEigen, DecomposesMatricesOfAnyRankAndScale) {
  try_many<3>();
  try_many<9>();
}

}  // namespace
}  // namespace brio
