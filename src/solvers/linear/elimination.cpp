#include "solvers/linear/elimination.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <mutex>
#include <span>

#include "core/hash.h"
#ifdef BRIO_WITH_GPL
#include <metis.h>

#include "solvers/linear/cholmod_common.h"
#else
#include <Eigen/OrderingMethods>
#endif

namespace brio {
namespace {

std::mutex guard;
std::map<std::uint64_t, std::weak_ptr<const Elimination>> known;  ///< by the hash of the graph
long found = 0;

/// A collision of two graphs with equally many vertices would cost speed, not correctness: any order serves.
std::uint64_t hash_of(const BlockPattern& pattern) {
  return hash_bytes(std::as_bytes(std::span(pattern.row)), hash_bytes(std::as_bytes(std::span(pattern.column_start))));
}

#ifdef BRIO_WITH_GPL
/// METIS's nested dissection of the vertex graph. Empty when it has no edge.
std::vector<int> dissection(const BlockPattern& pattern) {
  const int n = pattern.vertices();
  std::vector<idx_t> start(n + 1, 0);
  const auto for_edges = [&](auto&& visit) {
    for (int j = 0; j < n; ++j)
      for (int k = pattern.column_start[j] + 1; k < pattern.column_start[j + 1]; ++k) visit(pattern.row[k], j);
  };
  for_edges([&](int i, int j) {
    ++start[i + 1];
    ++start[j + 1];
  });
  for (int i = 0; i < n; ++i) start[i + 1] += start[i];
  if (start[n] == 0) return {};
  std::vector<idx_t> adjacent(start[n]);
  std::vector<idx_t> end(start.begin(), start.end() - 1);
  for_edges([&](int i, int j) {
    adjacent[end[i]++] = j;
    adjacent[end[j]++] = i;
  });
  std::vector<idx_t> options(METIS_NOPTIONS);
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;  // the same order, hence the same bits, every time
  idx_t count = n;
  std::vector<idx_t> order(n);
  const auto dissect = [&] {
    return METIS_NodeND(&count, start.data(), adjacent.data(), nullptr, options.data(), order.data(), end.data());
  };
  int result = dissect();
  // While it runs METIS takes SIGTERM for an error of its own, and so keeps it from us. An error comes again, a signal
  // does not: it is passed on.
  if (result == METIS_ERROR && (result = dissect()) == METIS_OK) std::raise(SIGTERM);
  if (result != METIS_OK) return {};
  return {order.begin(), order.end()};
}

/// Dissection for large graphs, minimum degree for small, then postordered.
Elimination find(const BlockPattern& pattern) {
  std::vector<int> given;
  if (pattern.vertices() >= fewest_supernodal) given = dissection(pattern);
  CholmodCommon common;
  common.method[0].ordering = given.empty() ? CHOLMOD_AMD : CHOLMOD_GIVEN;
  std::vector<int> start = pattern.column_start;
  std::vector<int> row = pattern.row;
  cholmod_sparse A = lower_triangle(start.size() - 1, row.size(), start.data(), row.data(), nullptr);
  cholmod_factor* factor = cholmod_analyze_p(&A, given.empty() ? nullptr : given.data(), nullptr, 0, &common);
  common.check();
  const int* order = static_cast<const int*>(factor->Perm);
  Elimination result{.order = {order, order + factor->n}, .dissected = !given.empty()};
  cholmod_free_factor(&factor, &common);
  return result;
}
#else
Elimination find(const BlockPattern& pattern) {
  const std::vector<char> ones(pattern.blocks(), 1);
  const Eigen::SparseMatrix<char> lower = Eigen::Map<const Eigen::SparseMatrix<char>>(
      pattern.vertices(), pattern.vertices(), static_cast<Eigen::Index>(pattern.blocks()), pattern.column_start.data(),
      pattern.row.data(), ones.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(lower.selfadjointView<Eigen::Lower>(), order);
  return {.order = {order.indices().begin(), order.indices().end()}, .dissected = false};
}
#endif

}  // namespace

std::shared_ptr<const Elimination> elimination_of(const BlockPattern& pattern) {
  const std::lock_guard lock(guard);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const Elimination>& place = known[hash_of(pattern)];
  std::shared_ptr<const Elimination> elimination = place.lock();
  if (!elimination || elimination->order.size() != static_cast<std::size_t>(pattern.vertices())) {
    elimination = std::make_shared<const Elimination>(find(pattern));
    ++found;
    place = elimination;
  }
  return elimination;
}

long eliminations_found() {
  const std::lock_guard lock(guard);
  return found;
}

bool same_graph(const BlockPattern& a, const BlockPattern& b) {
  return a.column_start == b.column_start && a.row == b.row;
}

}  // namespace brio
