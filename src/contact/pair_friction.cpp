#include "contact/pair_friction.h"

#include <algorithm>

#include "contact/friction_mean.h"
#include "contact/pair_blocks.h"
#include "contact/pair_key.h"

namespace brio {
namespace {

/// What a history holds of each spring: its pair's kind and vertices, and its slip.
constexpr std::size_t numbers_per_spring = 8;

struct Spring {
  PairKey key;
  Vec3 slip;
};

std::vector<Spring> springs_of(const Memory& history) {
  std::vector<Spring> springs;
  for (std::size_t k = 1; k + numbers_per_spring <= history.numbers.size(); k += numbers_per_spring) {
    Spring spring;
    std::copy_n(history.numbers.begin() + static_cast<std::ptrdiff_t>(k), 5, spring.key.begin());
    for (int c = 0; c < 3; ++c) spring.slip[c] = history.numbers[k + 5 + c];
    springs.push_back(spring);
  }
  std::sort(springs.begin(), springs.end(), [](const Spring& a, const Spring& b) { return a.key < b.key; });
  return springs;
}

}  // namespace

Vec3 PairFriction::stretch(const Point& point, const NodalField& x) const {
  Vec3 u = point.slip;
  for (int i = 0; i < vertices_of(point.pair.kind); ++i) {
    const int v = point.pair.vertices[i];
    u += point.w[i] * (x[v] - x_n_[v]);
  }
  for (int c = 0; point.frame >= 0 && c < 4; ++c) u += point.turn[c] * (x[point.frame + c] - x_n_[point.frame + c]);
  return u - point.normal.dot(u) * point.normal;
}

void PairFriction::follow_surface(Point& point, const NodalField& x) const {
  if (point.pair.obstacle < 0) return;
  const ContactObstacle& obstacle = contact_->obstacles()[point.pair.obstacle];
  if (obstacle.first_of_frame < 0) return;
  point.frame = contact_->first_vertex(point.pair.obstacle) + obstacle.first_of_frame;
  // With the obstacle's side counted by the weight ∓1 its surface is at ±core n, so that the sign is gone.
  for (int c = 1; c < 4; ++c) {
    const Vec3 axis = x[point.frame + c] - x[point.frame];
    point.turn[c] = -point.normal.dot(axis) / obstacle.surface.core;
    point.turn[0] -= point.turn[c];
  }
}

PairFriction::Pull PairFriction::pull(const Point& point, double stretch) {
  const double k = stiffness(point);
  if (k * stretch <= point.cap) return {0.5 * k * stretch * stretch, k, false};
  return {point.cap * (stretch - 0.5 * point.cap / k), point.cap / stretch, true};
}

template <int order, class Add>
double PairFriction::average(const Configuration& at, Add&& add) const {
  const NodalField& end = everything(at);
  const NodalField& start = contact_->everything({*at.when.x_n, Moment::at(at.when.from)}, from_);
  double sum = 0;
  for (const Point& point : points_) {
    if (!(point.cap > 0)) continue;
    const friction::PathAverage average(stiffness(point), point.cap, stretch(point, start), stretch(point, end),
                                        point.normal);
    const friction::PathMean mean = average.find<order>();
    sum += mean.value;
    add(point, mean);
  }
  return sum;
}

double PairFriction::energy_at(const NodalField& z) const {
  double energy = 0;
  for (const Point& point : points_) energy += pull(point, stretch(point, z).norm()).energy;
  return energy;
}

double PairFriction::value(const Configuration& at) const {
  if (at.when.mean) return average<0>(at, [](const Point&, const friction::PathMean&) {});
  return energy_at(everything(at));
}

void PairFriction::add_values(const Configuration& at, const Parts& parts, std::span<double> sums) const {
  const NodalField& x = everything(at);
  for (const Point& point : points_) sums[parts[point.pair.body]] += pull(point, stretch(point, x).norm()).energy;
}

void PairFriction::add_gradient(const Point& point, double weight, double per_stretch, const Vec3& u, NodalField& g) {
  for (int i = 0; i < vertices_of(point.pair.kind); ++i)
    if (const auto v = static_cast<std::size_t>(point.pair.vertices[i]); v < g.size())
      g[v] += weight * point.w[i] * per_stretch * u;
}

double PairFriction::gradient(const Configuration& at, const Weights& weights, NodalField& g) const {
  if (at.when.mean)
    return average<1>(at, [&](const Point& point, const friction::PathMean& mean) {
      add_gradient(point, weights.gradient, 1, mean.gradient, g);
    });
  const NodalField& x = everything(at);
  double energy = 0;
  for (const Point& point : points_) {
    const Vec3 u = stretch(point, x);
    const Pull p = pull(point, u.norm());
    energy += p.energy;
    add_gradient(point, weights.gradient, p.per_stretch, u, g);
  }
  return energy;
}

void PairFriction::add_blocks_of(const Point& point, const Mat3& K, double weight, BlockMatrix& H) const {
  PairHessian blocks;
  for (Eigen::Index i = 0; i < 4; ++i)
    for (Eigen::Index j = 0; j < 4; ++j) blocks.block<3, 3>(3 * i, 3 * j) = point.w[i] * point.w[j] * K;
  add_blocks(point.pair, blocks, weight, H);
}

double PairFriction::hessian(const Configuration& at, const Weights& weights, Projection, NodalField& g,
                             BlockMatrix& H) const {
  if (at.when.mean) {
    average<2>(at, [&](const Point& point, const friction::PathMean& mean) {
      add_blocks_of(point, mean.hessian, weights.hessian, H);
    });
    return gradient(at, weights, g);
  }
  const NodalField& x = everything(at);
  for (const Point& point : points_) {
    const Vec3 u = stretch(point, x);
    const Pull p = pull(point, u.norm());
    Mat3 K = p.per_stretch * (Mat3::Identity() - point.normal * point.normal.transpose());
    if (p.slips) K -= p.per_stretch / u.squaredNorm() * u * u.transpose();
    add_blocks_of(point, K, weights.hessian, H);
  }
  return gradient(at, weights, g);
}

void PairFriction::for_obstacle_forces(const Configuration& at, const ObstacleForce& tell) const {
  if (points_.empty()) return;
  const auto tell_all = [&](const Point& point, const Vec3& by_stretch) {
    if (point.pair.obstacle < 0) return;
    for (int i = 0; i < vertices_of(point.pair.kind); ++i)
      if (const int k = point.pair.vertices[i] - contact_->first_vertex(point.pair.obstacle); k >= 0)
        tell(point.pair, static_cast<std::size_t>(k), point.w[i] * by_stretch);
    const int frame = point.frame - contact_->first_vertex(point.pair.obstacle);
    for (int c = 0; point.frame >= 0 && c < 4; ++c)
      tell(point.pair, static_cast<std::size_t>(frame + c), point.turn[c] * by_stretch);
  };
  if (at.when.mean) {
    average<1>(at, [&](const Point& point, const friction::PathMean& mean) { tell_all(point, mean.gradient); });
    return;
  }
  const NodalField& x = everything(at);
  for (const Point& point : points_) {
    const Vec3 u = stretch(point, x);
    tell_all(point, pull(point, u.norm()).per_stretch * u);
  }
}

void PairFriction::reshape(std::span<const int> vertices, std::size_t count) {
  NodalField x_n(count);
  for (std::size_t i = 0; i < std::min(vertices.size(), x_n_.size()); ++i)
    if (vertices[i] >= 0) x_n[vertices[i]] = x_n_[i];
  x_n_ = std::move(x_n);
  const auto is_gone = [&](const Point& point) {
    return std::any_of(point.pair.vertices.begin(), point.pair.vertices.begin() + vertices_of(point.pair.kind),
                       [&](int v) { return vertices[static_cast<std::size_t>(v)] < 0; });
  };
  std::erase_if(points_, is_gone);
  for (Point& point : points_) {
    for (int i = 0; i < vertices_of(point.pair.kind); ++i)
      point.pair.vertices[i] = vertices[static_cast<std::size_t>(point.pair.vertices[i])];
    point.pair.body = vertices[static_cast<std::size_t>(point.pair.body)];
    if (point.frame >= 0) point.frame = vertices[static_cast<std::size_t>(point.frame)];
  }
}

void PairFriction::attach(const Configuration& at, const std::vector<ActivePair>& active, const Memory& history) {
  const std::vector<Spring> before = springs_of(history);
  const NodalField& x = everything(at);
  x_n_ = x;
  points_.clear();
  for (const ActivePair& found : active) {
    const double mu = found.pair.obstacle < 0 ? mu_ : contact_->obstacles()[found.pair.obstacle].friction;
    if (mu == 0) continue;
    Point point{.pair = found.pair,
                .w = {},
                .normal = found.near.r / found.near.distance(),
                .cap = mu * found.force,
                .slip = Vec3::Zero(),
                .frame = -1,
                .turn = {}};
    std::copy_n(found.near.w, 4, point.w);
    follow_surface(point, x);
    const PairKey key = key_of(found.pair);
    const auto known = std::lower_bound(before.begin(), before.end(), key,
                                        [](const Spring& spring, const PairKey& k) { return spring.key < k; });
    if (known != before.end() && known->key == key) point.slip = known->slip;
    points_.push_back(point);
  }
  slip_to(x);
}

double PairFriction::slip(const Configuration& at) { return slip_to(everything(at)); }

double PairFriction::slip_to(const NodalField& x) {
  double rubbed = 0;
  for (Point& point : points_) {
    const Vec3 u = stretch(point, x);
    const double size = u.norm();
    const double held = std::min(size, point.cap / stiffness(point));
    rubbed += pull(point, size).energy - pull(point, held).energy;
    point.slip = size > 0 ? Vec3(held / size * u) : Vec3::Zero();
  }
  x_n_ = x;
  return rubbed;
}

bool PairFriction::fits(const Memory& history) {
  const std::vector<double>& numbers = history.numbers;
  return history.fields.empty() && numbers.size() % numbers_per_spring == 1 && numbers[0] >= 0;
}

void PairFriction::write(Memory& history) const {
  history.clear();
  history.numbers.push_back(energy_at(x_n_));
  for (const Point& point : points_) {
    if (point.slip.isZero()) continue;
    const PairKey key = key_of(point.pair);
    history.numbers.insert(history.numbers.end(), key.begin(), key.end());
    history.numbers.insert(history.numbers.end(), point.slip.data(), point.slip.data() + 3);
  }
}

}  // namespace brio
