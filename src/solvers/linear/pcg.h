/// Conjugate gradients, preconditioned by a scalar matrix over the vertices that was factored
/// beforehand, such as M/h² + L of local/global solvers, or, where none was given, by the inverse diagonal blocks.
///
/// The matrix is read where it stands, half of it stored: row i gathers its blocks left of the diagonal through a map
/// made once, and its blocks right of it from column i, transposed. So rows are computed in parallel, each in a fixed
/// order, and the bits do not depend on the number of threads. Loose blocks, of contacts, follow one by one.
#pragma once

#include "core/large_vector.h"
#include "math/nodal_ops.h"
#include "solvers/linear/conjugate_gradients.h"
#include "solvers/linear/scalar_factor.h"

namespace brio {

class PcgSolver final : public LinearSolver {
 public:
  explicit PcgSolver(std::shared_ptr<const BlockPattern> pattern);

  void precondition(ScalarFactor* factor) override;
  void set_limit(int iterations) { max_iterations_ = iterations; }
  bool factor(const BlockMatrix& A) override;
  LinearReport solve(const NodalField& b, NodalField& x, double tolerance) override;
  const char* description() const override { return description_; }
  /// What an iteration and a direct factorization of the same matrix would cost, from the preconditioner's factor.
  double iteration_bytes() const;
  double direct_flops() const { return scalar_ != nullptr ? 27 * scalar_->flops() : 0; }
  double direct_bytes() const { return scalar_ != nullptr ? 9 * sizeof(double) * scalar_->entries() : 0; }

  /// y = A x.
  void multiply(const NodalField& x, NodalField& y);

 private:
  struct Left {
    int block;
    int column;
  };
  void multiply_row(const NodalField& x, std::size_t i, NodalField& y) const;
  /// y = A x; returns x . y.
  double multiply_and_dot(const NodalField& x, NodalField& y);
  /// z = (preconditioner) r; returns r . z.
  double apply_preconditioner(const NodalField& r, NodalField& z);
  bool invert_diagonal();
  /// Without it no matrix is positive definite.
  bool has_positive_diagonal();

  std::shared_ptr<const BlockPattern> pattern_;
  const BlockMatrix* A_ = nullptr;
  std::vector<int> left_start_;  ///< per row
  std::vector<Left> left_;       ///< blocks left of the diagonal, by row, columns ascending
  ScalarFactor* scalar_ = nullptr;
  int max_iterations_ = 10000;
  const char* description_ = "conjugate gradients, preconditioned by diagonal blocks";
  LargeVector<double> inverse_;  ///< of diagonal blocks, twelve doubles each: rows padded to four
  ConjugateGradients iterate_;
  NodalSum sum_;
};

}  // namespace brio
