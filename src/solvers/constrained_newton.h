/// Newton's method on a step with constraints: ∇Φ(x) = J(x_n)ᵀλ, g(x) = 0. [Kharevych et al. 2006, section 3.5]
///
/// Each iteration factors H = ∇²Φ(x) once and finds λ from the Schur complement:
///   S λ = J(x) H⁻¹∇Φ − g(x),   S = J(x) H⁻¹ J(x_n)ᵀ,   d = H⁻¹(J(x_n)ᵀλ − ∇Φ)
/// S is dense and small: one linear solve per equation. Its elimination reveals the rank, so that constraints that
/// repeat others do no harm. Steps are halved until the residuals of both equations, taken together, decrease.
#pragma once

#include "math/dense_solve.h"
#include "model/constraints.h"
#include "solvers/damped_newton.h"
#include "solvers/definite_hessian.h"

namespace brio {

class ConstrainedNewton final : private Equations {
 public:
  ConstrainedNewton(const SolverOptions& options, const Model& model);

  /// Moves x from its guess to the solution, |g| <= 1e-12 times the lengths that enter it; x_n is where the step
  /// begins.
  SolveReport solve(Objective& objective, const NodalField& x_n, NodalField& x);
  /// Takes the part of v away that would leave the constraints: v ← v + M⁻¹J(x)ᵀμ such that J(x) v = 0.
  void project(const NodalField& x, NodalField& v);

  const ConstraintSet& constraints() const { return set_; }

 private:
  /// Sets r_ = ∇Φ(x) − J(x_n)ᵀλ and g_; returns |both| in units of what each must come down to.
  double evaluate(const NodalField& x, const Eigen::VectorXd& lambda);
  double merit() const;
  double off() const { return g_.lpNorm<Eigen::Infinity>(); }  ///< of the worst equation [m]
  bool converged(SolveReport& report) override;
  bool find_direction(SolveReport& report) override;
  double max_step() override { return objective_->domain_step(*x_, d_); }
  double try_step(double step) override;
  void accept(double step) override;
  bool is_exhausted() const override { return objective_->is_exhausted(); }
  bool only_rounding_left() override;

  SolverOptions options_;
  const Model* model_;
  ConstraintSet set_;
  DefiniteHessian hessian_;
  ConstraintJacobian J_n_, J_;
  Eigen::MatrixXd S_;
  Eigen::VectorXd g_, lambda_, lambda_step_, lambda_next_, scratch_;
  DenseSolve dense_;
  int rank_ = 0;
  NodalField r_, d_, work_, column_, trial_;
  double force_goal_ = 0, length_goal_ = 0;
  double force_norm_ = 0;
  bool force_met_ = false;
  Objective* objective_ = nullptr;  ///< of the solve at hand
  NodalField* x_ = nullptr;
};

}  // namespace brio
