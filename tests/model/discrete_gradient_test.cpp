/// Discrete gradients of elements: what makes the elastodynamic form of `discrete-gradient` exact.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "energies_under_test.h"
#include "shape_pairs.h"

namespace brio {
using namespace testing;

namespace {

Moment over_step(const NodalField& from) { return {.x_n = &from, .mean = true, .discrete = true}; }

struct Sums {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  ///< about the origin, of vertices in the middle of the step
  double size = 0;                                   ///< Σ |g|
};
Sums sums_of(const Eigen::VectorXd& g, const Pair& pair) {
  Sums sums;
  for (std::size_t i = 0; i < pair.from.size(); ++i) {
    const Vec3 force = g.segment<3>(3 * static_cast<Eigen::Index>(i));
    sums.force += force;
    sums.torque += (0.5 * (pair.from[i] + pair.to[i])).cross(force);
    sums.size += force.norm();
  }
  return sums;
}

/// Whether some element turns inside out on the way: the one case in which torque may be left.
bool turns_inside_out(const Mesh& mesh, const Pair& pair) {
  const auto volume = [](const NodalField& x, const Tet& t) {
    return Vec3(x[t[1]] - x[t[0]]).cross(Vec3(x[t[2]] - x[t[0]])).dot(Vec3(x[t[3]] - x[t[0]]));
  };
  return std::ranges::any_of(mesh.tets, [&](const Tet& t) { return volume(pair.from, t) * volume(pair.to, t) <= 0; });
}

}  // namespace

TEST(DiscreteGradients, WorkIsTheGainOfEnergyAndNothingIsMovedOrTurnedAsAWhole) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  int tested = 0, turned = 0;
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    if (!energy->has_discrete_gradient()) continue;
    double worst = 0, torque = 0;
    for (const Pair& pair : pairs(rest, barrier)) {
      const double before = energy->value(pair.from), after = energy->value(pair.to);
      const Eigen::VectorXd g = 2 * gradient_of(*energy, {pair.to, over_step(pair.from)});
      const Eigen::VectorXd d = flat(pair.to) - flat(pair.from);
      ASSERT_TRUE(g.allFinite()) << name << ", " << pair.name;
      EXPECT_LT(std::abs(g.dot(d) - (after - before)), 1e-12 * (before + after + g.norm() * d.norm()) + 1e-14)
          << name << ", " << pair.name;
      worst = std::max(worst, std::abs(g.dot(d) - (after - before)) / (before + after));
      ++tested;
      if (!floating) continue;
      const Sums sums = sums_of(g, pair);
      EXPECT_LT(sums.force.norm(), 1e-13 * sums.size) << name << ", " << pair.name;
      if (turns_inside_out(mesh, pair)) continue;
      EXPECT_LT(sums.torque.norm(), 1e-11 * sums.size) << name << ", " << pair.name;
      torque = std::max(torque, sums.torque.norm() / sums.size);
      ++turned;
    }
    std::printf("%-24s work against gain of energy: %.1e, torque: %.1e\n", name.c_str(), worst, torque);
  }
  EXPECT_GT(tested, 300);
  EXPECT_GT(turned, 60);
}

TEST(DiscreteGradients, ARotationAloneMakesNoForce) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    if (!energy->has_discrete_gradient() || !floating) continue;
    const double stiffness = hessian_of(*energy, rest, Projection::none).norm();
    for (const double angle : {0.1, 1.0, 3.0}) {
      const NodalField turned = moved(rest, rotation(angle, {1, -2, 0.5}), Vec3(0.3, -0.1, 0.2));
      EXPECT_LT(gradient_of(*energy, {turned, over_step(rest)}).norm(), 1e-13 * stiffness) << name << ", " << angle;
    }
  }
}

TEST(DiscreteGradients, BecomeTheGradientAndAQuarterOfTheHessianWhereStepsAreShort) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    if (!energy->has_discrete_gradient()) continue;
    const NodalField x = moved(rest, 1.1 * rotation(0.4, {1, -2, 0.5}), Vec3(0.3, -0.1, 0.2), 0.05);
    const Configuration step{x, over_step(x)};
    const Eigen::VectorXd g = gradient_of(*energy, x);
    const Eigen::MatrixXd H = hessian_of(*energy, x, Projection::none);
    EXPECT_LT((gradient_of(*energy, step) - 0.5 * g).norm(), 1e-12 * H.norm()) << name;
    EXPECT_LT((hessian_of(*energy, step, Projection::none) - 0.25 * H).norm(), 1e-10 * H.norm()) << name;
    const Eigen::MatrixXd psd = hessian_of(*energy, step, Projection::psd);
    EXPECT_GT(psd.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), -1e-9 * psd.norm()) << name;
  }
}

/// x_n and x change places: the force is the same, which makes the method reversible.
TEST(DiscreteGradients, AreTheSameForwardAndBackward) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    if (!energy->has_discrete_gradient()) continue;
    for (const Pair& pair : pairs(rest, barrier)) {
      const Eigen::VectorXd there = gradient_of(*energy, {pair.to, over_step(pair.from)});
      const Eigen::VectorXd back = gradient_of(*energy, {pair.from, over_step(pair.to)});
      EXPECT_LT((there - back).norm(), 1e-9 * there.norm() + 1e-13) << name << ", " << pair.name;
    }
  }
}

/// One element by hand: StVK is the mean of both stresses [Simo & Tarnow 1992]; Hookean springs have the tension of
/// their mean length along their mean direction.
TEST(DiscreteGradients, HaveTheirClosedForms) {
  NodalField from(2), to(2);
  from[1] = Vec3(3, 0, 0);
  to[1] = Vec3(0, 5, 0);
  NodalField rest(2);
  rest[1] = Vec3(2, 0, 0);
  const SpringBatch<HookeanLaw> hookean("spring", {{{0, 1}, 10}}, rest);
  const SpringBatch<StVKLaw> stvk("spring", {{{0, 1}, 10}}, rest);
  const Vec3 mean(1.5, 2.5, 0);
  const auto at_end = [&](const Energy& energy) -> Vec3 {
    return 2 * gradient_of(energy, {to, over_step(from)}).segment<3>(3);
  };
  EXPECT_LT((at_end(hookean) - 10 * (1 - 2.0 / 4) * mean).norm(), 1e-13);          // mean length 4 m
  EXPECT_LT((at_end(stvk) - 2 * 10 * ((9.0 + 25) / 2 - 4) * mean).norm(), 1e-12);  // mean square 17 m²
}

}  // namespace brio
