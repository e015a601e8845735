/// Newton's method on Φ: each step solves H d = -∇Φ and searches along d.
///
/// Where H is not positive definite, `project` takes the positive part of each element's curvature instead [Teran et
/// al. 2005], `tikhonov` adds s diag(H), s = 1e-10, 1e-9, … until the factorisation works [Rojas et al. 2018, made free
/// of units]. The exact H is tried first in both: it keeps convergence quadratic, and inertia makes it definite nearly
/// always. Where it was not, `project` tries it again only near the end.
#pragma once

#include <memory>
#include <vector>

#include "solvers/line_search.h"
#include "solvers/linear/linear_solver.h"
#include "solvers/prefactored.h"
#include "solvers/solver.h"

namespace brio {

class Newton final : public Solver {
 public:
  explicit Newton(const SolverOptions& options) : options_(options) {}
  SolveReport solve(StepObjective& objective, NodalField& x) override;

 private:
  void prepare(const Model& model);
  /// A descent direction in d_; false when there is none.
  bool find_direction(StepObjective& objective, const NodalField& x, SolveReport& report);
  void assemble(StepObjective& objective, const NodalField& x, Curving curving, SolveReport& report);
  bool solve_for_direction(SolveReport& report);

  SolverOptions options_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::unique_ptr<BlockMatrix> H_;
  std::unique_ptr<LinearSolver> linear_;
  Prefactored matrix_;           ///< what iterative linear solvers are preconditioned by
  bool iterative_ = false;       ///< the linear solver wants it
  bool was_indefinite_ = false;  ///< the exact H, in the solve at hand
  NodalField g_, d_;
  std::vector<double> diagonal_;  ///< largest of each diagonal block, by which shifts are scaled
  LineSearch search_;
};

}  // namespace brio
