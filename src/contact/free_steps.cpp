/// Steps of SelfContact that carry nothing through anything.
#include <atomic>

#include "contact/continuous.h"
#include "contact/pair_bounds.h"
#include "contact/self_contact.h"
#include "core/cancellation.h"
#include "core/threads.h"

namespace brio {
namespace {

constexpr std::size_t path_chunk = PairSieve::capacity;  ///< candidates

/// Calls visit(pair) for those that may come within their activation distance between x and x + d. Returns how many.
template <class Visit>
long for_meeting(PairSieve& sieve, const std::vector<ContactPair>& pairs, const NodalField& x, const NodalField& d,
                 Visit&& visit) {
  sieve.measure_distances(x);
  sieve.measure_approaches(d);
  long count = 0;
  for (std::size_t i = 0; i < sieve.size(); ++i) {
    const ContactPair& pair = pairs[sieve.what(i)];
    if (sieve.distance(i) - sieve.approach(i) > pair.barrier.dhat + pair.barrier.core) continue;
    ++count;
    visit(pair);
  }
  return count;
}

}  // namespace

double SelfContact::domain_step(const Configuration& at, const NodalField& d) const {
  if (obstacles_.empty()) return free_part(at.x, d);
  everything(at, z_);
  if (path_.size() != all_vertices_) path_ = NodalField(all_vertices_);
  path_.set_zero();
  std::copy_n(d.data(), NodalField::stride * bodies_vertices_, path_.data());
  return free_part(z_, path_);
}

double SelfContact::free_path(const Configuration& from, const Configuration& to) const {
  const NodalField &start = everything(from, z_), &end = everything(to, to_);
  if (path_.size() != all_vertices_) path_ = NodalField(all_vertices_);
  for (std::size_t i = 0; i < all_vertices_; ++i) path_[i] = end[i] - start[i];
  return free_part(start, path_);
}

double SelfContact::free_part(const NodalField& x, const NodalField& d) const {
  list_.cover(x, d, 1);
  const auto& pairs = list_.pairs();
  const double farthest = list_.farthest_approach(d);
  partial_.resize((pairs.size() + path_chunk - 1) / path_chunk);
  looked_at_.resize(partial_.size());
  parallel_chunks(partial_.size(), [&](std::size_t k) {
    const std::size_t last = std::min(pairs.size(), (k + 1) * path_chunk);
    double least = 1;
    PairSieve near;
    for (std::size_t p = k * path_chunk; p < last; ++p)
      if (!pairs[p].held && list_.may_become_active(pairs[p], farthest))
        near.add(pairs[p].kind, pairs[p].vertices, static_cast<int>(p));
    const long looked_at = for_meeting(near, pairs, x, d, [&](const ContactPair& pair) {
      interruption_point();  // a pair that slides past at a hair's breadth takes thousands of strides
      Vec3 place[4], by[4];
      gather(x, pair, place);
      gather(d, pair, by);
      least = safe_step(pair.kind, place, by, {pair.barrier.dhat, pair.barrier.core}, least);
    });
    partial_[k] = least;
    looked_at_[k] = looked_at;
  });
  counts_.ccd += count_round();
  double least = 1;
  for (const double part : partial_) least = std::min(least, part);
  return least;
}

void SelfContact::expect(const State& state, double h) {
  met_.clear();
  if (obstacles_.empty()) return list_.expect(state.x, state.v, h);
  const NodalField &start = everything(state, z_), &end = everything({state.x, Moment::at(state.time + h)}, to_);
  if (path_.size() != all_vertices_) path_ = NodalField(all_vertices_);
  for (std::size_t i = 0; i < all_vertices_; ++i)
    path_[i] = i < bodies_vertices_ ? Vec3(h * state.v[i]) : Vec3(end[i] - start[i]);
  list_.expect(start, path_, 1);
}

void SelfContact::arrive(const Configuration& start, const Configuration& end, Path path) {
  if ((path.limited && !path.driven) || torn_) return;
  torn_ = goes_through(start, end, path.limited);
}

bool SelfContact::goes_through(const Configuration& start, const Configuration& end, bool held_only) const {
  const NodalField &before = everything(start, z_), &after = everything(end, to_);
  if (path_.size() != all_vertices_) path_ = NodalField(all_vertices_);
  for (std::size_t i = 0; i < all_vertices_; ++i) path_[i] = after[i] - before[i];
  list_.cover(before, path_, 1);
  const auto& pairs = list_.pairs();
  const double farthest = list_.farthest_approach(path_);
  std::atomic<bool> torn = false;
  looked_at_.resize((pairs.size() + path_chunk - 1) / path_chunk);
  parallel_chunks(looked_at_.size(), [&](std::size_t k) {
    const std::size_t last = std::min(pairs.size(), (k + 1) * path_chunk);
    PairSieve near;
    for (std::size_t p = k * path_chunk; p < last; ++p)
      if ((!held_only || pairs[p].held) && list_.may_become_active(pairs[p], farthest))
        near.add(pairs[p].kind, pairs[p].vertices, static_cast<int>(p));
    looked_at_[k] = for_meeting(near, pairs, before, path_, [&](const ContactPair& pair) {
      interruption_point();
      Vec3 from[4], to[4];
      gather(before, pair, from);
      gather(after, pair, to);
      if (passed_through(pair.kind, from, to, {pair.barrier.dhat, pair.barrier.core})) torn = true;
    });
  });
  counts_.ccd += count_round();
  return torn;
}

}  // namespace brio
