#include <cmath>

#include "brio/energy.h"
#include "brio/model.h"

namespace brio {

bool LedgerRow::finite() const {
  // A sum is finite only if every term is: infinities of opposite sign make a NaN.
  const double sum = time + kinetic + elastic + gravity + contact + total + user_work + damping_loss + friction_loss +
                     residual + alpha + ms;
  return std::isfinite(sum) && linear.allFinite() && angular.allFinite();
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
