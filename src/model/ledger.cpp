#include <cmath>

#include "brio/energy.h"
#include "brio/model.h"
#include "model/energy_in_play.h"

namespace brio {

bool LedgerRow::finite() const {
  // A sum is finite only if every term is: infinities of opposite sign make a NaN.
  const double sum = time + kinetic + elastic + gravity + contact + total + user_work + damping_loss + friction_loss +
                     residual + alpha + ms;
  return std::isfinite(sum) && linear.allFinite() && angular.allFinite();
}

double rounding_of_energy(const Model& model) {
  constexpr double digits = 1e-12;  // some thousand roundings: a step makes many, and they add up
  const std::shared_ptr<const BlockPattern> pattern = model.pattern();
  std::vector<double> laplacian(pattern->blocks(), 0.0);
  for (const auto& energy : model.energies()) energy->laplacian(1, laplacian);
  double stored = 0;
  for (int j = 0; j < pattern->vertices(); ++j)
    for (int k = pattern->column_start[j] + 1; k < pattern->column_start[j + 1]; ++k)
      stored += std::abs(laplacian[k]) * (model.rest()[pattern->row[k]] - model.rest()[j]).squaredNorm();
  return digits * stored;
}

LedgerRow measure(const Model& model, const State& state) {
  LedgerRow row{.time = state.time};
  row.kinetic = model.kinetic_energy(state.v);
  for (const auto& energy : model.energies())
    if (energy->role() == Role::elastic) row.elastic += energy->value(state);
  row.gravity = model.gravity_energy(state.x);
  row.contact = model.contact_energy(state);
  row.total = row.kinetic + row.elastic + row.gravity + row.contact;
  row.linear = model.linear_momentum(state.v);
  row.angular = model.angular_momentum(state.x, state.v);
  return row;
}

}  // namespace brio
