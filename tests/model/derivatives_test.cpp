#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "energies_under_test.h"
#include "math/block_matrix.h"

namespace brio {
using namespace testing;

constexpr double difference_step = 2e-5;  // [m], on elements of about 1 m

TEST(Derivatives, GradientsAreThoseOfTheEnergyAwayFromRest) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest))
    for (const Shape& shape : shapes(rest)) {
      if (barrier && shape.inverted) continue;
      const Eigen::VectorXd g = gradient_of(*energy, shape.x);
      Eigen::VectorXd expected(g.size());
      for (Eigen::Index k = 0; k < g.size(); ++k)
        expected[k] =
            difference(shape.x, k, difference_step, [&e = *energy](const NodalField& x) { return e.value(x); });
      EXPECT_LT((g - expected).norm(), 2e-9 * (1 + g.norm())) << name << ", " << shape.name;
    }
}

TEST(Derivatives, HessiansAreThoseOfTheGradientAwayFromRest) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest))
    for (const Shape& shape : shapes(rest)) {
      if (barrier && shape.inverted) continue;
      const Eigen::MatrixXd H = hessian_of(*energy, shape.x, Projection::none);
      EXPECT_LT((H - H.transpose()).norm(), 1e-13 * H.norm()) << name << ", " << shape.name;
      Eigen::MatrixXd expected(H.rows(), H.cols());
      for (Eigen::Index k = 0; k < H.cols(); ++k)
        expected.col(k) =
            difference(shape.x, k, difference_step, [&e = *energy](const NodalField& x) { return gradient_of(e, x); });
      EXPECT_LT((H - expected).norm(), 2e-8 * H.norm()) << name << ", " << shape.name;
    }
}

TEST(Derivatives, ValueGradientAndHessianAgreeOnEnergyAndForce) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest))
    for (const Shape& shape : shapes(rest)) {
      BlockMatrix H = matrix_for(*energy, rest.size());
      NodalField g(rest.size());
      NodalField from_hessian(rest.size());
      const double value = energy->value(shape.x);
      EXPECT_EQ(std::isinf(value), barrier && shape.inverted) << name << ", " << shape.name;
      EXPECT_EQ(energy->gradient(shape.x, {}, g), value) << name << ", " << shape.name;
      EXPECT_EQ(energy->hessian(shape.x, {}, Projection::none, from_hessian, H), value) << name << ", " << shape.name;
      EXPECT_LT((flat(g) - flat(from_hessian)).norm(), 1e-14 * (1 + flat(g).norm())) << name << ", " << shape.name;
    }
}

TEST(Derivatives, WeightsScaleWhatIsAddedAndNotTheEnergy) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  const NodalField x = shapes(rest)[1].x;
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    for (const Projection projection : {Projection::none, Projection::psd}) {
      BlockMatrix once = matrix_for(*energy, rest.size());
      BlockMatrix thrice = matrix_for(*energy, rest.size());
      NodalField g(rest.size());
      NodalField half(rest.size());
      const double value = energy->hessian(x, {}, projection, g, once);
      EXPECT_EQ(energy->hessian(x, {.gradient = -0.5, .hessian = 3}, projection, half, thrice), value);
      EXPECT_LT((flat(half) + 0.5 * flat(g)).norm(), 1e-14 * flat(g).norm()) << name;
      EXPECT_LT((Eigen::MatrixXd(to_eigen(thrice)) - 3 * Eigen::MatrixXd(to_eigen(once))).norm(),
                1e-13 * Eigen::MatrixXd(to_eigen(thrice)).norm())
          << name;
    }
  }
}

TEST(Derivatives, RigidMotionsChangeNeitherEnergyNorTheSizeOfForces) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  const Eigen::Matrix3d turn = rotation(1.3, {1, -1, 0.5});
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    if (!floating) continue;
    for (const Shape& shape : shapes(rest)) {
      if (barrier && shape.inverted) continue;
      const NodalField y = moved(shape.x, turn, {0.5, 2, -1});
      const double value = energy->value(shape.x);
      EXPECT_NEAR(energy->value(y), value, 1e-12 * (1 + value)) << name << ", " << shape.name;
      const Eigen::VectorXd g = gradient_of(*energy, shape.x);
      const Eigen::VectorXd turned = gradient_of(*energy, y);
      Eigen::VectorXd expected(g.size());
      for (Eigen::Index i = 0; i < g.size() / 3; ++i) expected.segment<3>(3 * i) = turn * g.segment<3>(3 * i);
      EXPECT_LT((turned - expected).norm(), 1e-11 * (1 + g.norm())) << name << ", " << shape.name;
    }
  }
}

