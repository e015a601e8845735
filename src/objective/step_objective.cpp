#include "objective/step_objective.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hash.h"
#include "model/domain.h"

namespace brio {

StepObjective::StepObjective(const Model& model)
    : model_(&model), y_(model.vertices()), mixed_(model.vertices()), diagonal_(model.vertices()) {
  const BlockPattern& pattern = *model.pattern();
  for (int j = 0; j < pattern.vertices(); ++j) {
    diagonal_[j] = pattern.column_start[j];
    for (int k = pattern.column_start[j] + 1; k < pattern.column_start[j + 1]; ++k)
      if (model.pinned()[j] != 0 || model.pinned()[pattern.row[k]] != 0) pinned_blocks_.push_back(k);
  }
  for (const auto& energy : model.energies()) {
    if (energy->limits_path()) path_limits_.push_back(energy.get());
    if (has_domain(*energy)) bounded_.push_back(energy.get());
    if (energy->role() == Role::contact) contacts_.push_back(energy.get());
    if (const auto* force = dynamic_cast<const PathForce*>(energy.get())) {
      path_forces_.push_back(force);
    } else if (energy->refines_path()) {
      refined_.push_back(energy.get());
    }
    coarse_points_ += 3.0 * static_cast<double>(energy->elements());
  }
  if (!path_limits_.empty() || !bounded_.empty()) path_ = brought_ = NodalField(model.vertices());
  if (!contacts_.empty()) unused_g_ = NodalField(model.vertices());
  if (!path_forces_.empty()) stiffness_.resize(model.vertices());
  laplacian_.resize(pattern.blocks());
}

void StepObjective::follow_acting() {
  const auto& energies = model_->energies();
  const Moment when = Moment::at(time_.end);
  const auto acts = [&](std::size_t e) -> std::uint64_t {
    return energies[e]->acts(when) ? 1 + energies[e]->version() : 0;
  };
  bool current = acting_.size() == energies.size();
  for (std::size_t e = 0; current && e < energies.size(); ++e) current = acting_[e] == acts(e);
  if (current) return;
  acting_.resize(energies.size());
  std::fill(laplacian_.begin(), laplacian_.end(), 0.0);
  for (std::size_t e = 0; e < energies.size(); ++e) {
    acting_[e] = acts(e);
    if (acting_[e] != 0) energies[e]->laplacian(1, laplacian_);
  }
  acting_hash_ = hash_bytes(std::as_bytes(std::span(acting_)));
  const BlockPattern& pattern = *model_->pattern();
  stored_at_.assign(diagonal_.size(), 0.0);
  for (int j = 0; j < pattern.vertices(); ++j)
    for (int k = pattern.column_start[j] + 1; k < pattern.column_start[j + 1]; ++k)
      stored_at_[j] += std::abs(laplacian_[k]) * (model_->rest()[pattern.row[k]] - model_->rest()[j]).squaredNorm();
  stored_ = stored(0, stored_at_.size());
}

double StepObjective::stored(std::size_t first, std::size_t last) const {
  return ordered_sum(std::span(stored_at_).subspan(first, last - first));
}

void StepObjective::declare(double h, const NodalField& x_n, const NodalField& y, std::span<const Term> terms,
                            const NodalField* load, const TimeStep& time) {
  time_ = time;
  follow_acting();
  h2_ = h * h;
  pushes_ = false;
  x_n_ = &x_n;
  terms_.assign(terms.begin(), terms.end());
  further_.clear();
  settled_ = end_is_limited_ = domain_settled_ = false;
  reach_ = 1;
  average_paths(Averaging::none);
  double weight = 0;
  for (const Term& term : terms) weight += term.c * term.theta;
  weight_ = weight;
  const auto& mass = model_->mass();
  const auto& pinned = model_->pinned();
  for_vertices(y.size(), [&](std::size_t i) {
    y_[i] = y[i] + h * h * weight * model_->gravity();
    if (load != nullptr) y_[i] += h * h * weight / mass[i] * (*load)[i];
  });
  const double per_h2 = stamp().inertia;
  const Vec3 drift = mean_displacement(x_n, y);
  const auto carries = [&](std::size_t i) -> Vec3 { return per_h2 * (y[i] - x_n[i] - drift); };
  const auto pulls = [&](std::size_t i) -> Vec3 { return per_h2 * (y_[i] - y[i]); };
  const auto size = [&](const auto& of) {
    return std::sqrt(
        sum_(y.size(), [&](std::size_t i) { return pinned[i] != 0 ? 0.0 : mass[i] * of(i).squaredNorm(); }));
  };
  carried_ = size(carries) + size(pulls);
  measure_noise();
}

void StepObjective::declare_equilibrium(double weight, const NodalField& x_n, const NodalField* load,
                                        const TimeStep& time) {
  time_ = time;
  follow_acting();
  h2_ = 1 / (weight * stiffness_over_mass());
  x_n_ = &x_n;
  y_ = x_n;
  terms_.assign(1, Term{.c = 1, .theta = 1});
  further_.clear();
  settled_ = end_is_limited_ = domain_settled_ = false;
  reach_ = 1;
  average_paths(Averaging::none);
  weight_ = 1;
  pushes_ = true;
  if (push_.size() != x_n.size()) push_ = NodalField(x_n.size());
  const auto& mass = model_->mass();
  const auto& pinned = model_->pinned();
  carried_ = std::sqrt(sum_(x_n.size(), [&](std::size_t i) {
    push_[i] = mass[i] * model_->gravity();
    if (load != nullptr) push_[i] += (*load)[i];
    if (pinned[i] != 0) push_[i].setZero();
    return push_[i].squaredNorm() / mass[i];
  }));
  measure_noise();
}

double StepObjective::stiffness_over_mass() const {
  double stiffness = 0, mass = 0;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    stiffness += laplacian_[diagonal_[i]];
    mass += model_->mass()[i];
  }
  if (stiffness == 0)
    for (const auto& energy : model_->energies())
      stiffness += energy->hidden_stiffness() * static_cast<double>(diagonal_.size());
  return stiffness > 0 ? stiffness / mass : 1;
}

