#include "solvers/linear/supernodes.h"

#include <algorithm>
#include <array>
#include <queue>

namespace brio {

Subtrees distribute(const Supernodes& supernodes) {
  // Of all work that one subtree may have: the top stays small, groups balance.
  constexpr double max_fraction = 0.08;
  const int count = supernodes.count();
  std::vector<int> owner(supernodes.first.back());
  for (int s = 0; s < count; ++s)
    std::fill(owner.begin() + supernodes.first[s], owner.begin() + supernodes.first[s + 1], s);

  std::vector<int> parent(count, -1);
  std::vector<std::vector<int>> children(count);
  std::vector<double> work(count);  // of the subtree: values read, and a little for every supernode and row
  double total = 0;
  for (int s = 0; s < count; ++s) {
    const double columns = supernodes.columns(s);
    const double below = supernodes.below(s);
    const double own = columns * below + 0.5 * columns * columns + 8 * below + 50;
    work[s] += own;
    total += own;
    if (below == 0) continue;
    parent[s] = owner[supernodes.rows[supernodes.row_start[s]]];
    work[parent[s]] += work[s];
    children[parent[s]].push_back(s);
  }

  // The largest subtree is split until none is too large: its root goes to the top.
  Subtrees result{.group = std::vector<int>(count, -1), .members = std::vector<std::vector<int>>(Subtrees::groups + 1)};
  const auto lighter = [&](int a, int b) { return work[a] != work[b] ? work[a] < work[b] : a < b; };
  std::priority_queue<int, std::vector<int>, decltype(lighter)> subtrees(lighter);
  for (int s = 0; s < count; ++s)
    if (parent[s] < 0) subtrees.push(s);
  while (!subtrees.empty() && work[subtrees.top()] > max_fraction * total) {
    const int s = subtrees.top();
    subtrees.pop();
    result.group[s] = Subtrees::top;
    for (const int child : children[s]) subtrees.push(child);
  }
  std::array<double, Subtrees::groups> load{};
  for (; !subtrees.empty(); subtrees.pop()) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += work[subtrees.top()];
    result.group[subtrees.top()] = static_cast<int>(least - load.begin());
  }
  for (int s = count - 1; s >= 0; --s)
    if (result.group[s] < 0) result.group[s] = result.group[parent[s]];
  for (int s = 0; s < count; ++s) result.members[result.group[s]].push_back(s);
  return result;
}

}  // namespace brio
