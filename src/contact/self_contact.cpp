#include "contact/self_contact.h"

#include <atomic>
#include <limits>

#include "contact/continuous.h"
#include "contact/pair_blocks.h"
#include "contact/pair_path.h"
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
    : list_(model, std::move(surfaces), rules), results_(batch), damper_(rules.damper) {}

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
double SelfContact::evaluate_all(std::size_t count, Evaluate&& evaluate, Add&& add) const {
  double energy = 0;
  for (std::size_t first = 0; first < count; first += batch) {
    const std::size_t part = std::min(batch, count - first);
    parallel_chunks((part + chunk - 1) / chunk, [&](std::size_t k) {
      const std::size_t last = std::min(part, (k + 1) * chunk);
      for (std::size_t p = k * chunk; p < last; ++p) evaluate(first + p, results_[p]);
    });
    for (std::size_t p = 0; p < part; ++p) {
      energy += results_[p].energy;
      add(first + p, results_[p]);
    }
  }
  return torn_ ? infinite : energy;
}

template <class Evaluate, class Add>
double SelfContact::visit(const NodalField& x, Evaluate&& evaluate, Add&& add) const {
  find_active(x);
  const auto& pairs = list_.pairs();
  return evaluate_all(
      active_.size(),
      [&](std::size_t k, Result& result) {
        const ContactPair& pair = pairs[active_[k]];
        Vec3 place[4];
        gather(x, pair, place);
        evaluate(pair, place, nearest(pair.kind, place), result);
      },
      [&](std::size_t k, const Result& result) { add(pairs[active_[k]], result); });
}

template <class Evaluate, class Add>
double SelfContact::visit_path(const Configuration& at, Evaluate&& evaluate, Add&& add) const {
  const double damper = damper_ > 0 ? damper_ / (at.when.to - at.when.from) : 0;
  find_active(at.x);
  on_path_.clear();
  for (const int p : active_) on_path_.push_back(&list_.pairs()[p]);
  for (const ContactPair& pair : started_) {
    Vec3 place[4];
    gather(at.x, pair, place);
    if (!(nearest(pair.kind, place).distance() < pair.barrier.dhat)) on_path_.push_back(&pair);
  }
  return evaluate_all(
      on_path_.size(),
      [&](std::size_t k, Result& result) {
        const ContactPair& pair = *on_path_[k];
        Vec3 from[4], to[4];
        gather(*at.when.x_n, pair, from);
        gather(at.x, pair, to);
        const PairPath path(pair.kind, pair.barrier, from, to, damper);
        result.energy = path.energy();
        evaluate(path, result);
      },
      [&](std::size_t k, const Result& result) { add(*on_path_[k], result); });
}

void SelfContact::add_gradient(const ContactPair& pair, const Result& result, double weight, NodalField& g) const {
  for (Eigen::Index i = 0; i < vertices_of(pair.kind); ++i) g[pair.vertices[i]] += weight * result.g.segment<3>(3 * i);
}

void SelfContact::begin_path(const Configuration& start) const {
  find_active(start.x);
  started_.clear();
  for (const int p : active_) started_.push_back(list_.pairs()[p]);
}

bool SelfContact::linearize_path(const Configuration& at, std::span<double> stiffness) const {
  linearized_.clear();
  visit_path(
      at, [](const PairPath& path, Result& result) { result.H = 0.5 * path.jacobian(); },
      [&](const ContactPair& pair, const Result& result) {
        linearized_.push_back({pair.vertices, vertices_of(pair.kind), result.H});
        for (Eigen::Index i = 0; i < vertices_of(pair.kind); ++i)
          stiffness[pair.vertices[i]] += result.H.middleRows<3>(3 * i).norm();
      });
  return !linearized_.empty();
}

double SelfContact::path_loss(const Configuration& at) const {
  if (damper_ == 0) return 0;
  return visit_path(
      at, [](const PairPath& path, Result& result) { result.energy = path.loss(); },
      [](const ContactPair&, const Result&) {});
}

void SelfContact::add_path_product(const NodalField& v, NodalField& Jv) const {
  evaluate_all(
      linearized_.size(),
      [&](std::size_t k, Result& result) {
        const Linearized& pair = linearized_[k];
        PairGradient by = PairGradient::Zero();
        for (Eigen::Index i = 0; i < pair.count; ++i) by.segment<3>(3 * i) = v[pair.vertices[i]];
        result.g.noalias() = pair.J * by;
      },
      [&](std::size_t k, const Result& result) {
        const Linearized& pair = linearized_[k];
        for (Eigen::Index i = 0; i < pair.count; ++i) Jv[pair.vertices[i]] += result.g.segment<3>(3 * i);
      });
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
  const auto add = [&](const ContactPair& pair, const Result& result) {
    add_gradient(pair, result, weights.gradient, g);
  };
  if (at.when.mean)
    return visit_path(
        at, [](const PairPath& path, Result& result) { result.g = 0.5 * path.gradient(); }, add);
  return visit(
      at.x,
      [](const ContactPair& pair, const Vec3* place, const Nearest& near, Result& result) {
        result.energy = pair_gradient(pair.kind, pair.barrier, place, near, result.g);
      },
      add);
}

double SelfContact::hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                            BlockMatrix& H) const {
  const auto add = [&](const ContactPair& pair, const Result& result) {
    add_gradient(pair, result, weights.gradient, g);
    add_blocks(pair, result.H, weights.hessian, H);
  };
  if (at.when.mean)
    return visit_path(
        at,
        [](const PairPath& path, Result& result) {
          result.g = 0.5 * path.gradient();
          result.H = 0.5 * path.positive_part();
        },
        add);
  const bool positive = projection == Projection::psd;
  return visit(
      at.x,
      [positive](const ContactPair& pair, const Vec3* place, const Nearest& near, Result& result) {
        result.energy = pair_hessian(pair.kind, pair.barrier, place, near, positive, result.g, result.H);
      },
      add);
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
