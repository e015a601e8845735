/// Newton's method on Φ: each iteration solves H d = -∇Φ, with a stand-in for H where it is not positive definite
/// (DefiniteHessian), and searches along d.
/// Where projected curvature does not get there, being slow to leave the saddle points of mirrored elements, the solve
/// is done again from its guess with shifted curvature, unless the number of iterations was asked for.
#pragma once

#include "solvers/definite_hessian.h"
#include "solvers/line_search.h"
#include "solvers/solver.h"

namespace brio {

class Newton final : public Solver {
 public:
  explicit Newton(const SolverOptions& options) : options_(options), hessian_(options) {}
  SolveReport solve(Objective& objective, NodalField& x) override;

 private:
  SolveReport iterate(Objective& objective, NodalField& x);

  SolverOptions options_;
  DefiniteHessian hessian_;
  NodalField g_, d_, guess_;
  LineSearch search_;
};

}  // namespace brio
