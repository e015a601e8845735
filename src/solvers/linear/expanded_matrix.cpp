#include "solvers/linear/expanded_matrix.h"

#include <algorithm>

#include "core/threads.h"

namespace brio {

ExpandedMatrix::ExpandedMatrix(const BlockPattern& pattern, std::span<const int> order, int width) : width_(width) {
  const int n = pattern.vertices();
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[order[k]] = k;

  struct Entry {
    int row;
    Source source;
  };
  std::vector<std::vector<Entry>> columns(n);
  for (int j = 0; j < n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
      const int a = place[pattern.row[k]];
      const int b = place[j];
      columns[std::min(a, b)].push_back({std::max(a, b), {k, a < b}});
    }

  block_start_.push_back(0);
  start_.push_back(0);
  for (int j = 0; j < n; ++j) {
    std::sort(columns[j].begin(), columns[j].end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
    for (const Entry& entry : columns[j]) source_.push_back(entry.source);
    block_start_.push_back(static_cast<int>(source_.size()));
    for (int c = 0; c < width; ++c) {
      for (const Entry& entry : columns[j])
        for (int r = entry.row == j ? c : 0; r < width; ++r) row_.push_back(width * entry.row + r);
      start_.push_back(static_cast<int>(row_.size()));
    }
  }
  value_.resize(row_.size());
}

void ExpandedMatrix::fill(std::span<const double> values) {
  static constexpr std::size_t chunk = 512;  // block columns
  const std::size_t columns = block_start_.size() - 1;
  parallel_chunks((columns + chunk - 1) / chunk, [&](std::size_t k) {
    for (std::size_t j = k * chunk; j < std::min(columns, (k + 1) * chunk); ++j)
      for (int c = 0; c < width_; ++c) {
        double* out = value_.data() + start_[width_ * j + c];
        for (int s = block_start_[j]; s < block_start_[j + 1]; ++s) {
          const double* block = values.data() + static_cast<std::size_t>(source_[s].block) * width_ * width_;
          const int down = source_[s].transposed ? 1 : width_;  // from one row of the target to the next
          const int across = source_[s].transposed ? width_ : 1;
          for (int r = s == block_start_[j] ? c : 0; r < width_; ++r) *out++ = block[r * down + c * across];
        }
      }
  });
}

}  // namespace brio
