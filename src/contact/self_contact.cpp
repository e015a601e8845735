#include "contact/self_contact.h"

#include <atomic>
#include <limits>

#include "contact/continuous.h"
#include "contact/pair_blocks.h"
#include "core/cancellation.h"
#include "core/threads.h"

namespace brio {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t search_chunk = 1024;  ///< candidates

void gather(const NodalField& x, const ContactPair& pair, Vec3* place) {
  for (int i = 0; i < vertices_of(pair.kind); ++i) place[i] = x[pair.vertices[i]];
}

}  // namespace

SelfContact::SelfContact(const Model& model, std::vector<ContactSurface> surfaces, const PairRules& rules)
    : list_(model, std::move(surfaces), rules), results_(batch) {}

void SelfContact::find_active(const NodalField& x) const {
  list_.cover(x);
  const auto& pairs = list_.pairs();
  is_active_.resize(pairs.size());
  const std::size_t chunks = (pairs.size() + search_chunk - 1) / search_chunk;
  parallel_chunks(chunks, [&](std::size_t k) {
    const std::size_t last = std::min(pairs.size(), (k + 1) * search_chunk);
    for (std::size_t p = k * search_chunk; p < last; ++p) {
      is_active_[p] = 0;
      if (pairs[p].held || !list_.may_be_active(pairs[p])) continue;
      Vec3 place[4];
      gather(x, pairs[p], place);
      is_active_[p] = nearest(pairs[p].kind, place).distance() < pairs[p].barrier.dhat ? 1 : 0;
    }
  });
  active_.clear();
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (is_active_[p] != 0) active_.push_back(static_cast<int>(p));
}

template <class Evaluate, class Add>
double SelfContact::visit(const NodalField& x, Evaluate&& evaluate, Add&& add) const {
  find_active(x);
  const auto& pairs = list_.pairs();
  double energy = 0;
  for (std::size_t first = 0; first < active_.size(); first += batch) {
    const std::size_t count = std::min(batch, active_.size() - first);
    parallel_chunks((count + chunk - 1) / chunk, [&](std::size_t k) {
      const std::size_t last = std::min(count, (k + 1) * chunk);
      for (std::size_t p = k * chunk; p < last; ++p) {
        const ContactPair& pair = pairs[active_[first + p]];
        Vec3 place[4];
        gather(x, pair, place);
        evaluate(pair, place, nearest(pair.kind, place), results_[p]);
      }
    });
    for (std::size_t p = 0; p < count; ++p) {
      energy += results_[p].energy;
      add(pairs[active_[first + p]], results_[p]);
    }
  }
  if (torn_) return infinite;
  return energy;
}

double SelfContact::value(const Configuration& at) const {
  double sum = 0;
  add_values(at, {}, {&sum, 1});
  return torn_ ? infinite : sum;
}

void SelfContact::add_values(const Configuration& at, const Parts& parts, std::span<double> sums) const {
  visit(
      at.x,
      [](const ContactPair& pair, const Vec3* place, const Nearest& near, Result& result) {
        result.energy = pair_energy(pair.kind, pair.barrier, place, near);
      },
      [&](const ContactPair& pair, const Result& result) { sums[parts[pair.vertices[0]]] += result.energy; });
}

void SelfContact::for_coupled(const Configuration& at, const std::function<void(int, int)>& join) const {
  find_active(at.x);
  for (const int p : active_)
    if (const ContactPair& pair = list_.pairs()[p]; pair.surfaces[0] != pair.surfaces[1])
      join(pair.vertices[0], pair.vertices[2]);  // of all kinds of pairs one vertex of each simplex
}

double SelfContact::gradient(const Configuration& at, const Weights& weights, NodalField& g) const {
  const NodalField& x = at.x;
  return visit(
      x,
      [](const ContactPair& pair, const Vec3* place, const Nearest& near, Result& result) {
        result.energy = pair_gradient(pair.kind, pair.barrier, place, near, result.g);
      },
      [&](const ContactPair& pair, const Result& result) {
        for (Eigen::Index i = 0; i < vertices_of(pair.kind); ++i)
          g[pair.vertices[i]] += weights.gradient * result.g.segment<3>(3 * i);
      });
}

double SelfContact::hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                            BlockMatrix& H) const {
  const NodalField& x = at.x;
  const bool positive = projection == Projection::psd;
  return visit(
      x,
      [positive](const ContactPair& pair, const Vec3* place, const Nearest& near, Result& result) {
        result.energy = pair_hessian(pair.kind, pair.barrier, place, near, positive, result.g, result.H);
      },
      [&](const ContactPair& pair, const Result& result) {
        for (Eigen::Index i = 0; i < vertices_of(pair.kind); ++i)
          g[pair.vertices[i]] += weights.gradient * result.g.segment<3>(3 * i);
        add_blocks(pair, result.H, weights.hessian, H);
      });
}

double SelfContact::domain_step(const NodalField& x, const NodalField& d) const {
  list_.cover(x, d, 1);
  const auto& pairs = list_.pairs();
  partial_.resize((pairs.size() + search_chunk - 1) / search_chunk);
  parallel_chunks(partial_.size(), [&](std::size_t k) {
    const std::size_t last = std::min(pairs.size(), (k + 1) * search_chunk);
    double least = 1;
    for (std::size_t p = k * search_chunk; p < last; ++p) {
      if (pairs[p].held || !list_.may_become_active(pairs[p], d)) continue;
      interruption_point();  // a pair that slides past at a hair's breadth takes thousands of strides
      Vec3 place[4], by[4];
      gather(x, pairs[p], place);
      gather(d, pairs[p], by);
      least = safe_step(pairs[p].kind, place, by, pairs[p].barrier.dhat, least);
    }
    partial_[k] = least;
  });
  double least = 1;
  for (const double part : partial_) least = std::min(least, part);
  return least;
}

void SelfContact::expect(const NodalField& x, const NodalField& v, double h) { list_.expect(x, v, h); }

void SelfContact::arrive(const NodalField& before, const NodalField& after, Path path) {
  if ((path.limited && !path.driven) || torn_) return;
  if (path_.size() != after.size()) path_ = NodalField(after.size());
  for (std::size_t i = 0; i < after.size(); ++i) path_[i] = after[i] - before[i];
  list_.cover(before, path_, 1);
  const auto& pairs = list_.pairs();
  std::atomic<bool> torn = false;
  parallel_chunks((pairs.size() + search_chunk - 1) / search_chunk, [&](std::size_t k) {
    const std::size_t last = std::min(pairs.size(), (k + 1) * search_chunk);
    for (std::size_t p = k * search_chunk; p < last; ++p) {
      const ContactPair& pair = pairs[p];
      if ((path.limited && !pair.held) || !list_.may_become_active(pair, path_)) continue;
      interruption_point();
      Vec3 from[4], to[4];
      gather(before, pair, from);
      gather(after, pair, to);
      if (passed_through(pair.kind, from, to)) torn = true;
    }
  });
  torn_ = torn;
}

std::size_t SelfContact::active_count(const NodalField& x) const {
  find_active(x);
  return active_.size();
}

std::vector<ActivePair> SelfContact::active_pairs(const NodalField& x) const {
  std::vector<ActivePair> all;
  find_active(x);
  for (const int p : active_) {
    const ContactPair& pair = list_.pairs()[p];
    Vec3 place[4];
    gather(x, pair, place);
    const Nearest near = nearest(pair.kind, place);
    if (near.distance() > 0)
      all.push_back(
          {pair, near, fading(pair.kind, pair.barrier, place) * -barrier_at(pair.barrier, near.distance()).slope});
  }
  return all;
}

}  // namespace brio
