/// What all solvers have in common.
#include <gtest/gtest.h>

#include <set>

#include "core/counted_allocations.h"
#include "solvers/linear/elimination.h"
#include "solvers/options.h"
#include "solvers/testing.h"

namespace brio {
using namespace testing;
namespace {

std::vector<SolverOptions> all_solvers() {
  return {{.name = "newton"},
          {.name = "newton", .linear = LinearChoice::pcg},
          {.name = "local-global", .iterations = 20000},
          {.name = "local-global", .iterations = 20000, .acceleration = Acceleration::chebyshev, .rho = 0.9},
          {.name = "local-global", .iterations = 20000, .acceleration = Acceleration::anderson},
          {.name = "lbfgs", .iterations = 2000}};
}

std::string label(const SolverOptions& options) {
  return options.name + ' ' + to_string(options.linear) + ' ' + to_string(options.acceleration);
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
  all.push_back({.name = "newton", .linear = LinearChoice::direct});
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

TEST(Solvers, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_THROW(make_solver({.name = "magic"}), InputError);
  try {
    find_solver("newtom");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'newton'"), std::string::npos) << error.what();
  }
}

TEST(Solvers, EveryEntryOfTheRegistryIsWholeAndSolves) {
  const Model model = bar_and_cloth(projective());
  std::set<std::string> known;
  for (const auto& field : solver_fields().fields()) known.insert(field.info.key);
  for (const std::string& option : SolverMethod::common_options()) EXPECT_TRUE(known.contains(option)) << option;
  std::set<std::string> used(SolverMethod::common_options().begin(), SolverMethod::common_options().end());
  for (const SolverMethod& method : solvers()) {
    EXPECT_FALSE(method.sentence.empty()) << method.name;
    EXPECT_FALSE(method.reference.empty()) << method.name;
    for (const std::string& option : method.options) {
      EXPECT_TRUE(known.contains(option)) << method.name << ": " << option;
      EXPECT_TRUE(method.knows(option));
      used.insert(option);
    }
    EXPECT_TRUE(method.knows("tolerance"));
    EXPECT_FALSE(method.knows("magic"));
    EXPECT_EQ(&find_solver(method.name), &method);
    Step step(model, 0.01);
    step.declare(declarations()[0].terms);
    NodalField x = step.x_n;
    const SolveReport report =
        make_solver({.name = method.name, .tolerance = 1e-8, .iterations = 20000})->solve(step.objective, x);
    EXPECT_TRUE(report.converged()) << method.name << ": " << report.message;
    if (method.ends_early) continue;
    EXPECT_TRUE(make_solver({.name = method.name, .tolerance = 1e-8})->solve(step.objective, x).converged());
  }
  EXPECT_EQ(used, known) << "an option that no solver knows";
}

TEST(Solvers, OnesOfOthersAreKnownByName) {
  /// Steepest descent in the metric of the Laplacian's diagonal.
  class Descent final : public Solver {
   public:
    explicit Descent(const SolverOptions& options) : options_(options) {}
    SolveReport solve(Objective& objective, NodalField& x) override {
      SolveReport report{.status = SolveReport::Status::unconverged};
      const BlockPattern& pattern = *objective.pattern();
      std::vector<double> A(pattern.blocks());
      objective.laplacian(A);
      NodalField g(x.size());
      for (; report.iterations < options_.iterations; ++report.iterations) {
        objective.gradient(x, g);
        report.residual = objective.relative(objective.norm(g));
        if (objective.norm(g) <= objective.goal(options_.tolerance)) report.status = SolveReport::Status::converged;
        if (report.converged()) break;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] -= 0.4 / A[pattern.column_start[i]] * g[i];
      }
      return report;
    }

   private:
    SolverOptions options_;
  };
  SolverMethod method{.name = "descent", .make = [](const SolverOptions& options) -> std::unique_ptr<Solver> {
                        return std::make_unique<Descent>(options);
                      }};
  register_solver(method);
  EXPECT_THROW(register_solver(method), InputError);  // taken
  method.name = "another";
  method.make = nullptr;
  EXPECT_THROW(register_solver(method), InputError);
  const Model model = bar_and_cloth(projective());
  Step step(model, 0.01);
  step.declare(declarations()[0].terms);
  NodalField x = step.x_n;
  const SolveReport report =
      make_solver({.name = "descent", .tolerance = 1e-8, .iterations = 100000})->solve(step.objective, x);
  EXPECT_TRUE(report.converged()) << report.residual;
  EXPECT_LT(distance(x, dense_newton(step.objective, step.x_n)), 1e-7);
}

}  // namespace brio
