#include "contact/self_contact.h"

#include <limits>
#include <numeric>

#include "contact/pair_blocks.h"
#include "contact/pair_bounds.h"
#include "contact/pair_path.h"
#include "core/threads.h"

namespace brio {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t search_chunk = PairSieve::capacity;  ///< candidates

bool is_active(const ContactPair& pair, const Vec3* place) {
  return nearest(pair.kind, place).distance() < pair.barrier.dhat + pair.barrier.core;
}

/// Of vertices that are not an obstacle's.
void add_gradient(const ContactPair& pair, const PairGradient& by, double weight, NodalField& g) {
  for (Eigen::Index i = 0; i < vertices_of(pair.kind); ++i)
    if (const auto v = static_cast<std::size_t>(pair.vertices[i]); v < g.size()) g[v] += weight * by.segment<3>(3 * i);
}

}  // namespace

SelfContact::SelfContact(const Model& model, std::vector<ContactSurface> surfaces, const PairRules& rules,
                         std::vector<ContactObstacle> obstacles)
    : obstacles_(std::move(obstacles)),
      bodies_vertices_(model.vertices()),
      all_vertices_(model.vertices()),
      list_(model, std::move(surfaces), rules, obstacles_),
      results_(batch),
      damper_(rules.damper) {
  for (const ContactObstacle& obstacle : obstacles_) {
    first_vertex_.push_back(static_cast<int>(all_vertices_));
    all_vertices_ += obstacle.points.size();
    obstacle.places_at(0, still_.emplace_back());
  }
}

const NodalField& SelfContact::everything(const Configuration& at, NodalField& z) const {
  if (obstacles_.empty()) return at.x;
  if (z.size() != all_vertices_) z = NodalField(all_vertices_);
  std::copy_n(at.x.data(), NodalField::stride * bodies_vertices_, z.data());
  const Moment& when = at.when;
  const double part = when.x_n == nullptr ? 1 : when.theta * when.reach;
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const ContactObstacle& obstacle = obstacles_[o];
    const bool moves = obstacle.moves();
    if (moves) obstacle.places_at(when.to, ends_);
    if (moves && part != 1) obstacle.places_at(when.from, starts_);
    const std::vector<Vec3>& ends = moves ? ends_ : still_[o];
    for (std::size_t k = 0; k < ends.size(); ++k) {
      const std::size_t i = static_cast<std::size_t>(first_vertex_[o]) + k;
      z[i] = !moves || part == 1 ? ends[k] : Vec3(starts_[k] + part * (ends[k] - starts_[k]));
    }
  }
  return z;
}

long SelfContact::count_round() const {
  const long looked_at = std::accumulate(looked_at_.begin(), looked_at_.end(), 0L);
  const auto asked = static_cast<long>(list_.pairs().size());
  counts_.asked += asked;
  counts_.culled += asked - looked_at;
  return looked_at;
}

ContactCounts SelfContact::counts() const {
  ContactCounts all = counts_;
  all.searches = list_.searches();
  all.found = list_.found();
  return all;
}

