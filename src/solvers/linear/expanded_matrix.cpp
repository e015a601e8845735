#include "solvers/linear/expanded_matrix.h"

#include <algorithm>

#include "core/threads.h"

namespace brio {

ExpandedMatrix::ExpandedMatrix(const BlockPattern& pattern, std::span<const int> order, int width) : width_(width) {
  const int n = pattern.vertices();
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[order[k]] = k;

  struct Place {
    int row;
    int source;
  };
  const auto for_blocks = [&](auto&& visit) {
    for (int j = 0; j < n; ++j)
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
        const auto [column, row] = std::minmax({place[pattern.row[k]], place[j]});
        visit(column, Place{row, 2 * k + (row == place[j] && row != column ? 1 : 0)});
      }
  };
  block_start_.assign(n + 1, 0);
  for_blocks([&](int column, const Place&) { ++block_start_[column + 1]; });
  for (int j = 0; j < n; ++j) block_start_[j + 1] += block_start_[j];
  std::vector<Place> entries(pattern.blocks());
  std::vector<int> end(block_start_.begin(), block_start_.end() - 1);
  for_blocks([&](int column, const Place& entry) { entries[end[column]++] = entry; });

  const std::size_t size = static_cast<std::size_t>(width) * n;
  start_.reserve(size + 1);
  start_.push_back(0);
  row_.reserve(pattern.blocks() * width * width - size * (width - 1) / 2);
  source_.reserve(pattern.blocks());
  for (int j = 0; j < n; ++j) {
    const std::span column(entries.data() + block_start_[j], entries.data() + block_start_[j + 1]);
    std::sort(column.begin(), column.end(), [](const Place& a, const Place& b) { return a.row < b.row; });
    for (const Place& entry : column) source_.push_back(entry.source);
    for (int c = 0; c < width; ++c) {
      for (const Place& entry : column)
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
          const bool transposed = source_[s] % 2 != 0;
          const double* block = values.data() + static_cast<std::size_t>(source_[s] / 2) * width_ * width_;
          const int down = transposed ? 1 : width_;  // from one row of the target to the next
          const int across = transposed ? width_ : 1;
          for (int r = s == block_start_[j] ? c : 0; r < width_; ++r) *out++ = block[r * down + c * across];
        }
      }
  });
}

}  // namespace brio
