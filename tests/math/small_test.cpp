#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <random>

#include "math/rotation.h"
#include "math/svd.h"

namespace brio {
namespace {

Matrix3<double> of(const Eigen::Matrix3d& a) {
  Matrix3<double> m;
  for (int k = 0; k < 9; ++k) m.m[k] = a(k / 3, k % 3);
  return m;
}

Eigen::Matrix3d of(const Matrix3<double>& a) {
  Eigen::Matrix3d m;
  for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = a.m[k];
  return m;
}

/// F = Q1 diag(s) Q2 with random rotations: ordinary, inverted, nearly singular, rank deficient, badly scaled.
std::vector<Eigen::Matrix3d> matrices() {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  auto rotation = [&] {
    return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
        .normalized()
        .toRotationMatrix();
  };
  std::vector<Eigen::Matrix3d> list{Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Zero(), -Eigen::Matrix3d::Identity()};
  const std::vector<Eigen::Vector3d> stretches{
      {1, 1, 1},    {1.4, 1, 0.6}, {3, 0.1, 0.05}, {1, 1, -1},   {1, 0.5, -0.499999}, {1, 0.5, -0.5},
      {1, 1e-6, 0}, {1, 0, 0},     {1e8, 1, 1e-8}, {2, 2, -0.1}, {1e-9, 1e-9, 1e-9},  {1e9, 1e9, -1e8}};
  for (const auto& s : stretches)
    for (int k = 0; k < 20; ++k) list.push_back(rotation() * s.asDiagonal() * rotation());
  return list;
}

}  // namespace

TEST(Svd, RebuildsMatricesOfEveryKindWithProperRotations) {
  for (const auto& F : matrices()) {
    const auto d = svd(of(F));
    const Eigen::Matrix3d U = of(d.U);
    const Eigen::Matrix3d V = of(d.V);
    const Eigen::Vector3d sigma(d.sigma[0], d.sigma[1], d.sigma[2]);
    const double scale = F.norm() + 1e-300;
    EXPECT_LT((U * sigma.asDiagonal() * V.transpose() - F).norm(), 4e-15 * scale) << F;
    EXPECT_LT((U.transpose() * U - Eigen::Matrix3d::Identity()).norm(), 4e-15) << F;
    EXPECT_LT((V.transpose() * V - Eigen::Matrix3d::Identity()).norm(), 4e-15) << F;
    EXPECT_GT(U.determinant(), 0.9);
    EXPECT_GT(V.determinant(), 0.9);
    EXPECT_GE(sigma[0], sigma[1] * (1 - 1e-15));
    EXPECT_GE(sigma[1], std::abs(sigma[2]) * (1 - 1e-12) - 1e-16 * scale);
  }
}

TEST(PolarRotation, IsARotationAndMaximizesTheTraceForMatricesOfEveryKind) {
  for (const auto& F : matrices()) {
    const Eigen::Matrix3d R = of(polar_rotation(of(F)));
    EXPECT_LT((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), 1e-14) << F;
    EXPECT_NEAR(R.determinant(), 1, 1e-13);
    Eigen::JacobiSVD<Eigen::Matrix3d> reference(F);
    Eigen::Vector3d sigma = reference.singularValues();
    if (F.determinant() < 0) sigma[2] = -sigma[2];
    EXPECT_NEAR((R.transpose() * F).trace(), sigma.sum(), 1e-13 * F.norm()) << F;
  }
}

TEST(PolarRotation, IsExactToRoundOffWhereItIsWellConditioned) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> stretch(0.4, 1.8);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    const Eigen::Matrix3d Q = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
                                  .normalized()
                                  .toRotationMatrix();
    const Eigen::Matrix3d W = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
                                  .normalized()
                                  .toRotationMatrix();
    const Eigen::Vector3d s(stretch(random), stretch(random), stretch(random));
    EXPECT_LT((of(polar_rotation(of(Q * W * s.asDiagonal() * W.transpose()))) - Q).norm(), 2e-14);
  }
}

TEST(PolarRotation, LanesAgreeWithSingleNumbers) {
  const auto list = matrices();
  for (std::size_t first = 0; first + 4 <= list.size(); first += 4) {
    Matrix3<Doubles> F;
    for (int k = 0; k < 9; ++k)
      for (int lane = 0; lane < 4; ++lane) F.m[k].raw[lane] = list[first + lane](k / 3, k % 3);
    const auto R = polar_rotation(F);
    for (int lane = 0; lane < 4; ++lane) {
      const auto single = polar_rotation(of(list[first + lane]));
      const Eigen::Matrix3d& A = list[first + lane];
      double trace = 0;
      double single_trace = 0;
      for (int k = 0; k < 9; ++k) {
        trace += R.m[k][lane] * A(k / 3, k % 3);
        single_trace += single.m[k] * A(k / 3, k % 3);
      }
      EXPECT_NEAR(trace, single_trace, 1e-13 * A.norm());
    }
  }
}

TEST(PolarRotation, OfModerateStrainsHasTheSameBitsWhateverTheOtherLanesHold) {
  auto list = matrices();
  const std::size_t moderate = 40;
  const Eigen::Matrix3d turn = list[3];
  for (std::size_t i = 0; i < moderate; ++i)  // from none to what takes three rounds
    list.insert(list.begin(), turn * Eigen::Vector3d(1 + 0.006 * static_cast<double>(i), 1, 0.98).asDiagonal());
  const auto lanes_of = [&](std::array<std::size_t, 4> which) {
    Matrix3<Doubles> F;
    for (int k = 0; k < 9; ++k)
      for (int lane = 0; lane < 4; ++lane) F.m[k].raw[lane] = list[which[lane]](k / 3, k % 3);
    return polar_rotation(F);
  };
  const std::size_t n = list.size();
  for (std::size_t i = 0; i < moderate; ++i) {
    const auto alone = lanes_of({i, i, i, i});
    const auto mixed = lanes_of({(7 * i + 3) % n, i, (11 * i + 5) % n, (13 * i + 1) % n});
    for (int k = 0; k < 9; ++k) EXPECT_EQ(alone.m[k][0], mixed.m[k][1]) << i;
  }
}

TEST(ClampToPositive, KeepsPositiveMatricesAndRemovesNegativeEigenvalues) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 500; ++k) {
    Eigen::Matrix3d A;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) A(i, j) = A(j, i) = normal(random);
    const auto c = clamp_to_positive(Symmetric3<double>{A(0, 0), A(1, 1), A(2, 2), A(0, 1), A(0, 2), A(1, 2)});
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(A);
    const Eigen::Matrix3d expected =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
    Eigen::Matrix3d actual;
    actual << c.xx, c.xy, c.xz, c.xy, c.yy, c.yz, c.xz, c.yz, c.zz;
    EXPECT_LT((actual - expected).norm(), 1e-14 * A.norm() + 1e-15);
  }
}

TEST(Lanes, LogarithmIsRightToOneUnitInTheLastPlace) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> exponent(-300, 300);
  for (int k = 0; k < 20000; ++k) {
    const double a = k < 1000 ? 1 + (k - 500) * 1e-5 : std::pow(10.0, exponent(random));
    const double ours = log(Doubles(a))[0];
    EXPECT_NEAR(ours, std::log(a), std::abs(std::log(a)) * 2.3e-16) << a;
  }
  EXPECT_EQ(log(Doubles(0.0))[0], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(log(Doubles(-1.0))[0]));
}

}  // namespace brio
