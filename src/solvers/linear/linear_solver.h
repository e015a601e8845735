/// Solvers of A x = b for symmetric positive definite matrices of 3x3 blocks.
#pragma once

#include <memory>
#include <string>

#include "brio/choices.h"
#include "brio/math.h"
#include "math/block_matrix.h"

namespace brio {

class ScalarFactor;

struct LinearReport {
  bool solved = false;      ///< to the tolerance; else x is the best direction found, along which b . x > 0
  bool indefinite = false;  ///< A was seen not to be positive definite
  int iterations = 0;       ///< 0 for direct solvers
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// The factor of a scalar matrix over the vertices that the matrices to come resemble, null where there is none:
  /// iterative solvers are many times faster for it, direct ones ignore it. It must outlive the solves. What was learnt
  /// of earlier matrices is forgotten, so that results do not depend on what was solved before.
  virtual void precondition(ScalarFactor* /*factor*/) {}
  /// Prepares for solves with A, which must outlive them. False when A is seen not to be positive definite.
  virtual bool factor(const BlockMatrix& A) = 0;
  /// x ≈ A⁻¹ b. Iterative solvers start from zero and stop when the residual, in the norm of their preconditioner, is
  /// below tolerance times that of b. Direct ones solve to round-off; where A has loose blocks, which are in no factor,
  /// they iterate to the tolerance too.
  virtual LinearReport solve(const NodalField& b, NodalField& x, double tolerance) = 0;
  virtual const char* description() const = 0;  ///< which, and why it was chosen; lives as long as the program
};

/// Whether the solver of that name uses a preconditioner for such a matrix.
bool is_iterative(LinearChoice choice, const BlockPattern& pattern);

/// Automatic: direct for small systems; for larger ones conjugate gradients, and direct for the rest
/// of a solve in which they took more iterations than a factorization would take time.
std::unique_ptr<LinearSolver> make_linear_solver(LinearChoice choice, std::shared_ptr<const BlockPattern> pattern);

}  // namespace brio
