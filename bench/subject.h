/// The scenes of the benchmarks of solvers: a model that sags and sways, and one step of backward Euler with it, for
/// ours and for the straightforward version.
#pragma once

#include <memory>

#include "bench/straightforward_solvers.h"
#include "objective/step_objective.h"
#include "solvers/solver.h"

namespace brio::bench {

constexpr double frame = 1.0 / 30;  ///< step of the benchmarks [s]

/// A bar of cells, held at the end where x is least.
struct Shape {
  std::string name;
  std::array<int, 3> cells;
  Vec3 size{1, 0.25, 0.25};  ///< [m]
  bool shuffled = false;     ///< vertices are numbered at random
};

struct Subject {
  Model model{};
  Mesh mesh{};
  Material material{};
  std::vector<PlainSpring> springs{};
  std::string size{};
  double elements = 0;
  NodalField x_n{}, y{};
  std::unique_ptr<StepObjective> objective{};

  State state() const;              ///< x_n with the velocities that lead to y
  PlainStep plain() const;          ///< the same step for the straightforward version
  std::vector<Vec3> guess() const;  ///< where it starts
};

/// E = 5e5 Pa, rho = 1000 kg/m³: the bar of the table of peers.
std::shared_ptr<Subject> bar(const Shape& shape, const std::string& material, double poisson);
/// A square cloth of springs, 1 m, held at two corners.
std::shared_ptr<Subject> cloth(int cells);

/// From the guess y.
struct Solved {
  NodalField x{};
  SolveReport report{};
};
Solved solve(Solver& solver, Subject& subject);

/// Largest distance between the two versions' results [m].
double apart(const NodalField& x, const std::vector<Vec3>& plain);

/// "3 iterations: assembly 1.20, factor ... ms; conjugate gradients, ..."
std::string split(const SolveReport& report);

}  // namespace brio::bench
