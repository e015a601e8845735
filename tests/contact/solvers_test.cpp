#include <gtest/gtest.h>

#include "contact/contact_scenes.h"
#include "objective/step_objective.h"
#include "solvers/solver.h"

namespace brio {
using namespace testing;

namespace {

/// A step of the heap in which everything falls onto the sheet, pinned at its rim.
struct FallingHeap : Heap {
  StepObjective objective;
  NodalField y;

  explicit FallingHeap(double h = 0.02) : objective(model), y(state.x) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * Vec3(0.1, i < 16 ? -0.5 : 0.3, 0);
    const Term terms[]{{.c = 1, .theta = 1}};
    objective.declare(h, state.x, y, terms);
  }
  NodalField solve(const SolverOptions& options, SolveReport& report) {
    NodalField x = y;
    objective.admit(x);
    report = make_solver(options)->solve(objective, x);
    return x;
  }
};

double farthest(const NodalField& a, const NodalField& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

}  // namespace

TEST(SolversWithContact, AllReachTheSameMinimum) {
  FallingHeap heap;
  SolveReport report;
  const NodalField expected =
      heap.solve({.name = "newton", .tolerance = 1e-12, .linear = LinearChoice::direct}, report);
  ASSERT_TRUE(report.converged()) << report.message;
  EXPECT_GT(heap.contact->active_count(expected), 20U);
  for (const SolverOptions& options :
       {SolverOptions{.name = "newton", .tolerance = 1e-10, .linear = LinearChoice::pcg},
        SolverOptions{
            .name = "newton", .tolerance = 1e-10, .definite = Definite::tikhonov, .linear = LinearChoice::direct},
        SolverOptions{.name = "lbfgs", .tolerance = 1e-8, .iterations = 2000},
        SolverOptions{.name = "local-global", .tolerance = 1e-8, .iterations = 5000},
        SolverOptions{.name = "root", .tolerance = 1e-10}}) {
    const NodalField x = heap.solve(options, report);
    EXPECT_TRUE(report.converged()) << options.name << ", " << options.linear << ": " << report.message;
    EXPECT_LT(farthest(x, expected), 1e-8) << options.name << ", " << options.linear;
    RecordProperty(options.name + "-" + to_string(options.linear) + "-" + to_string(options.definite),
                   report.iterations);
  }
}

TEST(SolversWithContact, ResultsDoNotDependOnTheNumberOfThreads) {
  for (const char* name : {"newton", "lbfgs", "local-global"}) {
    std::vector<NodalField> results;
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      FallingHeap heap;
      SolveReport report;
      results.push_back(heap.solve({.name = name, .iterations = 20}, report));
    }
    EXPECT_TRUE(same_bits(results[0], results[1])) << name;
    EXPECT_TRUE(same_bits(results[0], results[2])) << name;
  }
  set_threads(0);
}

TEST(SolversWithContact, AStiffContactDoesNotStallLocalGlobal) {
  Model model;
  const BodyId sheet = model.add(ClothOptions{.mesh = make_sheet({.size = {1, 1}, .cells = {6, 6}}), .mass = 0.1});
  const BodyId cube = model.add(SolidOptions{.mesh = make_cube({.size = 0.3, .cells = 2}), .material = soft(1e4)});
  std::vector<int> all(model.body(cube).mesh.vertices.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
  model.pin(cube, all);
  auto* contact = static_cast<SelfContact*>(
      &model.energy(add_self_contact(model, {.thickness = 0.02, .stiffness = 1e6, .self = false})));
  State state = model.rest_state();
  move(model, state, sheet, Eigen::Matrix3d::Identity(), {0.01, 0.17, 0.02}, Vec3::Zero());
  StepObjective objective(model);
  NodalField y = state.x;
  for (std::size_t i = 0; i < 49; ++i) y[i] += Vec3(0, -0.02, 0);
  const Term terms[]{{.c = 1, .theta = 1}};
  objective.declare(0.01, state.x, y, terms);
  NodalField x = y;
  objective.admit(x);
  const SolveReport report =
      make_solver({.name = "local-global", .tolerance = 1e-5, .iterations = 300})->solve(objective, x);
  EXPECT_TRUE(report.converged()) << report.message << ", residual " << report.residual;
  EXPECT_GT(contact->active_count(x), 10U);
}

}  // namespace brio
