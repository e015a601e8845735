#include "solvers/root.h"

#include <gtest/gtest.h>

#include "integrators/testing.h"
#include "math/block_matrix.h"

namespace brio {

TEST(RootFinder, FindsRootsWhereTheHessianIsIndefinite) {
  // Backward Euler with h = 1 s of 1 kg thrown at a spring of 100 N/m: on the axis the forces balance at a saddle,
  // since the spring is pressed together and would give way sideways.
  const Model model = testing::mass_on_spring(SpringLaw::hookean, 100, 1);
  StepObjective objective(model);
  const NodalField& x_n = model.rest();
  NodalField y = x_n;
  y[1] = Vec3(-5, 0, 0);
  const Term terms[]{{.c = 1, .theta = 1}};
  objective.declare(1, x_n, y, terms);
  NodalField x = x_n;
  x[1] = Vec3(0.5, 0, 0);
  RootFinder solver({.name = "root"});
  const SolveReport report = solver.solve(objective, x);
  EXPECT_TRUE(report.converged()) << report.message;
  EXPECT_LT((x[1] - Vec3(95.0 / 101, 0, 0)).norm(), 1e-12);

  NodalField g(2);
  BlockMatrix H(model.pattern());
  objective.hessian(x, Projection::none, g, H);
  EXPECT_LT(to_eigen(H).coeff(4, 4), 0);
}

TEST(RootFinder, NamesItsLinearSolverInWordsThatOutliveIt) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.cells = {12, 5, 5}})});
  ASSERT_GT(model.vertices(), 200U);  // conjugate gradients first
  StepObjective objective(model);
  NodalField x = model.rest();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 1.2;
  const NodalField x_n = x;
  const Term terms[]{{.c = 1, .theta = 1}};
  objective.declare(0.1, x_n, x_n, terms);
  SolveReport report;
  {
    RootFinder solver({.name = "root"});
    report = solver.solve(objective, x);
  }
  EXPECT_TRUE(report.converged()) << report.message;
  const std::string linear = report.linear;
  EXPECT_TRUE(linear.find("conjugate gradients") == 0 || linear.find("(auto") != std::string::npos) << linear;
}

}  // namespace brio
