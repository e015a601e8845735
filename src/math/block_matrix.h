/// Symmetric sparse matrix of 3x3 blocks, one block row and column per vertex; the lower triangle is stored, column by
/// column.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "brio/math.h"
#include "core/large_vector.h"

namespace brio {

/// Which blocks exist. The rows of each column ascend and start with the diagonal.
struct BlockPattern {
  std::vector<int> column_start;  ///< size vertices + 1
  std::vector<int> row;

  int vertices() const { return static_cast<int>(column_start.size()) - 1; }
  std::size_t blocks() const { return row.size(); }
  /// Index of block (i, j), i >= j, which must exist.
  int find(int i, int j) const;
  /// The same, -1 where it does not exist.
  int search(int i, int j) const;
};

/// Collects the cliques of vertices that elements couple.
class PatternBuilder {
 public:
  explicit PatternBuilder(std::size_t vertices) : below_(vertices) {}
  void couple(std::span<const int> vertices);
  std::shared_ptr<const BlockPattern> build();

 private:
  std::vector<std::vector<int>> below_;  ///< per column: rows below the diagonal, with repetitions
};

/// A block below the diagonal that the pattern does not have: contact couples vertices that no element joins.
struct LooseBlock {
  int row, column;
  std::array<double, 9> value;  ///< row by row
};

class BlockMatrix {
 public:
  explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  void set_zero();  ///< and forgets loose blocks
  double* block(int index) {
    return values_.data() + 9 * static_cast<std::size_t>(index);
  }  ///< nine doubles, row by row
  const double* block(int index) const { return values_.data() + 9 * static_cast<std::size_t>(index); }
  std::span<const double> values() const { return {values_.data(), 9 * pattern_->blocks()}; }  ///< of the pattern's

  /// A loose block of zeros, row > column, until the next one is added. Those in one place add up.
  double* add_loose(int row, int column) {
    loose_.push_back({row, column, {}});
    return loose_.back().value.data();
  }
  std::span<LooseBlock> loose() { return loose_; }
  std::span<const LooseBlock> loose() const { return loose_; }

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<LooseBlock> loose_;
  LargeVector<double> values_;  ///< one more than is used: rows of a block are loaded four numbers at a time
};

/// y = A x, in an order that does not depend on the number of threads.
void multiply(const BlockMatrix& A, const NodalField& x, NodalField& y);
/// y += L x, L the loose blocks of A and their transposes.
void add_loose_product(const BlockMatrix& A, const NodalField& x, NodalField& y);

/// The whole matrix (both triangles), three scalar rows per vertex.
Eigen::SparseMatrix<double> to_eigen(const BlockMatrix& matrix);

}  // namespace brio