void StepObjective::measure_noise() {
  const auto& mass = model_->mass();
  const auto& pinned = model_->pinned();
  const Stamp now = stamp();
  // Forces come from differences of positions, so each vertex carries a rounding error of its stiffness times that of
  // its position.
  double hidden = 0;
  for (const auto& energy : model_->energies()) hidden += 4 * weight_ * energy->hidden_stiffness();
  noise_ = 0.5 * std::numeric_limits<double>::epsilon() * std::sqrt(sum_(y_.size(), [&](std::size_t i) {
             const double k = now.inertia * mass[i] + now.stiffness * laplacian_[diagonal_[i]] + hidden;
             return pinned[i] != 0 ? 0.0 : k * k * ((*x_n_)[i].squaredNorm() + y_[i].squaredNorm()) / mass[i];
           }));
}

Vec3 StepObjective::mean_displacement(const NodalField& x_n, const NodalField& y) {
  const auto& pinned = model_->pinned();
  const auto& mass = model_->mass();
  const double total = sum_(x_n.size(), [&](std::size_t i) { return pinned[i] != 0 ? 0.0 : mass[i]; });
  Vec3 mean = Vec3::Zero();
  if (!(total > 0)) return mean;
  for (int c = 0; c < 3; ++c)
    mean[c] =
        sum_(x_n.size(), [&](std::size_t i) { return pinned[i] != 0 ? 0.0 : mass[i] * (y[i][c] - x_n[i][c]); }) / total;
  return mean;
}

void StepObjective::return_to_start(NodalField& x) const {
  for_vertices(x.size(), [&](std::size_t i) {
    if (model_->pinned()[i] == 0) x[i] = (*x_n_)[i];
  });
}

