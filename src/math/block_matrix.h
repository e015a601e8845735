/// What is done with matrices of blocks (brio/block_matrix.h).
#pragma once

#include <Eigen/SparseCore>

#include "brio/block_matrix.h"

namespace brio {

/// y = A x, in an order that does not depend on the number of threads.
void multiply(const BlockMatrix& A, const NodalField& x, NodalField& y);
/// y += L x, L the loose blocks of A and their transposes.
void add_loose_product(const BlockMatrix& A, const NodalField& x, NodalField& y);

/// The whole matrix (both triangles), three scalar rows per vertex.
Eigen::SparseMatrix<double> to_eigen(const BlockMatrix& matrix);

}  // namespace brio
