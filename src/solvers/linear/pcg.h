/// Conjugate gradients, preconditioned by the inverse diagonal blocks (block Jacobi). [Hestenes & Stiefel 1952]
///
/// The matrix is read where it stands, half of it stored: row i gathers its blocks left of the diagonal through a map
/// made once, and its blocks right of it from column i, transposed. So rows are computed in parallel, each in a fixed
/// order, and the bits do not depend on the number of threads.
#pragma once

#include "math/nodal_ops.h"
#include "solvers/linear/linear_solver.h"

namespace brio {

class PcgSolver final : public LinearSolver {
 public:
  PcgSolver(std::shared_ptr<const BlockPattern> pattern, std::string description);

  bool factor(const BlockMatrix& A) override;
  LinearReport solve(const NodalField& b, NodalField& x, double tolerance) override;
  std::string description() const override { return description_; }

  /// y = A x.
  void multiply(const NodalField& x, NodalField& y);

 private:
  struct Left {
    int block;
    int column;
  };
  void multiply_row(const NodalField& x, std::size_t i, NodalField& y) const;
  void precondition_row(const NodalField& r, std::size_t i, NodalField& z) const;

  std::shared_ptr<const BlockPattern> pattern_;
  std::string description_;
  const BlockMatrix* A_ = nullptr;
  std::vector<int> left_start_;  ///< per row
  std::vector<Left> left_;       ///< blocks left of the diagonal, by row, columns ascending
  LargeVector<double> inverse_;  ///< of diagonal blocks, twelve doubles each: rows padded to four
  NodalField r_, z_, d_, q_;
  NodalSum sum_;
};

}  // namespace brio
