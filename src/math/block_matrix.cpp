#include "math/block_matrix.h"

#include <algorithm>
#include <cassert>

#include "core/large_vector.h"
#include "core/threads.h"

namespace brio {

int BlockPattern::find(int i, int j) const {
  const auto first = row.begin() + column_start[j];
  const auto last = row.begin() + column_start[j + 1];
  const auto place = std::lower_bound(first, last, i);
  assert(place != last && *place == i);
  return static_cast<int>(place - row.begin());
}

int BlockPattern::search(int i, int j) const {
  const auto first = row.begin() + column_start[j];
  const auto last = row.begin() + column_start[j + 1];
  const auto place = std::lower_bound(first, last, i);
  return place != last && *place == i ? static_cast<int>(place - row.begin()) : -1;
}

void PatternBuilder::couple(std::span<const int> vertices) {
  for (const int j : vertices)
    for (const int i : vertices)
      if (i > j) below_[j].push_back(i);
}

std::shared_ptr<const BlockPattern> PatternBuilder::build() {
  auto pattern = std::make_shared<BlockPattern>();
  pattern->column_start.push_back(0);
  for (std::size_t j = 0; j < below_.size(); ++j) {
    auto& rows = below_[j];
    std::sort(rows.begin(), rows.end());
    pattern->row.push_back(static_cast<int>(j));
    std::unique_copy(rows.begin(), rows.end(), std::back_inserter(pattern->row));
    pattern->column_start.push_back(static_cast<int>(pattern->row.size()));
  }
  pattern->row.shrink_to_fit();
  return pattern;
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)), values_(LargeAllocator<double>().allocate(count())) {
  std::fill_n(values_.get(), count(), 0.0);
}

void BlockMatrix::Free::operator()(double* p) const { LargeAllocator<double>().deallocate(p, 0); }

void BlockMatrix::set_zero() {
  loose_.clear();
  static constexpr std::size_t chunk = 1 << 16;
  parallel_chunks((count() + chunk - 1) / chunk, [this](std::size_t k) {
    const std::size_t first = k * chunk;
    std::fill_n(values_.get() + first, std::min(chunk, count() - first), 0.0);
  });
}

namespace {
using Block = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
}

void add_loose_product(const BlockMatrix& A, const NodalField& x, NodalField& y) {
  for (const LooseBlock& loose : A.loose()) {
    const Block block(loose.value.data());
    y[loose.row] += block * x[loose.column];
    y[loose.column] += block.transpose() * x[loose.row];
  }
}

void multiply(const BlockMatrix& A, const NodalField& x, NodalField& y) {
  const BlockPattern& pattern = A.pattern();
  y.set_zero();
  for (int j = 0; j < pattern.vertices(); ++j) {
    const int diagonal = pattern.column_start[j];
    y[j] += Block(A.block(diagonal)) * x[j];
    for (int k = diagonal + 1; k < pattern.column_start[j + 1]; ++k) {
      const int i = pattern.row[k];
      y[i] += Block(A.block(k)) * x[j];
      y[j] += Block(A.block(k)).transpose() * x[i];
    }
  }
  add_loose_product(A, x, y);
}

Eigen::SparseMatrix<double> to_eigen(const BlockMatrix& matrix) {
  const BlockPattern& pattern = matrix.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(18 * pattern.blocks());
  const auto add = [&](int i, int j, const double* block) {
    for (int c = 0; c < 9; ++c) {
      entries.emplace_back(3 * i + c / 3, 3 * j + c % 3, block[c]);
      if (i != j) entries.emplace_back(3 * j + c % 3, 3 * i + c / 3, block[c]);
    }
  };
  for (int j = 0; j < pattern.vertices(); ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) add(pattern.row[k], j, matrix.block(k));
  for (const LooseBlock& loose : matrix.loose()) add(loose.row, loose.column, loose.value.data());
  const Eigen::Index size = Eigen::Index{3} * pattern.vertices();
  Eigen::SparseMatrix<double> full(size, size);
  full.setFromTriplets(entries.begin(), entries.end());
  return full;
}

}  // namespace brio
