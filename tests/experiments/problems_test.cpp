#include "experiments/problems.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "brio/energy.h"
#include "brio/mesh.h"
#include "brio/sim.h"
#include "experiments/elliptic.h"
#include "experiments/measure.h"
#include "math/block_matrix.h"

namespace brio {

TEST(Elliptic, FunctionsAreThoseOfTheTables) {
  EXPECT_NEAR(quarter_period(0), std::acos(0.0), 1e-15);
  for (const double k : {0.1, 0.5, 0.9, 0.99}) EXPECT_NEAR(quarter_period(k), std::comp_ellint_1(k), 1e-14) << k;
  for (const double u : {-2.0, 0.3, 1.0, 5.0}) {
    EXPECT_NEAR(jacobi(u, 0).sn, std::sin(u), 1e-15);
    EXPECT_NEAR(jacobi(u, 1 - 1e-15).sn, std::tanh(u), 1e-12);
    // F is the inverse of the amplitude, within a quarter period.
    const double phi = 0.25 * u;
    const Jacobi j = jacobi(std::ellint_1(0.7, phi), 0.7);
    EXPECT_NEAR(j.sn, std::sin(phi), 1e-14);
    EXPECT_NEAR(j.cn, std::cos(phi), 1e-14);
  }
}

TEST(Problems, ExactSolutionsSolveTheEquationsOfMotion) {
  for (const Problem& problem : order_problems()) {
    if (!problem.exact) continue;
    EXPECT_EQ(distance(problem.exact(0), problem.start), 0) << problem.name;
    NodalField f(1);
    for (const double t : {0.2, 1.1, 3.7}) {
      const double d = 1e-3;
      const auto slope = [&](auto member) {
        const auto at = [&](double time) { return Vec3((problem.exact(time).*member)[0]); };
        return Vec3((8 * (at(t + d) - at(t - d)) - (at(t + 2 * d) - at(t - 2 * d))) / (12 * d));
      };
      const State state = problem.exact(t);
      problem.model.force(state, f);
      EXPECT_LT((slope(&State::x) - state.v[0]).norm(), 1e-9) << problem.name;
      EXPECT_LT((slope(&State::v) - f[0]).norm(), 1e-9) << problem.name;
    }
  }
}

TEST(Problems, EnergiesOfTheirOwnHaveTheDerivativesTheyState) {
  std::vector<Problem> problems{pendulum(), kepler()};
  for (const PointPotential potential : {PointPotential::quartic, PointPotential::double_well}) {
    Model model;
    model.add(ParticlesOptions{.mesh = make_points({}), .potential = potential, .strength = 2.5});
    State start = model.rest_state();
    start.x[0] = Vec3(0.7, 0.1, 0);
    problems.push_back({to_string(potential), "", std::move(model), std::move(start), 1, 1});
  }
  for (const Problem& problem : problems) {
    const Energy& energy = *problem.model.energies()[0];
    BlockMatrix H(problem.model.pattern()), positive(problem.model.pattern());
    H.set_zero();
    positive.set_zero();
    NodalField x = problem.start.x, g(1), unused(1);
    x[0] = Vec3(1.9, 0.4, -0.3);
    energy.hessian(x, {}, Projection::none, g, H);
    energy.hessian(x, {}, Projection::psd, unused, positive);
    const Eigen::Matrix3d dense(to_eigen(H));
    const double d = 1e-5, accuracy = 1e-9 * std::max(1.0, dense.norm());
    for (int c = 0; c < 3; ++c) {
      NodalField ahead = x, back = x, g_ahead(1), g_back(1);
      ahead[0][c] += d;
      back[0][c] -= d;
      const double slope = energy.gradient(ahead, {}, g_ahead) - energy.gradient(back, {}, g_back);
      EXPECT_NEAR(slope / (2 * d), g[0][c], accuracy) << problem.name;
      EXPECT_LT(((g_ahead[0] - g_back[0]) / (2 * d) - dense.col(c)).norm(), accuracy) << problem.name;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(dense);
    const Eigen::Matrix3d clamped =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
    EXPECT_LT((Eigen::Matrix3d(to_eigen(positive)) - clamped).norm(), 1e-12) << problem.name;
  }
}

TEST(Problems, APendulumComesToRestUnderDampingOfTheMethodWithoutLosingItsSteps) {
  const Problem problem = pendulum();
  State state = problem.start;
  state.x[0] = Vec3(1e-9, 0, 0);
  EXPECT_NEAR(problem.model.energies()[0]->value(state) / 0.5e-18, 1, 1e-12) << "1 - cos x keeps its digits";
  Simulation simulation(problem.model, problem.start, {.integrator = "backward-euler", .h = 0.1});
  for (int step = 0; step < 3000; ++step) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok()) << report.message;
    ASSERT_LT(report.iterations, 20) << step;
  }
}

TEST(MeasuredOrder, TellsMethodsOfDifferentOrderApart) {
  EXPECT_NEAR(measured_order(find_integrator("verlet"), {}, oscillator()), 2, 0.01);
  EXPECT_NEAR(measured_order(find_integrator("explicit-euler"), {}, solid()), 1, 0.02);
}

TEST(MeasuredOrder, IsNotANumberWhenNoStepCanBeTaken) {
  Problem problem = oscillator();
  problem.start.x[0] = Vec3(1e308, 0, 0);
  EXPECT_TRUE(std::isnan(measured_order(find_integrator("explicit-euler"), {}, problem)));
}

}  // namespace brio