void SelfContact::find_active(const NodalField& x) const {
  list_.cover(x);
  const auto& pairs = list_.pairs();
  is_active_.resize(pairs.size());
  looked_at_.resize((pairs.size() + search_chunk - 1) / search_chunk);
  parallel_chunks(looked_at_.size(), [&](std::size_t k) {
    const std::size_t last = std::min(pairs.size(), (k + 1) * search_chunk);
    long looked_at = 0;
    PairSieve near;
    for (std::size_t p = k * search_chunk; p < last; ++p) {
      is_active_[p] = 0;
      if (!pairs[p].held && list_.may_be_active(pairs[p]))
        near.add(pairs[p].kind, pairs[p].vertices, static_cast<int>(p));
    }
    near.measure_distances(x);
    for (std::size_t i = 0; i < near.size(); ++i) {
      const ContactPair& pair = pairs[near.what(i)];
      if (near.distance(i) > pair.barrier.dhat + pair.barrier.core) continue;
      ++looked_at;
      Vec3 place[4];
      gather(x, pair, place);
      is_active_[near.what(i)] = is_active(pair, place) ? 1 : 0;
    }
    looked_at_[k] = looked_at;
  });
  count_round();
  active_.clear();
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (is_active_[p] != 0) active_.push_back(static_cast<int>(p));
  counts_.active += static_cast<long>(active_.size());
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
double SelfContact::visit(const Configuration& at, Evaluate&& evaluate, Add&& add) const {
  const NodalField& x = everything(at, z_);
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
  const NodalField& end = everything(at, z_);
  const NodalField& start = everything({*at.when.x_n, Moment::at(at.when.from)}, from_);
  find_active(end);
  on_path_.clear();
  for (const int p : active_) on_path_.push_back(&list_.pairs()[p]);
  for (const ContactPair& pair : started_) {
    Vec3 place[4];
    gather(end, pair, place);
    if (!is_active(pair, place)) on_path_.push_back(&pair);
  }
  return evaluate_all(
      on_path_.size(),
      [&](std::size_t k, Result& result) {
        const ContactPair& pair = *on_path_[k];
        Vec3 from[4], to[4];
        gather(start, pair, from);
        gather(end, pair, to);
        const PairPath path(pair.kind, pair.barrier, from, to, damper);
        result.energy = path.energy();
        evaluate(path, result);
      },
      [&](std::size_t k, const Result& result) { add(*on_path_[k], result); });
}

void SelfContact::begin_path(const Configuration& start) const {
  find_active(everything(start, z_));
  started_.clear();
  for (const int p : active_) started_.push_back(list_.pairs()[p]);
  met_.insert(met_.end(), started_.begin(), started_.end());
}

bool SelfContact::linearize_path(const Configuration& at, std::span<double> stiffness) const {
  linearized_.clear();
  visit_path(
      at, [](const PairPath& path, Result& result) { result.H = 0.5 * path.jacobian(); },
      [&](const ContactPair& pair, const Result& result) {
        linearized_.push_back({pair.vertices, vertices_of(pair.kind), result.H});
        for (Eigen::Index i = 0; i < vertices_of(pair.kind); ++i)
          if (const auto v = static_cast<std::size_t>(pair.vertices[i]); v < stiffness.size())
            stiffness[v] += result.H.middleRows<3>(3 * i).norm();
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
        for (Eigen::Index i = 0; i < pair.count; ++i)
          if (const auto at = static_cast<std::size_t>(pair.vertices[i]); at < v.size()) by.segment<3>(3 * i) = v[at];
        result.g.noalias() = pair.J * by;
      },
      [&](std::size_t k, const Result& result) {
        const Linearized& pair = linearized_[k];
        for (Eigen::Index i = 0; i < pair.count; ++i)
          if (const auto at = static_cast<std::size_t>(pair.vertices[i]); at < Jv.size())
            Jv[at] += result.g.segment<3>(3 * i);
      });
}

double SelfContact::value(const Configuration& at) const {
  double sum = 0;
  add_values(at, {}, {&sum, 1});
  return torn_ ? infinite : sum;
}

void SelfContact::add_values(const Configuration& at, const Parts& parts, std::span<double> sums) const {
  visit(
      at,
      [](const ContactPair& pair, const Vec3* place, const Nearest& near, Result& result) {
        result.energy = pair_energy(pair.kind, pair.barrier, place, near);
      },
      [&](const ContactPair& pair, const Result& result) { sums[parts[pair.body]] += result.energy; });
}

void SelfContact::for_coupled(const Configuration& at, const std::function<void(int, int)>& join) const {
  find_active(everything(at, z_));
  for (const int p : active_)
    if (const ContactPair& pair = list_.pairs()[p]; pair.obstacle >= 0) {
      join(pair.body, -1);
    } else if (pair.surfaces[0] != pair.surfaces[1]) {
      join(pair.vertices[0], pair.vertices[2]);  // of all kinds of pairs one vertex of each simplex
    }
}

double SelfContact::gradient(const Configuration& at, const Weights& weights, NodalField& g) const {
  const auto add = [&](const ContactPair& pair, const Result& result) {
    add_gradient(pair, result.g, weights.gradient, g);
  };
  if (at.when.mean)
    return visit_path(
        at, [](const PairPath& path, Result& result) { result.g = 0.5 * path.gradient(); }, add);
  return visit(
      at,
      [](const ContactPair& pair, const Vec3* place, const Nearest& near, Result& result) {
        result.energy = pair_gradient(pair.kind, pair.barrier, place, near, result.g);
      },
      add);
}

double SelfContact::hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                            BlockMatrix& H) const {
  const auto add = [&](const ContactPair& pair, const Result& result) {
    add_gradient(pair, result.g, weights.gradient, g);
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
      at,
      [positive](const ContactPair& pair, const Vec3* place, const Nearest& near, Result& result) {
        result.energy = pair_hessian(pair.kind, pair.barrier, place, near, positive, result.g, result.H);
      },
      add);
}

std::size_t SelfContact::active_count(const Configuration& at) const {
  find_active(everything(at, z_));
  return active_.size();
}

std::vector<ActivePair> SelfContact::active_pairs(const Configuration& at) const {
  std::vector<ActivePair> all;
  const NodalField& x = everything(at, z_);
  find_active(x);
  for (const int p : active_) {
    const ContactPair& pair = list_.pairs()[p];
    Vec3 place[4];
    gather(x, pair, place);
    const Nearest near = nearest(pair.kind, place);
    const double gap = near.distance() - pair.barrier.core;
    if (gap > 0)
      all.push_back({pair, near, fading(pair.kind, pair.barrier, place) * -barrier_at(pair.barrier, gap).slope});
  }
  return all;
}

void SelfContact::for_obstacle_forces(const Configuration& at, const ObstacleForce& tell) const {
  if (obstacles_.empty()) return;
  const auto add = [&](const ContactPair& pair, const Result& result) {
    if (pair.obstacle < 0) return;
    for (int i = 0; i < vertices_of(pair.kind); ++i)
      if (const int k = pair.vertices[i] - first_vertex(pair.obstacle); k >= 0)
        tell(pair, static_cast<std::size_t>(k), result.g.segment<3>(3 * static_cast<Eigen::Index>(i)));
  };
  if (at.when.mean) {
    visit_path(
        at, [](const PairPath& path, Result& result) { result.g = 0.5 * path.gradient(); }, add);
    return;
  }
  visit(
      at,
      [](const ContactPair& pair, const Vec3* place, const Nearest& near, Result& result) {
        if (pair.obstacle >= 0) pair_gradient(pair.kind, pair.barrier, place, near, result.g);
      },
      add);
}

}  // namespace brio
