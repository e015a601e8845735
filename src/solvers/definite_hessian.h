/// The Hessian of a step's objective, factored, and where it is not positive definite a stand-in that is.
///
/// `project` takes the positive part of each element's curvature [Teran et al. 2005], `tikhonov` adds s diag(H), s =
/// 1e-10, 1e-9, … until the factorization works [Rojas et al. 2018, made free of units]. The exact H is tried first in
/// both: it keeps convergence quadratic, and inertia makes it definite nearly always. Where it was not, `project` tries
/// it again only near the end. Where the objective prefers it, H + s M/h², s = 0.001 … 1, is tried before `project`.
#pragma once

#include <memory>
#include <vector>

#include "solvers/linear/linear_solver.h"
#include "solvers/prefactored.h"
#include "solvers/solver.h"

namespace brio {

class DefiniteHessian {
 public:
  explicit DefiniteHessian(const SolverOptions& options)
      : options_(options), projecting_(options.definite == Definite::project) {}

  /// Which stand-in is tried first from now on.
  void set_projecting(bool project) { projecting_ = project; }

  /// To be called before a solve: makes room for the model and preconditions iterative linear solvers, where that has
  /// not been done.
  void begin(Objective& objective, SolveReport& report);
  /// Sets g = ∇Φ(x) and H = ∇²Φ(x) + shift I, exact.
  void assemble(Objective& objective, const NodalField& x, NodalField& g, SolveReport& report, double shift = 0);
  /// Factors H as it is; false when it is not positive definite.
  bool factor(SolveReport& report);
  /// d = -H⁻¹ ∇Φ(x), or with the stand-in of H; sets g = ∇Φ(x). False when there is none.
  bool descend(Objective& objective, const NodalField& x, NodalField& g, NodalField& d, double tolerance,
               SolveReport& report);
  /// Assembles and factors H + shift I, or a stand-in, and solves d = H⁻¹ b with it; sets g = ∇Φ(x), which b may be.
  /// False when there is none. Iterative solvers see only in a solve that H is not positive definite.
  bool make_and_solve(Objective& objective, const NodalField& x, NodalField& g, const NodalField& b, NodalField& d,
                      SolveReport& report, double shift = 0);
  /// d = H⁻¹ b for another b, to round-off, or to nearly that. False where an iterative solver did not get there.
  [[nodiscard]] bool solve(const NodalField& b, NodalField& d, SolveReport& report);

  const BlockMatrix& matrix() const { return *H_; }
  const char* description() const { return linear_->description(); }  ///< of the linear solver

 private:
  /// Assembles H, then its stand-ins, until `usable()` says so.
  template <class Usable>
  bool find(Objective& objective, const NodalField& x, NodalField& g, SolveReport& report, double shift, Usable usable);
  /// Factors H and solves with it; `indefinite` where either showed that H is not positive definite.
  LinearReport factor_and_solve(const NodalField& b, NodalField& d, double tolerance, SolveReport& report);
  void fill(Objective& objective, const NodalField& x, Projection projection, NodalField& g, SolveReport& report,
            double shift);

  SolverOptions options_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::unique_ptr<BlockMatrix> H_;
  std::unique_ptr<LinearSolver> linear_;
  Prefactored scalar_;            ///< what iterative linear solvers are preconditioned by
  bool projecting_;               ///< else shifts
  bool iterative_ = false;        ///< the linear solver wants it
  bool was_indefinite_ = false;   ///< the exact H, in the solve at hand
  double inertia_ = 0;            ///< fraction that was added to it last, in the solve at hand
  std::vector<double> diagonal_;  ///< largest of each diagonal block, by which shifts are scaled
};

}  // namespace brio
