/// The shape of a supernodal Cholesky factor, and how its elimination tree is shared out among threads.
#pragma once

#include <cstddef>
#include <vector>

namespace brio {

/// Columns [first[s], first[s+1]) share the rows below them: one dense panel. Values of a panel lie column by column,
/// its own columns first.
struct Supernodes {
  std::vector<int> first;                ///< size count + 1
  std::vector<int> row_start;            ///< size count + 1: into rows
  std::vector<int> rows;                 ///< below the own columns, ascending
  std::vector<std::size_t> value_start;  ///< size count + 1: into the values

  int count() const { return static_cast<int>(first.size()) - 1; }
  int columns(int s) const { return first[s + 1] - first[s]; }
  int below(int s) const { return row_start[s + 1] - row_start[s]; }
};

/// Whole subtrees of the elimination tree in groups of like work that share no column; what is above them all is the
/// top. The number of groups never depends on the number of threads, so neither do results.
struct Subtrees {
  static constexpr int groups = 4;
  static constexpr int top = groups;
  std::vector<int> group;                 ///< of each supernode
  std::vector<std::vector<int>> members;  ///< of each group and of the top: supernodes, ascending
};
Subtrees distribute(const Supernodes& supernodes);

}  // namespace brio
