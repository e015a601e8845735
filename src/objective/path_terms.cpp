/// The parts of a step's objective that are means along its path, and forces over it that have no potential.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory.h"
#include "math/block_matrix.h"
#include "objective/step_objective.h"

namespace brio {

void StepObjective::average_paths(Averaging which) {
  averages_ = which;
  refines_ = which == Averaging::adaptive && !refined_.empty();
  takes_path_forces_ = !path_forces_.empty() && path_forces_[0]->takes_mean(which);
  path_noise_ = 0;
  mean_work_ = 1;
  if (refines_ && evaluated_.size() != model_->vertices()) evaluated_ = NodalField(model_->vertices());
  const Configuration start{*x_n_, Moment::along(time_, *x_n_, 0)};
  if (refines_)
    for (const Energy* energy : refined_) energy->begin_path(start);
  if (takes_path_forces_)
    for (const PathForce* force : path_forces_) force->begin_path(start);
}

bool StepObjective::linearize_path_forces(const NodalField& x) {
  std::ranges::fill(stiffness_, 0.0);
  const Configuration mean = mean_along(x);
  bool act = false;
  for (const PathForce* force : path_forces_) act = force->linearize_path(mean, stiffness_) || act;
  path_noise_ = 0;
  if (!act) return false;
  // Distances are differences of positions, as in measure_noise.
  path_noise_ = 2 * std::numeric_limits<double>::epsilon() * std::sqrt(sum_(x.size(), [&](std::size_t i) {
                  const double k = stiffness_[i];
                  return model_->pinned()[i] != 0 ? 0.0 : k * k * x[i].squaredNorm() / model_->mass()[i];
                }));
  return true;
}

void StepObjective::add_path_product(const NodalField& v, NodalField& Jv) const {
  for (const PathForce* force : path_forces_) force->add_path_product(v, Jv);
  for_vertices(v.size(), [&](std::size_t i) {
    if (model_->pinned()[i] != 0) Jv[i].setZero();
  });
}

double StepObjective::path_loss(const NodalField& x) {
  if (!takes_path_forces_ || settled_) return 0;
  const Configuration mean = mean_along(x);
  double sum = 0;
  for (const PathForce* force : path_forces_) sum += force->path_loss(mean);
  return sum;
}

double StepObjective::smooth_gradient(const NodalField& x, NodalField& g) {
  const double scale = scale_;
  leaves_out_path_forces_ = true;
  const double phi = gradient(x, g);
  leaves_out_path_forces_ = false;
  scale_ = scale;
  return phi;
}

void StepObjective::linearize(const NodalField& x) {
  if (!J_) {
    const auto blocks = static_cast<double>(pattern()->blocks());
    claim_memory(72.0 * blocks, {.key = "contact",
                                 .problem = fmt::format("another matrix of {:.3g} million 3x3 blocks", blocks / 1e6),
                                 .advice = "choose a coarser mesh, or another integrator than avf"});
    J_.emplace(pattern());
  }
  if (unused_g_.size() != x.size()) unused_g_ = NodalField(x.size());
  const double scale = scale_;
  leaves_out_path_forces_ = true;
  hessian(x, Projection::none, unused_g_, *J_);
  leaves_out_path_forces_ = false;
  scale_ = scale;
  linearize_path_forces(x);
}

void StepObjective::multiply(const NodalField& v, NodalField& Jv) {
  brio::multiply(*J_, v, Jv);
  add_path_product(v, Jv);
}

bool StepObjective::refine(const NodalField& x, const Iterate& at, NodalField& g, double& phi) {
  constexpr double near = 0.1;     // residual below which the path is much like that of the minimum
  constexpr int patience = 10;     // iterations after which it is refined wherever it leads
  constexpr double enough = 1e-3;  // what corrections may be; where it does not lead to the minimum, less and less
  if (!refines_ || !(at.residual < near || at.cut || at.iteration >= patience)) return false;
  const auto same = [&] { return std::equal(x.data(), x.data() + NodalField::stride * x.size(), evaluated_.data()); };
  if (!same()) phi = gradient(x, g);
  const double tolerance = enough * std::pow(0.1, at.iteration / patience);
  const Configuration mean = mean_along(x);
  bool points = false;
  std::size_t beyond = 0, tried = 0;
  for (const Energy* energy : refined_) {
    const PathChange change = energy->refine_path(mean, tolerance, g);
    points = points || change.points;
    phi += change.value;
    beyond += change.beyond;
    tried += change.tried;
  }
  // Whoever moves so violently is given more time: points are counted by a quarter.
  constexpr double counted = 0.25;
  add_work(counted * static_cast<double>(tried) / coarse_points_);
  if (points) {
    mean_work_ = 1 + counted * static_cast<double>(beyond) / coarse_points_;
    phi = gradient(x, g);
  } else {
    for_vertices(x.size(), [&](std::size_t i) {
      if (model_->pinned()[i] != 0) g[i].setZero();
    });
  }
  return true;
}

}  // namespace brio