void StepObjective::take_mean_motion(NodalField& x) const {
  if (limits_path()) return;
  for (const Body& body : model_->bodies()) {
    const auto first = static_cast<std::size_t>(body.first_vertex), last = first + body.mesh.vertices.size();
    double total = 0;
    bool is_held = false;
    Vec3 apart = Vec3::Zero();
    for (std::size_t i = first; i < last; ++i) {
      is_held = is_held || model_->pinned()[i] != 0;
      total += model_->mass()[i];
      apart += model_->mass()[i] * (y_[i] - x[i]);
    }
    if (is_held) continue;
    for (std::size_t i = first; i < last; ++i) x[i] += apart / total;
  }
}

double StepObjective::value_noise(double phi) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return 16 * epsilon * (std::abs(phi) + stamp().stiffness * stored_);
}

void StepObjective::add(const Energy& energy, const Term& term) {
  further_.emplace_back(&energy, term);
  measure_noise();
}

const NodalField& StepObjective::at(double theta, const NodalField& x) {
  if (theta == 1) return x;
  for_vertices(x.size(), [&](std::size_t i) { mixed_[i] = (*x_n_)[i] + theta * (x[i] - (*x_n_)[i]); });
  return mixed_;
}

double StepObjective::inertia(const NodalField& x) {
  const double inertia = 0.5 / h2_ * sum_(x.size(), [&](std::size_t i) {
                           return model_->pinned()[i] != 0 ? 0.0 : model_->mass()[i] * (x[i] - y_[i]).squaredNorm();
                         });
  if (!pushes_) return inertia;
  return inertia - sum_(x.size(), [&](std::size_t i) { return push_[i].dot(x[i] - (*x_n_)[i]); });
}

double StepObjective::start_value(const NodalField& x) {
  return end_is_limited_ && !can_end_at(x) ? std::numeric_limits<double>::infinity() : inertia(x);
}

template <class Visit>
void StepObjective::for_terms(const NodalField& x, Visit&& visit) {
  double fraction = 0;
  for (const Term& term : terms_) {
    const Configuration z = along(term.theta, x);
    fraction += term.c * term.theta;
    for (const auto& energy : model_->energies()) {
      if (!is_settled(*energy) && !takes_mean(*energy)) visit(*energy, term, z);
    }
  }
  const Configuration end = along(1, x);
  if (averages_ != Averaging::none) {
    const Configuration mean = mean_along(x);
    for (const auto& energy : model_->energies())
      if (takes_mean(*energy) && !(leaves_out_path_forces_ && energy->limits_path()))
        visit(*energy, Term{.c = 1, .theta = 1}, mean);
  }
  for (const auto& [energy, term] : further_) visit(*energy, term, along(term.theta, x));
  if (settled_ || domain_settled_)
    for (const auto& energy : model_->energies())
      if (is_settled(*energy)) visit(*energy, Term{.c = fraction, .theta = 1}, end);
}

void StepObjective::limit_end() { end_is_limited_ = true; }

void StepObjective::settle_domain() { domain_settled_ = true; }

bool StepObjective::is_settled(const Energy& energy) const {
  if (takes_mean(energy)) return false;
  return energy.limits_path() ? settled_ : domain_settled_ && has_domain(energy);
}

bool StepObjective::can_end_at(const NodalField& x) {
  if (bounded_.empty()) return true;
  // A bit farther than x must be possible too: where barriers are as weak as the logarithm's, next to nothing keeps a
  // step from ending so near to the boundary that the next one finds no way out in the digits that are left.
  // Not so of energies that are taken at x, whose minimum is within, or as means, whose whole path is.
  const double reach = domain_settled_ ? 1 : 1.1;
  for_vertices(x.size(), [&](std::size_t i) { path_[i] = reach * (x[i] - (*x_n_)[i]); });
  const Configuration end{x, Moment::along(time_, *x_n_, 1)};
  return std::ranges::all_of(bounded_, [&](const Energy* energy) {
    if (energy->takes_mean(averages_)) return std::isfinite(energy->value(end));
    return energy->domain_step(*x_n_, path_) == 1;
  });
}

