/// What all solvers have in common.
#include <gtest/gtest.h>

#include "core/counted_allocations.h"
#include "solvers/linear/elimination.h"
#include "solvers/testing.h"

namespace brio {
using namespace testing;
namespace {

std::vector<SolverOptions> all_solvers() {
  return {{.name = "newton"},
          {.name = "newton", .linear = "pcg"},
          {.name = "local-global", .iterations = 20000},
          {.name = "local-global", .iterations = 20000, .acceleration = "chebyshev", .rho = 0.9},
          {.name = "local-global", .iterations = 20000, .acceleration = "anderson"},
          {.name = "lbfgs", .iterations = 2000}};
}

std::string label(const SolverOptions& options) {
  return options.name + ' ' + options.linear + ' ' + options.acceleration;
}

}  // namespace

TEST(Solvers, AllReachTheMinimumOfADenseNewton) {
  for (const Material& material : {projective(), Material{.name = "stable-neo-hookean", .mu = 4e3, .lambda = 6e3},
                                   Material{.name = "neo-hookean", .mu = 4e3, .lambda = 6e3}}) {
    const Model model = bar_and_cloth(material);
    for (const auto& [name, terms] : declarations()) {
      Step step(model, 0.02);
      step.declare(terms);
      const NodalField expected = dense_newton(step.objective, step.x_n);
      for (SolverOptions options : all_solvers()) {
        options.tolerance = 1e-12;
        NodalField x = step.x_n;
        const auto solver = make_solver(options);
        const SolveReport report = solver->solve(step.objective, x);
        EXPECT_TRUE(report.converged()) << label(options) << ", " << name << ", " << material.name << ": "
                                        << report.message << ' ' << report.residual;
        EXPECT_LT(distance(x, expected), 1e-9) << label(options) << ", " << name << ", " << material.name;
        EXPECT_GT(report.iterations, 2) << label(options);
        EXPECT_NE(std::string(report.linear), "") << label(options);
      }
    }
  }
}

TEST(Solvers, GiveTheSameBitsForAnyNumberOfThreads) {
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.cells = {24, 10, 10}}), .material = projective()});
  model.pin(bar, std::vector<int>{0, 1, 2});
  for (SolverOptions options : all_solvers()) {
    options.iterations = 12;
    NodalField first;
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      Step step(model, 0.02);
      step.declare(declarations()[2].terms);
      NodalField x = step.y;
      make_solver(options)->solve(step.objective, x);
      if (count == 1) first = x;
      EXPECT_TRUE(same_bits(x, first)) << label(options) << " with " << count << " threads";
    }
  }
  set_threads(0);
}

TEST(Solvers, AllocateNothingAfterTheFirstSolve) {
  set_threads(1);
  const Model model = bar_and_cloth(projective());
  for (SolverOptions options : all_solvers()) {
#ifndef BRIO_WITH_GPL
    if (options.name == "newton") continue;  // its systems are factored by Eigen, which allocates every time
#endif
    options.tolerance = 1e-9;
    if (options.name == "local-global") options.iterations = 10;
    Step step(model, 0.02);
    const auto solver = make_solver(options);
    NodalField x = step.y;
    for (const auto& declaration : declarations()) {  // of the kinds of step that alternate
      step.declare(declaration.terms);
      x = step.y;
      solver->solve(step.objective, x);
    }
    const long before = allocations;
    for (const auto& declaration : declarations()) {
      step.declare(declaration.terms);
      x = step.y;
      solver->solve(step.objective, x);
    }
    EXPECT_EQ(allocations, before) << label(options);
  }
  set_threads(0);
}

TEST(Solvers, AnalyzeOnceWhateverStepsPinsAndAttachmentsComeAndMatchFreshOnes) {
  std::vector<SolverOptions> all = all_solvers();
  all.push_back({.name = "newton", .linear = "direct"});
  for (SolverOptions options : all) {
    options.iterations = 4;
    Model model;
    const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.cells = {14, 6, 6}}), .material = projective()});
    const auto solver = make_solver(options);
    const long before = eliminations_found();
    const auto check = [&](double h, const char* what) {
      Step step(model, h);
      step.declare(declarations()[0].terms);
      NodalField x = step.y;
      NodalField fresh = step.y;
      const SolveReport report = solver->solve(step.objective, x);
      make_solver(options)->solve(step.objective, fresh);
      EXPECT_TRUE(same_bits(x, fresh)) << label(options) << ", " << what;
      EXPECT_GE(report.factorizations, 1) << label(options) << ", " << what;
      EXPECT_EQ(eliminations_found(), before + 1) << label(options) << ", " << what;
    };
    check(0.02, "first step");
    check(0.01, "shorter step");
    model.pin(bar, std::vector<int>{0, 1, 2});
    check(0.01, "pins");
    model.attach(bar, {{.vertex = 14, .point = {2, 0, 0}, .stiffness = 1e5}});
    check(0.01, "attachment");
  }
}

TEST(Solvers, UnknownNamesAreRefused) { EXPECT_THROW(make_solver({.name = "magic"}), InputError); }

}  // namespace brio
