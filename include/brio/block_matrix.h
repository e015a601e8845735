/// Symmetric sparse matrix of 3x3 blocks, one block row and column per vertex; the lower triangle is stored, column by
/// column.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "brio/math.h"

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
  /// Nine doubles, row by row.
  double* block(int index) { return values_.get() + 9 * static_cast<std::size_t>(index); }
  const double* block(int index) const { return values_.get() + 9 * static_cast<std::size_t>(index); }
  std::span<const double> values() const { return {values_.get(), 9 * pattern_->blocks()}; }  ///< of the pattern's

  /// A loose block of zeros, row > column, until the next one is added. Those in one place add up.
  double* add_loose(int row, int column) {
    loose_.push_back({row, column, {}});
    return loose_.back().value.data();
  }
  std::span<LooseBlock> loose() { return loose_; }
  std::span<const LooseBlock> loose() const { return loose_; }

 private:
  struct Free {
    void operator()(double* p) const;
  };
  std::size_t count() const { return 9 * pattern_->blocks() + 1; }

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<LooseBlock> loose_;
  std::unique_ptr<double[], Free> values_;  ///< one more than is used: rows are loaded four numbers at a time
};

}  // namespace brio