void StepObjective::add_inertia(double fraction, BlockMatrix& H) const {
  const double weight = fraction * stamp().inertia;
  for (std::size_t j = 0; j < diagonal_.size(); ++j)
    for (std::size_t c = 0; c < 3; ++c) H.block(diagonal_[j])[4 * c] += weight * model_->mass()[j];
}

double StepObjective::value(const NodalField& x) {
  double phi = start_value(x);
  add_work(mean_work_);
  for_terms(x,
            [&](const Energy& energy, const Term& term, const Configuration& z) { phi += term.c * energy.value(z); });
  return phi;
}

double StepObjective::gradient(const NodalField& x, NodalField& g) {
  double phi = start_value(x);
  if (refines_) evaluated_ = x;
  g.set_zero();
  add_work(mean_work_);
  for_terms(x, [&](const Energy& energy, const Term& term, const Configuration& z) {
    phi += term.c * energy.gradient(z, {.gradient = term.c * term.theta}, g);
  });
  add_inertia(x, g);
  return phi;
}

double StepObjective::hessian(const NodalField& x, Projection projection, NodalField& g, BlockMatrix& H) {
  double phi = inertia(x);
  g.set_zero();
  H.set_zero();
  add_work(2 * mean_work_);
  for_terms(x, [&](const Energy& energy, const Term& term, const Configuration& z) {
    const Weights weights{.gradient = term.c * term.theta, .hessian = term.c * term.theta * term.theta};
    phi += term.c * energy.hessian(z, weights, projection, g, H);
  });
  // Pairs in contact are no part of the pattern; their blocks cost several times as much as those that are.
  add_work(8.0 * static_cast<double>(H.loose().size()) / static_cast<double>(model_->pattern()->blocks()));
  add_inertia(x, g);
  clear_pinned(H);
  for_vertices(x.size(), [&](std::size_t i) {
    double* block = H.block(diagonal_[i]);
    for (std::size_t c = 0; c < 3; ++c) block[4 * c] += model_->mass()[i] / h2_;
  });
  return phi;
}

void StepObjective::clear_pinned(BlockMatrix& H) const {
  const auto& pinned = model_->pinned();
  for (const int k : pinned_blocks_) std::fill_n(H.block(k), 9, 0.0);
  for (LooseBlock& loose : H.loose())
    if (pinned[loose.row] != 0 || pinned[loose.column] != 0) loose.value.fill(0);
  for_vertices(diagonal_.size(), [&](std::size_t i) {
    if (pinned[i] != 0) std::fill_n(H.block(diagonal_[i]), 9, 0.0);
  });
}

/// Takes the measure of the forces in play on the way.
void StepObjective::add_inertia(const NodalField& x, NodalField& g) {
  const auto& mass = model_->mass();
  const auto& pinned = model_->pinned();
  const double elastic = norm(g);
  double* const rows = g.data();
  const double inertial = std::sqrt(sum_(x.size(), [&](std::size_t i) {
    Eigen::Map<Vec3> force(rows + NodalField::stride * i);
    if (pinned[i] != 0) {
      force.setZero();
      return 0.0;
    }
    const Vec3 d = (x[i] - y_[i]) / h2_;
    force += mass[i] * d;
    return mass[i] * d.squaredNorm();
  }));
  if (pushes_) for_vertices(x.size(), [&](std::size_t i) { g[i] -= push_[i]; });
  scale_ = elastic + inertial + carried_;
}

StepObjective::Stamp StepObjective::stamp() const {
  Stamp stamp{.inertia = 1 / h2_, .stiffness = 0, .acting = acting_hash_};
  for (const Term& term : terms_) stamp.stiffness += term.c * term.theta * term.theta;
  for (const auto& [energy, term] : further_) stamp.stiffness += term.c * term.theta * term.theta;
  return stamp;
}

