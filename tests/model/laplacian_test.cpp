/// The scalar Laplacians that stand in for Hessians, and how far a step may go.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "energies_under_test.h"
#include "math/cubic.h"

namespace brio {
using namespace testing;

/// L ⊗ I₃ as a dense matrix.
Eigen::MatrixXd laplacian_of(Energy& energy, std::size_t vertices, double weight = 1) {
  const BlockMatrix H = matrix_for(energy, vertices);
  std::vector<double> L(H.pattern().blocks());
  energy.laplacian(weight, L);
  const auto size = static_cast<Eigen::Index>(3 * vertices);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
  for (int j = 0; j < H.pattern().vertices(); ++j)
    for (int k = H.pattern().column_start[j]; k < H.pattern().column_start[j + 1]; ++k)
      for (int c = 0; c < 3; ++c) {
        dense(3 * H.pattern().row[k] + c, 3 * j + c) = L[k];
        dense(3 * j + c, 3 * H.pattern().row[k] + c) = L[k];
      }
  return dense;
}

double min_eigenvalue(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

TEST(Laplacian, IsPositiveAndItsRowsSumToZeroForFreeBodies) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    const Eigen::MatrixXd L = laplacian_of(*energy, rest.size());
    EXPECT_GT(L.norm(), 0.1) << name;
    EXPECT_GT(min_eigenvalue(L), -1e-12 * L.norm()) << name;
    if (floating) {
      EXPECT_LT(L.rowwise().sum().norm(), 1e-12 * L.norm()) << name;
    }
    EXPECT_LT((laplacian_of(*energy, rest.size(), 3) - 3 * L).norm(), 1e-13 * L.norm()) << name;
  }
}

TEST(Laplacian, IsTheHessianOfAttachmentsOfLengthZero) {
  const NodalField rest = field({{1, 2, 3}, {0, 1, 0}, {2, 2, 2}});
  AttachmentSprings<HookeanLaw> attachments({{.vertex = 2, .point = {1, 2, 3}, .stiffness = 5},
                                             {.vertex = 0, .point = {7, 7, 7}, .stiffness = 2},
                                             {.vertex = 2, .point = {0, 0, 1}, .stiffness = 3}});
  EXPECT_TRUE(laplacian_of(attachments, 3).isApprox(hessian_of(attachments, rest, Projection::none), 1e-15));
}

TEST(Laplacian, BoundsTheHessianOfProjectiveEnergiesInEveryShape) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  auto all = all_energies(mesh, rest);
  std::vector<std::unique_ptr<Energy>> projective;
  projective.push_back(find_material("corotated").make({.name = "corotated", .mu = 3, .lambda = 0}, mesh.tets, rest));
  for (auto& candidate : all)
    if (candidate.name.starts_with("hookean")) projective.push_back(std::move(candidate.energy));
  ASSERT_EQ(projective.size(), 3U);
  for (const auto& energy : projective)
    for (const Shape& shape : shapes(rest)) {
      const Eigen::MatrixXd L = laplacian_of(*energy, rest.size());
      const Eigen::MatrixXd H = hessian_of(*energy, shape.x, Projection::none);
      EXPECT_GT(min_eigenvalue(L - H), -1e-10 * (L.norm() + H.norm())) << energy->name() << ", " << shape.name;
    }
}

TEST(Laplacian, CarriesTheStiffnessOfUniaxialStrainAtRest) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  NodalField stretch(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) stretch[i] = Vec3(rest[i][0], 0, 0);
  const Eigen::VectorXd u = flat(stretch);
  for (const MaterialEntry& entry : materials()) {
    const auto energy =
        entry.make({.name = entry.name, .mu = 3, .lambda = 5, .kappa = 7, .a = 1.1, .b = 0.6}, mesh.tets, rest);
    const double exact = u.dot(hessian_of(*energy, rest, Projection::none) * u);
    EXPECT_NEAR(u.dot(laplacian_of(*energy, rest.size()) * u), exact, 1e-11 * exact) << entry.name;
  }
}

TEST(DomainStep, StopsShortOfInversionAndNoShorterThanItsMargin) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  const NodalField inverted = shapes(rest)[5].x;
  NodalField d(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) d[i] = inverted[i] - rest[i];
  const auto along = [&](double s) {
    NodalField x(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) x[i] = rest[i] + s * d[i];
    return x;
  };
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    const double s = energy->domain_step(rest, d);
    if (!barrier) {
      EXPECT_EQ(s, 1) << name;
      continue;
    }
    EXPECT_GT(s, 0.01) << name;
    EXPECT_LT(s, 0.9) << name;
    for (int k = 1; k <= 100; ++k) EXPECT_TRUE(std::isfinite(energy->value(along(s * k / 100)))) << name;
    EXPECT_TRUE(std::isinf(energy->value(along(s * 1.0001 / 0.9)))) << name;
    EXPECT_EQ(energy->domain_step(inverted, d), 0) << name << ": outside already";
    EXPECT_EQ(energy->domain_step(rest, NodalField(rest.size())), 1) << name << ": standing still";
  }
}

TEST(DomainStep, CubicsArePositiveUntilTheirFirstRoot) {
  // (u - 0.3)(u - 0.5)(u - 2) and its mirror image; a double root; no root at all; NaN.
  EXPECT_NEAR(positive_until({0.3, -1.75, 2.8, -1}), 0.3, 2e-9);
  EXPECT_EQ(positive_until({-0.3, 1.75, -2.8, 1}), 0);
  EXPECT_NEAR(positive_until({0.25, -1, 1, 0}), 0.5, 1e-4);
  EXPECT_EQ(positive_until({0.26, -1, 1, 0}), 1);
  EXPECT_EQ(positive_until({1, std::nan(""), 0, 0}), 0);
}

}  // namespace brio
