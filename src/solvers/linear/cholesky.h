/// Sparse Cholesky factors A = L Lᵀ of matrices with one pattern of blocks: analyzed once, factored again and again.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "brio/math.h"
#include "math/block_matrix.h"

namespace brio {

class Cholesky {
 public:
  virtual ~Cholesky() = default;
  /// Factors the matrix with these values: width² numbers per block of the pattern, row by row. False when it is not
  /// positive definite; there is then no factor.
  virtual bool factor(std::span<const double> values) = 0;
  /// x = A⁻¹ b, which may be one field. With width 1 the three columns of the field are three right-hand sides.
  virtual void solve(const NodalField& b, NodalField& x) = 0;
  virtual double flops() const = 0;             ///< of a factorization
  virtual double entries() const = 0;           ///< of the factor
  virtual std::size_t bytes() const = 0;        ///< of its numbers, all of which each of a solve's two sweeps reads
  virtual std::string description() const = 0;  ///< "CHOLMOD supernodal, dissected order"
};

/// Of the numbers that solves read. Single suffices where solutions are corrected afterwards; only scalar matrices have
/// it, and only where it is faster.
enum class Precision { single, full };

/// The best there is in this build. Blocks are `width` x `width`: 3, or 1 for a scalar matrix over the vertices.
std::unique_ptr<Cholesky> make_cholesky(const BlockPattern& pattern, int width, Precision precision = Precision::full);

/// Eigen's: in every build, the only one without copyleft parts. Large scalar factors are laid out in tiles as well.
std::unique_ptr<Cholesky> make_eigen_cholesky(const BlockPattern& pattern, int width,
                                              Precision precision = Precision::full);

/// CHOLMOD's; not in builds without copyleft parts. The vertices are ordered, not the unknowns: an order of the
/// vertex graph, expanded to blocks, is found faster and fills less. Small systems are factored column by column, where
/// dense blocks do not pay. Large scalar factors are then laid out in tiles of our own.
std::unique_ptr<Cholesky> make_cholmod_cholesky(const BlockPattern& pattern, int width, Precision precision);

}  // namespace brio
