/// Newton's method on the equations ∇Φ(x) = 0 instead of the minimum of Φ, for comparison: it takes the Hessian as it
/// is, also where it is indefinite, and its line search wants ½|∇Φ|² in the norm of M⁻¹ to decrease. So it may end
/// where Φ has a saddle. [Nocedal & Wright 2006, section 11.2; compared in Kharevych et al. 2006, section 5.4]
#pragma once

#include <Eigen/SparseCholesky>

#include "solvers/definite_hessian.h"

namespace brio {

class RootFinder final : public Solver {
 public:
  explicit RootFinder(const SolverOptions& options) : options_(options), hessian_(options) {}
  SolveReport solve(StepObjective& objective, NodalField& x) override;

 private:
  void prepare(const Model& model);
  /// H d = −g, by Cholesky where H is positive definite, else by L D Lᵀ, which allocates.
  bool find_direction(StepObjective& objective, const NodalField& x, SolveReport& report);
  bool search(StepObjective& objective, NodalField& x, double norm, SolveReport& report);

  SolverOptions options_;
  DefiniteHessian hessian_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> indefinite_;
  Eigen::VectorXd rhs_, solution_;
  NodalField g_, d_, trial_;
};

}  // namespace brio
