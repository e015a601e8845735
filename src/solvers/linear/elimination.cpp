#include "solvers/linear/elimination.h"

#include <map>
#include <mutex>
#include <span>

#include "core/hash.h"
#ifdef BRIO_WITH_GPL
#include "solvers/linear/cholmod_common.h"
#include "solvers/linear/dissection.h"
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
/// How CHOLMOD would factor in this order, postordered; without one, in that of minimum degree.
Elimination analyzed(cholmod_sparse& A, std::vector<int> given, double& flops) {
  CholmodCommon common;
  common.method[0].ordering = given.empty() ? CHOLMOD_AMD : CHOLMOD_GIVEN;
  cholmod_factor* factor = cholmod_analyze_p(&A, given.empty() ? nullptr : given.data(), nullptr, 0, &common);
  common.check();
  const int* order = static_cast<const int*>(factor->Perm);
  Elimination result{.order = {order, order + factor->n}, .dissected = !given.empty()};
  flops = common.fl;
  cholmod_free_factor(&factor, &common);
  return result;
}

/// Minimum degree within the pieces of the dissection, which keep their order.
std::vector<int> dissected(cholmod_sparse& A, const BlockPattern& pattern) {
  std::vector<int> piece = dissection(pattern);
  std::vector<int> order(piece.size());
  CholmodCommon common;
  cholmod_camd(&A, nullptr, 0, piece.data(), order.data(), &common);
  common.check();
  return order;
}

/// Of large graphs dissection or minimum degree, whichever takes fewer operations: thin bodies do well without
/// separators, and minimum degree takes a tenth of the time.
Elimination find(const BlockPattern& pattern) {
  std::vector<int> start = pattern.column_start;
  std::vector<int> row = pattern.row;
  cholmod_sparse A = lower_triangle(start.size() - 1, row.size(), start.data(), row.data(), nullptr);
  double flops = 0;
  Elimination best = analyzed(A, {}, flops);
  if (pattern.vertices() < fewest_supernodal) return best;
  double flops_dissected = 0;
  Elimination other = analyzed(A, dissected(A, pattern), flops_dissected);
  return flops_dissected < flops ? other : best;
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
