/// Newton's method on the equations ∇Φ(x) = 0 instead of the minimum of Φ, for comparison: it takes the Hessian as it
/// is, also where it is indefinite, and its line search wants |∇Φ| in the norm of M⁻¹ to decrease. So it may end
/// where Φ has a saddle. [Nocedal & Wright 2006, section 11.2; compared in Kharevych et al. 2006, section 5.4]
/// Where forces have no potential their derivative is not symmetric: then directions are found by GMRES, with products
/// of the true derivative, preconditioned by the objective's symmetric stand-in.
#pragma once

#include <Eigen/SparseCholesky>

#include "solvers/damped_newton.h"
#include "solvers/definite_hessian.h"
#include "solvers/gmres.h"

namespace brio {

class RootFinder final : public Solver, private Equations {
 public:
  explicit RootFinder(const SolverOptions& options) : options_(options), hessian_(options) {}
  SolveReport solve(Objective& objective, NodalField& x) override;

 private:
  void prepare(std::size_t vertices);
  bool converged(SolveReport& report) override;
  /// H d = −g, by Cholesky where H is positive definite, else by L D Lᵀ, which allocates.
  bool find_direction(SolveReport& report) override;
  bool solve_indefinite(SolveReport& report);
  bool solve_nonsymmetric(SolveReport& report);
  double renewed(double) const override { return norm_; }
  double max_step() override { return objective_->domain_step(*x_, d_); }
  double try_step(double step) override;
  void accept(double step) override;
  bool may_end_early() const override { return true; }
  bool is_exhausted() const override { return objective_->is_exhausted(); }
  bool only_rounding_left() override { return objective_->at_rounding(norm_); }

  SolverOptions options_;
  DefiniteHessian hessian_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> indefinite_;
  Eigen::VectorXd rhs_, solution_;
  NodalField g_, d_, trial_, trial_g_;
  Gmres gmres_;                     ///< prepared when it is first needed
  NodalField minus_;                ///< −g, likewise
  Objective* objective_ = nullptr;  ///< of the solve at hand
  NodalField* x_ = nullptr;
  double norm_ = 0;  ///< |∇Φ| at x
  NodalSum sum_;
};

}  // namespace brio