TEST(Derivatives, NoEnergyAndNoForceAtRestNorInAnyNewRestShape) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    if (!has_rest) continue;
    EXPECT_NEAR(energy->value(rest), 0, 1e-13) << name;
    EXPECT_LT(gradient_of(*energy, rest).norm(), 1e-12) << name;
    const auto copy = energy->clone();
    const NodalField other = shapes(rest)[2].x;
    copy->set_rest(other);
    EXPECT_NEAR(copy->value(other), 0, 1e-12) << name;
    EXPECT_LT(gradient_of(*copy, other).norm(), 1e-11) << name;
    EXPECT_GT(copy->value(rest), 1e-3) << name;
    EXPECT_NEAR(energy->value(rest), 0, 1e-13) << name << ": a clone is independent";
  }
}

TEST(Derivatives, LinearDisplacementsLeaveInnerVerticesInBalance) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  constexpr Eigen::Index inner = 13;  // the middle of 3 x 3 x 3
  for (const MaterialEntry& entry : materials()) {
    const auto energy =
        entry.make({.name = entry.name, .mu = 3, .lambda = 5, .kappa = 7, .a = 1.1, .b = 0.6}, mesh.tets, rest);
    const Eigen::Matrix3d F = rotation(0.8, {1, 2, 3}) * Vec3(1.3, 0.8, 1.1).asDiagonal() * rotation(0.3, {0, 0, 1});
    const Eigen::VectorXd g = gradient_of(*energy, moved(rest, F, {1, 1, 1}));
    EXPECT_GT(g.norm(), 1) << entry.name;
    EXPECT_LT(g.segment<3>(3 * inner).norm(), 1e-13 * g.norm()) << entry.name;
  }
}

TEST(Derivatives, CollapsedElementsGiveFiniteForcesAndStiffness) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  const std::vector<NodalField> collapsed{moved(rest, Eigen::Matrix3d::Zero(), {1, 0, 0}),
                                          moved(rest, Vec3(1, 0, 0).asDiagonal(), {0, 0, 0}),
                                          moved(rest, Vec3(1, 1, 0).asDiagonal(), {0, 0, 0})};
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest))
    for (const NodalField& x : collapsed) {
      EXPECT_FALSE(std::isnan(energy->value(x))) << name;
      EXPECT_TRUE(gradient_of(*energy, x).allFinite()) << name;
      EXPECT_TRUE(hessian_of(*energy, x, Projection::none).allFinite()) << name;
      EXPECT_TRUE(hessian_of(*energy, x, Projection::psd).allFinite()) << name;
    }
}

TEST(Projection, HessiansHaveNoNegativeEigenvalueAnywhere) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest))
    for (const Shape& shape : shapes(rest)) {
      const Eigen::MatrixXd H = hessian_of(*energy, shape.x, Projection::psd);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(H, Eigen::EigenvaluesOnly);
      EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-12 * eigen.eigenvalues().maxCoeff()) << name << ", " << shape.name;
    }
}

/// On a tetrahedron whose shape gradients are the axes, the stiffness between vertices 1..3 is dP/dF itself.
TEST(Projection, RemovesExactlyTheNegativeEigenvaluesOfEachElement) {
  const Mesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                  .tets = {{0, 1, 2, 3}},
                  .triangles = {},
                  .segments = {}};
  const NodalField rest = field(mesh.vertices);
  int indefinite = 0;
  for (const MaterialEntry& entry : materials())
    for (const Vec3& stretch :
         {Vec3(1.2, 0.9, 1.05), Vec3(0.6, 0.5, 0.4), Vec3(1.6, 0.3, 0.9), Vec3(1.1, 0.9, -0.4), Vec3(0.2, 0.2, 0.2)}) {
      if (entry.barrier && stretch.prod() < 0) continue;
      const auto energy =
          entry.make({.name = entry.name, .mu = 3, .lambda = 5, .kappa = 7, .a = 1.1, .b = 0.6}, mesh.tets, rest);
      const Eigen::Matrix3d F = rotation(0.8, {1, 2, 3}) * stretch.asDiagonal() * rotation(1.3, {3, 0, 1});
      const NodalField x = moved(rest, F, {0, 0, 0});
      const Eigen::MatrixXd exact = hessian_of(*energy, x, Projection::none).bottomRightCorner(9, 9);
      const Eigen::MatrixXd projected = hessian_of(*energy, x, Projection::psd).bottomRightCorner(9, 9);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(exact);
      indefinite += eigen.eigenvalues().minCoeff() < 0 ? 1 : 0;
      const Eigen::MatrixXd expected =
          eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
      EXPECT_LT((projected - expected).norm(), 1e-11 * exact.norm())
          << entry.name << ", stretches " << stretch.transpose();
    }
  EXPECT_GT(indefinite, 5);
}

}  // namespace brio
