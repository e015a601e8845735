/// Factor of a scalar matrix over the vertices, such as M/h² + L of local/global solvers: n x n instead of 3n x 3n, and
/// three right-hand sides, x, y and z.
#pragma once

#include "solvers/linear/cholesky.h"

namespace brio {

class ScalarFactor {
 public:
  explicit ScalarFactor(const BlockPattern& pattern, Precision precision = Precision::full)
      : cholesky_(make_cholesky(pattern, 1, precision)) {}

  /// One number per block of the pattern. False when the matrix is not positive definite.
  bool factor(std::span<const double> values) { return cholesky_->factor(values); }
  void solve(const NodalField& b, NodalField& x) { cholesky_->solve(b, x); }  ///< b and x may be one
  double flops() const { return cholesky_->flops(); }                         ///< of a factorization
  double entries() const { return cholesky_->entries(); }                     ///< of the factor
  std::size_t bytes() const { return cholesky_->bytes(); }                    ///< of its numbers
  std::string description() const { return cholesky_->description(); }

 private:
  std::unique_ptr<Cholesky> cholesky_;
};

}  // namespace brio
