#include "contact/pair_friction.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "contact/contact_scenes.h"
#include "contact/testing.h"
#include "math/block_matrix.h"
#include "model/energies_under_test.h"

namespace brio {
using namespace testing;

namespace {

constexpr double coefficient = 0.4;

/// A block lies on a plate that does not move; gravity pulls it aside as on a slope of that angle.
struct Slope {
  Simulation simulation;

  explicit Slope(double angle, const char* integrator = "backward-euler", double h = 2e-3)
      : simulation(make(angle, integrator, h)) {}
  double place() const { return mean_place(simulation.model(), simulation.state().x, BodyId(1))[0]; }
  double speed() const { return simulation.ledger().linear[0] / (0.2 * 0.1 * 0.2 * 500); }

 private:
  static Simulation make(double angle, const char* integrator, double h) {
    Model model;
    const BodyId plate = model.add(SolidOptions{.mesh = make_bar({.size = {3, 0.2, 0.6}, .cells = {2, 1, 1}})});
    model.add(SolidOptions{
        .mesh = make_bar({.size = {0.2, 0.1, 0.2}, .cells = {2, 1, 2}}), .material = soft(2e5), .density = 500});
    std::vector<int> all(model.body(plate).mesh.vertices.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
    model.pin(plate, all);
    model.set_gravity({gravity * std::sin(angle), -gravity * std::cos(angle), 0});
    add_self_contact(model, {.thickness = 0.01, .stiffness = 2e4, .friction = coefficient, .self = false});
    State state = model.rest_state();
    move(model, state, BodyId(1), Eigen::Matrix3d::Identity(), {-1, 0.1 + 0.05 + 0.0099, 0.013}, Vec3::Zero());
    return {std::move(model), state, {.integrator = integrator, .h = h}};
  }
};

}  // namespace

TEST(PairFriction, DerivativesAreThoseOfTheEnergyStickingAndSlipping) {
  const Heap heap;
  const NodalField& x = heap.state.x;
  PairFriction friction(0.5);
  friction.follow(*heap.contact);
  friction.attach(x, heap.contact->active_pairs(x), {});
  for (const double size : {1e-4, 0.05}) {
    NodalField y = x;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += size * Vec3(std::sin(i), std::cos(2 * i), std::sin(3 * i));
    BlockMatrix H(heap.model.pattern());
    NodalField from_hessian(x.size());
    const double value = friction.hessian(y, {}, Projection::none, from_hessian, H);
    EXPECT_EQ(value, friction.value(y));
    EXPECT_GT(value, 0);
    const Eigen::VectorXd gradient = gradient_of(friction, y);
    EXPECT_LT((flat(from_hessian) - gradient).norm(), 1e-14 * gradient.norm());
    const Eigen::MatrixXd dense(to_eigen(H));
    Eigen::VectorXd expected(gradient.size());
    Eigen::MatrixXd expected_H(dense.rows(), dense.cols());
    for (Eigen::Index k = 0; k < gradient.size(); ++k) {
      expected[k] = difference(y, k, 1e-6, [&](const NodalField& z) { return friction.value(z); });
      expected_H.col(k) = difference(y, k, 1e-6, [&](const NodalField& z) { return gradient_of(friction, z); });
    }
    EXPECT_LT((gradient - expected).norm(), 1e-7 * gradient.norm()) << size;
    EXPECT_LT((dense - expected_H).norm(), 1e-6 * dense.norm()) << size;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(dense, Eigen::EigenvaluesOnly);
    EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-11 * eigen.eigenvalues().maxCoeff());
  }
}

TEST(PairFriction, WhatIsRubbedOffIsWhatTheSpringsNoLongerHold) {
  const Heap heap;
  const NodalField& x = heap.state.x;
  PairFriction friction(0.5);
  friction.follow(*heap.contact);
  friction.attach(x, heap.contact->active_pairs(x), {});
  NodalField y = x;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.05 * Vec3(std::sin(i), std::cos(2 * i), std::sin(3 * i));
  const double before = friction.value(y);
  const double rubbed = friction.slip(y);
  EXPECT_GT(rubbed, 0);
  EXPECT_NEAR(before, rubbed + friction.value(y), 1e-12 * before);
  Memory history;
  friction.write(history);
  EXPECT_EQ(PairFriction::energy_of(history), friction.value(y));
}

TEST(PairFriction, ABlockSticksBelowTheAngleOfFrictionWithoutCreeping) {
  Slope slope(0.8 * std::atan(coefficient));
  ASSERT_TRUE(slope.simulation.step(150).ok());
  const double settled = slope.place();
  const StepReport report = slope.simulation.step(250);
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_LT(std::abs(slope.place() - settled), 2e-5);
  EXPECT_LT(settled + 1, 5e-3);
}

TEST(PairFriction, ABlockSlidesAboveItWithTheAccelerationOfCoulomb) {
  const double angle = 1.8 * std::atan(coefficient);
  Slope slope(angle);
  ASSERT_TRUE(slope.simulation.step(50).ok());
  const double first = slope.speed();
  ASSERT_TRUE(slope.simulation.step(100).ok());
  const double acceleration = (slope.speed() - first) / (100 * 2e-3);
  EXPECT_NEAR(acceleration, gravity * (std::sin(angle) - coefficient * std::cos(angle)),
              0.02 * gravity * std::sin(angle));
  EXPECT_GT(slope.simulation.ledger().friction_loss, 0);
}

TEST(PairFriction, LossesCloseTheBalanceOfAvf) {
  Slope slope(1.8 * std::atan(coefficient), "avf", 1e-3);
  const double moved_from = slope.place();
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(slope.simulation.step().ok());
  const LedgerRow& row = slope.simulation.ledger();
  EXPECT_GT(slope.place() - moved_from, 0.02);
  EXPECT_GT(row.friction_loss, 0.05);
  EXPECT_LT(std::abs(row.residual), 0.02 * row.friction_loss);
}

TEST(PairFriction, ARunGoesOnTheSameAfterARestore) {
  Slope slope(0.8 * std::atan(coefficient));
  ASSERT_TRUE(slope.simulation.step(30).ok());
  const Snapshot snapshot = slope.simulation.snapshot();
  ASSERT_TRUE(slope.simulation.step(20).ok());
  const std::uint64_t hash = slope.simulation.hash();
  const double loss = slope.simulation.ledger().friction_loss;
  slope.simulation.restore(snapshot);
  ASSERT_TRUE(slope.simulation.step(20).ok());
  EXPECT_EQ(slope.simulation.hash(), hash);
  EXPECT_EQ(slope.simulation.ledger().friction_loss, loss);
}

}  // namespace brio
