#include "model/energies/potentials.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "brio/block_matrix.h"

namespace brio {
namespace {

/// Of a potential of the x coordinate: its value and first two derivatives, per strength.
struct OfX {
  double value, slope, curvature;
};

OfX along_x(PointPotential potential, double x) {
  switch (potential) {
    case PointPotential::pendulum: {
      const double half = std::sin(x / 2);  // 1 - cos x, to all digits near rest too, where solvers compare energies
      return {2 * half * half, std::sin(x), std::cos(x)};
    }
    case PointPotential::quartic:
      return {x * x * x * x, 4 * x * x * x, 12 * x * x};
    case PointPotential::double_well: {
      const double w = x * x - 1;
      return {w * w, 4 * x * w, 12 * x * x - 4};
    }
    default:
      return {0, 0, 0};
  }
}

/// -1/r. Its curvature is negative along the ray and positive across it.
PointResponse attraction(const Vec3& x, Projection projection) {
  const double r = x.norm();
  if (!(r > 0)) return {std::numeric_limits<double>::infinity(), Vec3::Zero(), Eigen::Matrix3d::Zero()};
  const Vec3 ray = x / r;
  const double along = projection == Projection::psd ? 0 : -2;
  const Eigen::Matrix3d shape = Eigen::Matrix3d::Identity() + (along - 1) * ray * ray.transpose();
  return {-1 / r, ray / (r * r), shape / (r * r * r)};
}

/// A curvature that is typical: in the wells, at distance 1.
double typical_curvature(PointPotential potential) {
  switch (potential) {
    case PointPotential::quartic:
      return 12;
    case PointPotential::double_well:
      return 8;
    case PointPotential::kepler:
      return 5;  // across the ray, where an ellipse of eccentricity 0.4 is nearest
    default:
      return 1;
  }
}

}  // namespace

int PointPotentials::force_degree() const {
  return potential_ == PointPotential::quartic || potential_ == PointPotential::double_well ? 3 : 0;
}

PointResponse PointPotentials::respond(const Vec3& x, Projection projection) const {
  PointResponse r{0, Vec3::Zero(), Eigen::Matrix3d::Zero()};
  if (potential_ == PointPotential::kepler) {
    r = attraction(x, projection);
  } else {
    const OfX f = along_x(potential_, x[0]);
    r.energy = f.value;
    r.gradient[0] = f.slope;
    r.hessian(0, 0) = projection == Projection::psd ? std::max(f.curvature, 0.0) : f.curvature;
  }
  return {strength_ * r.energy, strength_ * r.gradient, strength_ * r.hessian};
}

double PointPotentials::value(const Configuration& at) const {
  double energy = 0;
  for (std::size_t k = 0; k < slots_.size(); ++k) energy += respond(at.x[vertex(k)], Projection::none).energy;
  return energy;
}

double PointPotentials::gradient(const Configuration& at, const Weights& weights, NodalField& g) const {
  double energy = 0;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const PointResponse r = respond(at.x[vertex(k)], Projection::none);
    g[vertex(k)] += weights.gradient * r.gradient;
    energy += r.energy;
  }
  return energy;
}

double PointPotentials::hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                                BlockMatrix& H) const {
  double energy = 0;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const PointResponse r = respond(at.x[vertex(k)], projection);
    g[vertex(k)] += weights.gradient * r.gradient;
    Eigen::Map<Eigen::Matrix3d>(H.block(slots_[k])) += weights.hessian * r.hessian;
    energy += r.energy;
  }
  return energy;
}

void PointPotentials::laplacian(double weight, std::span<double> L) const {
  for (const int slot : slots_) L[slot] += weight * strength_ * typical_curvature(potential_);
}

void PointPotentials::couple(PatternBuilder& pattern) const {
  for (std::size_t k = 0; k < slots_.size(); ++k) pattern.couple(std::vector<int>{vertex(k)});
}

void PointPotentials::bind(const BlockPattern& pattern) {
  for (std::size_t k = 0; k < slots_.size(); ++k) slots_[k] = pattern.find(vertex(k), vertex(k));
}

void PointPotentials::renumber(std::span<const int> vertices) { first_ = vertices[static_cast<std::size_t>(first_)]; }

}  // namespace brio
