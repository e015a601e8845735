#include "objective/step_objective.h"

#include <gtest/gtest.h>

#include <random>

#include "math/block_matrix.h"
#include "model/energies/springs.h"

namespace brio {
namespace {

/// A bar of a material with attached, pinned and free vertices.
Model bar(const std::string& material = "stvk") {
  Model model;
  const BodyId body =
      model.add(SolidOptions{.mesh = make_bar({.cells = {3, 2, 2}}), .material = {.name = material}, .density = 100});
  model.attach(body, {{.vertex = 5, .point = Vec3(0.2, 1, 0), .stiffness = 300}});
  model.pin(body, std::vector<int>{0, 1, 2});
  model.set_gravity({0.5, -9.81, 0.3});
  return model;
}

NodalField shaken(const NodalField& x, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> offset(-size, size);
  NodalField result = x;
  for (std::size_t i = 0; i < x.size(); ++i) result[i] += Vec3(offset(random), offset(random), offset(random));
  return result;
}

constexpr Term terms[]{{2.0 / 3, 0.5}, {1.0 / 12, 1}};

struct Fixture {
  Model model = bar();
  NodalField x_n = shaken(model.rest(), 0.03, 1);
  NodalField y = shaken(model.rest(), 0.05, 2);
  NodalField x = shaken(model.rest(), 0.05, 3);
  StepObjective objective{model};
  Fixture() { objective.declare(0.01, x_n, y, terms); }
};

}  // namespace

TEST(StepObjective, GradientIsThatOfTheValueAndZeroAtPins) {
  Fixture f;
  NodalField g(f.x.size());
  EXPECT_NEAR(f.objective.gradient(f.x, g), f.objective.value(f.x), 1e-12 * std::abs(f.objective.value(f.x)));
  const double d = 1e-6;
  double largest = 0;
  for (std::size_t i = 0; i < g.size(); ++i) largest = std::max(largest, g[i].norm());
  for (std::size_t i = 0; i < g.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      NodalField plus = f.x, minus = f.x;
      plus[i][c] += d;
      minus[i][c] -= d;
      const double slope = (f.objective.value(plus) - f.objective.value(minus)) / (2 * d);
      EXPECT_NEAR(g[i][c], f.model.pinned()[i] != 0 ? 0 : slope, 1e-6 * largest) << i;
    }
}

TEST(StepObjective, HessianIsThatOfTheGradientWithPinsTakenOut) {
  Fixture f;
  const std::size_t n = f.x.size();
  NodalField g(n), plus_g(n), minus_g(n);
  BlockMatrix H(f.model.pattern());
  f.objective.hessian(f.x, Projection::none, g, H);
  const Eigen::MatrixXd dense = to_eigen(H);
  const double d = 1e-6;
  for (std::size_t j = 0; j < n; ++j)
    for (int c = 0; c < 3; ++c) {
      NodalField plus = f.x, minus = f.x;
      plus[j][c] += d;
      minus[j][c] -= d;
      f.objective.gradient(plus, plus_g);
      f.objective.gradient(minus, minus_g);
      for (std::size_t i = 0; i < n; ++i) {
        Vec3 column = (plus_g[i] - minus_g[i]) / (2 * d);
        if (f.model.pinned()[j] != 0) {
          column.setZero();
          if (i == j) column[c] = f.model.mass()[j] / (0.01 * 0.01);
        }
        const Vec3 found = dense.block<3, 1>(3 * static_cast<Eigen::Index>(i), 3 * static_cast<Eigen::Index>(j) + c);
        EXPECT_LT((found - column).norm(), 1e-7 * dense.norm()) << i << ' ' << j;
      }
    }
}

TEST(StepObjective, GravityAndHeldLoadsPushLikeTheLinearPotentialsTheyAre) {
  Fixture f;
  const double h = 0.01;
  const std::size_t n = f.x.size();
  Model weightless = bar();
  weightless.set_gravity({0, 0, 0});
  NodalField load(n);
  for (std::size_t i = 0; i < n; ++i) load[i] = f.model.mass()[i] * f.model.gravity();
  StepObjective other(weightless);
  other.declare(h, f.x_n, f.y, terms, &load);
  NodalField g(n), same(n), without(n);
  f.objective.gradient(f.x, g);
  other.gradient(f.x, same);
  other.declare(h, f.x_n, f.y, terms);
  other.gradient(f.x, without);
  const double weight = 2.0 / 3 * 0.5 + 1.0 / 12;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_LT((g[i] - same[i]).norm(), 1e-9);
    if (f.model.pinned()[i] != 0) continue;
    EXPECT_LT((g[i] - (without[i] - weight * load[i])).norm(), 1e-9 * (1 + g[i].norm()));
  }
}

TEST(StepObjective, FurtherEnergiesCountOnceAndAreForgottenByTheNextStep) {
  Fixture f;
  const double before = f.objective.value(f.x);
  const Energy& elastic = *f.model.energies()[0];
  f.objective.add(elastic, {.c = 0.3, .theta = 0.7});
  NodalField z = f.x;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = f.x_n[i] + 0.7 * (f.x[i] - f.x_n[i]);
  EXPECT_NEAR(f.objective.value(f.x), before + 0.3 * elastic.value(z), 1e-12 * before);
  f.objective.declare(0.01, f.x_n, f.y, terms);
  EXPECT_EQ(f.objective.value(f.x), before);
}

TEST(StepObjective, LaplacianIsStampedByStepSizeAndStiffness) {
  Fixture f;
  const auto stamp = f.objective.stamp();
  std::vector<double> A(f.model.pattern()->blocks()), B(A.size());
  f.objective.laplacian(A);
  f.objective.declare(0.01, f.x, f.x_n, terms);
  EXPECT_EQ(f.objective.stamp(), stamp);
  f.objective.laplacian(B);
  EXPECT_EQ(A, B);
  f.objective.declare(0.02, f.x_n, f.y, terms);
  EXPECT_NE(f.objective.stamp(), stamp);
}

/// Else a process that began before springs were let go would precondition with them, and one that began later not.
TEST(StepObjective, LaplacianIsThatOfTheSpringsThatHoldWheneverItWasFirstMade) {
  Fixture f;
  const auto stamp = f.objective.stamp();
  const auto laplacian = [&](StepObjective& objective) {
    std::vector<double> A(f.model.pattern()->blocks());
    objective.declare(0.01, f.x_n, f.y, terms);
    objective.laplacian(A);
    return A;
  };
  const std::vector<double> holding = laplacian(f.objective);
  f.model.release(AttachmentId(0), 0);  // from the start on
  const std::vector<double> let_go = laplacian(f.objective);
  EXPECT_NE(let_go, holding);
  EXPECT_NE(f.objective.stamp(), stamp);
  StepObjective later(f.model);
  EXPECT_EQ(laplacian(later), let_go);
  EXPECT_EQ(later.stamp(), f.objective.stamp());
  EXPECT_EQ(later.goal(1e-6), f.objective.goal(1e-6));
  f.model.release(AttachmentId(0), 5);
  EXPECT_EQ(laplacian(f.objective), holding);
  EXPECT_EQ(f.objective.stamp(), stamp);
}

}  // namespace brio
