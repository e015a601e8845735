#include <gtest/gtest.h>

#include "model/only_known.h"
#include "solvers/testing.h"

namespace brio {
namespace {

using testing::distance;
using testing::shaken;

Model block(const std::string& material, double poisson = 0.3) {
  const Lame moduli = lame(1e4, poisson);
  Model model;
  const BodyId body = model.add(
      SolidOptions{.mesh = make_bar({.cells = {4, 2, 2}}),
                   .material = testing::only_known({.name = material, .mu = moduli.mu, .lambda = moduli.lambda}),
                   .density = 100});
  model.pin(body, std::vector<int>{0, 1});
  model.set_gravity({0, -9.81, 0});
  return model;
}

constexpr Term backward[]{{1, 1}};

/// Positions after one step of backward Euler from a shaken shape.
NodalField solve(const Model& model, const SolverOptions& options, double shake, SolveReport& report) {
  StepObjective objective(model);
  const NodalField x_n = shaken(model.rest(), shake, 7, model.pinned());
  objective.declare(0.033, x_n, x_n, backward);
  NodalField x = x_n;
  report = make_solver(options)->solve(objective, x);
  NodalField g(x.size());
  objective.gradient(x, g);
  EXPECT_LE(objective.norm(g), 1.01 * objective.goal(options.tolerance));
  return x;
}

}  // namespace

TEST(Newton, ConvergesFromCrushedShapesOfEveryMaterial) {
  for (const char* material : {"stvk", "stvk-volume", "corotated", "stable-neo-hookean"})
    for (const Definite definite : {Definite::project, Definite::tikhonov}) {
      SolveReport report;
      solve(block(material), {.tolerance = 1e-11, .definite = definite}, 0.3, report);
      EXPECT_TRUE(report.converged()) << material << ' ' << definite << ": " << report.message;
      EXPECT_GT(report.iterations, 2);
      EXPECT_GE(report.factorizations, report.iterations);
    }
}

TEST(Newton, StaysWithinTheDomainOfBarrierMaterials) {
  for (const char* material : {"neo-hookean", "mooney-rivlin"}) {
    const Model model = block(material);
    StepObjective objective(model);
    const NodalField& x_n = model.rest();
    NodalField y = x_n;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = Vec3(-0.5 * y[i][0], y[i][1], y[i][2]);  // inside out
    objective.declare(0.033, x_n, y, backward);
    NodalField x = y;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (model.pinned()[i] != 0) x[i] = x_n[i];  // where the step ends
    const SolveReport report = make_solver({})->solve(objective, x);
    EXPECT_TRUE(report.converged()) << material << ": " << report.message;
    EXPECT_TRUE(std::isfinite(objective.value(x)));
  }
}

TEST(Newton, ConvergesQuadratically) {
  const Model model = block("stvk");
  const NodalField x_n = shaken(model.rest(), 0.02, 3, model.pinned());
  StepObjective objective(model);
  objective.declare(0.01, x_n, x_n, backward);
  const auto error = [&](int iterations) {
    NodalField x = x_n;
    return make_solver({.tolerance = 1e-15, .iterations = iterations})->solve(objective, x).residual;
  };
  const double first = error(2), second = error(3);
  EXPECT_LT(second, 10 * first * first);
}

TEST(Newton, TooFewIterationsAreReportedAndLeaveTheBestPoint) {
  const Model model = block("stvk");
  const NodalField x_n = shaken(model.rest(), 0.3, 3, model.pinned());
  StepObjective objective(model);
  objective.declare(0.033, x_n, x_n, backward);
  NodalField x = x_n;
  const double before = objective.value(x);
  const SolveReport report = make_solver({.iterations = 1})->solve(objective, x);
  EXPECT_EQ(report.status, SolveReport::Status::unconverged);
  EXPECT_EQ(report.message, "1 iterations were not enough");
  EXPECT_LT(objective.value(x), before);
}

TEST(Newton, DirectAndIterativeLinearSolversAgree) {
  SolveReport report;
  const Model model = block("stable-neo-hookean");
  const NodalField direct = solve(model, {.tolerance = 1e-12, .linear = LinearChoice::direct}, 0.05, report);
  const NodalField iterative = solve(model, {.tolerance = 1e-12, .linear = LinearChoice::pcg}, 0.05, report);
  EXPECT_LT(distance(direct, iterative), 1e-9);
}

TEST(Newton, GivesTheSameBitsForAnyNumberOfThreads) {
  SolveReport report;
  Model model;
  model.add(
      SolidOptions{.mesh = make_bar({.cells = {20, 8, 8}}), .material = {.name = "stvk", .mu = 4e3, .lambda = 6e3}});
  set_threads(1);
  const NodalField one = solve(model, {}, 0.01, report);
  for (const int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(distance(one, solve(model, {}, 0.01, report)), 0);
  }
  set_threads(0);
}

}  // namespace brio
