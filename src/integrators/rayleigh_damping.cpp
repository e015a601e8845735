#include "integrators/rayleigh_damping.h"

#include "math/block_matrix.h"

namespace brio {

void RayleighDamping::prepare(const Model& model) {
  model_ = &model;
  D_ = std::make_unique<BlockMatrix>(model.pattern());
  still_ = apart_ = product_ = NodalField(model.vertices());
}

void RayleighDamping::begin(const NodalField& x_n) {
  const double eta = model_->damping().s0_mass, delta = model_->damping().s0_stiffness;
  D_->set_zero();
  if (delta > 0) {
    product_.set_zero();
    for (const auto& energy : model_->energies())
      if (energy->role() == Role::elastic)
        energy->hessian(x_n, {.gradient = 0, .hessian = delta}, Projection::psd, product_, *D_);
  }
  const BlockPattern& pattern = D_->pattern();
  for (int j = 0; j < pattern.vertices(); ++j)
    for (int c = 0; c < 3; ++c) D_->block(pattern.column_start[j])[4 * c] += eta * model_->mass()[j];
}

/// The weight of its term is what objectives scale the model's stiffness by to know how stiff all of it is.
void RayleighDamping::add_to(StepObjective& objective, double weight, double h) {
  constexpr double nearly_none = 1e-12;  // mass alone is no stiffness
  const double whole = weight * rate_ / h;
  const double c = std::max(whole * model_->damping().s0_stiffness, nearly_none);
  scale_ = whole / c;
  objective.add(*this, {.c = c, .theta = 1});
}

void RayleighDamping::multiply_from_still(const NodalField& x) const {
  for_vertices(x.size(), [&](std::size_t i) { apart_[i] = x[i] - still_[i]; });
  multiply(*D_, apart_, product_);
}

void RayleighDamping::force(const NodalField& x, double h, NodalField& Dv) {
  multiply_from_still(x);
  for_vertices(x.size(), [&](std::size_t i) { Dv[i] = rate_ / h * product_[i]; });
}

double RayleighDamping::value(const Configuration& at) const {
  multiply_from_still(at.x);
  return 0.5 * scale_ * sum_.dot(apart_, product_);
}

double RayleighDamping::gradient(const Configuration& at, const Weights& weights, NodalField& g) const {
  const double energy = value(at);
  for_vertices(g.size(), [&](std::size_t i) { g[i] += weights.gradient * scale_ * product_[i]; });
  return energy;
}

double RayleighDamping::hessian(const Configuration& at, const Weights& weights, Projection, NodalField& g,
                                BlockMatrix& H) const {
  const double weight = weights.hessian * scale_;
  const std::span<const double> D = D_->values();
  double* const values = H.block(0);
  for_vertices(D.size() / 9, [&](std::size_t k) {
    for (std::size_t e = 9 * k; e < 9 * k + 9; ++e) values[e] += weight * D[e];
  });
  return gradient(at, weights, g);
}

}  // namespace brio