void StepObjective::laplacian(std::span<double> A) const {
  const Stamp now = stamp();
  for (std::size_t k = 0; k < A.size(); ++k) A[k] = now.stiffness * laplacian_[k];
  for (const int k : pinned_blocks_) A[k] = 0;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    double& a = A[diagonal_[i]];
    if (model_->pinned()[i] != 0) a = 0;
    a += now.inertia * model_->mass()[i];
  }
}

double StepObjective::norm(const NodalField& g) {
  return std::sqrt(sum_(g.size(), [&](std::size_t i) {
    return model_->pinned()[i] != 0 ? 0.0 : g[i].squaredNorm() / model_->mass()[i];
  }));
}

double StepObjective::domain_step(const NodalField& x, const NodalField& d) {
  double step = 1;
  for_terms(x, [&](const Energy& energy, const Term& term, const Configuration& z) {
    if (!takes_mean(energy) || !energy.limits_path()) step = std::min(step, energy.domain_step(z, d) / term.theta);
  });
  if (limits_path()) add_work(1);
  if (!settled_)
    for (const Energy* limit : path_limits_) step = std::min(step, limit->domain_step({x, moment(1, reach_)}, d));
  if (end_is_limited_)
    for (const Energy* energy : bounded_) step = std::min(step, energy->domain_step(x, d));
  return step;
}

double StepObjective::free_path(const NodalField& from, const NodalField& to) {
  return &from == x_n_ ? free_path(from, 0, to, 1) : free_path(from, reach_, to, reach_);
}

double StepObjective::free_path(const NodalField& from, double reach_from, const NodalField& to, double reach_to) {
  if (path_limits_.empty() && !end_is_limited_) return 1;
  for_vertices(to.size(), [&](std::size_t i) { path_[i] = to[i] - from[i]; });
  add_work(1);
  double fraction = 1;
  for (const Energy* limit : path_limits_)
    fraction = std::min(fraction, limit->free_path({from, moment(1, reach_from)}, {to, moment(1, reach_to)}));
  if (end_is_limited_)
    for (const Energy* energy : bounded_) fraction = std::min(fraction, energy->domain_step(from, path_));
  return fraction;
}

bool StepObjective::admit(NodalField& x) {
  const double fraction = free_path(*x_n_, x);
  reach_ = 1;
  if (fraction == 1) return true;
  // Half of it: near the end of the path the barrier is steep, and a solve would first have to climb back.
  for_vertices(x.size(), [&](std::size_t i) { x[i] = (*x_n_)[i] + 0.5 * fraction * path_[i]; });
  if (model_->is_driven()) reach_ = 0.5 * fraction;
  return false;
}

bool StepObjective::bring_pinned(const NodalField& to, NodalField& x) {
  const auto& pinned = model_->pinned();
  for_vertices(x.size(), [&](std::size_t i) {
    path_[i] = to[i] - x[i];
    if (pinned[i] == 0) path_[i].setZero();
  });
  add_work(1);
  brought_ = x;
  for_vertices(x.size(), [&](std::size_t i) {
    if (pinned[i] != 0) brought_[i] = to[i];
  });
  double fraction = 1;
  for (const Energy* limit : path_limits_)
    fraction = std::min(fraction, limit->free_path({x, moment(1, reach_)}, {brought_, moment(1, 1)}));
  if (fraction == 1) {
    x = brought_;
    reach_ = 1;
    return true;
  }
  for_vertices(x.size(), [&](std::size_t i) { x[i] += 0.8 * fraction * path_[i]; });
  reach_ += 0.8 * fraction * (1 - reach_);
  return false;
}

void StepObjective::contact_hessian(const NodalField& x, BlockMatrix& H) {
  H.set_zero();
  for_terms(x, [&](const Energy& energy, const Term& term, const Configuration& z) {
    if (energy.role() == Role::contact)
      energy.hessian(z, {.gradient = 0, .hessian = term.c * term.theta * term.theta}, Projection::psd, unused_g_, H);
  });
  clear_pinned(H);
}

}  // namespace brio
