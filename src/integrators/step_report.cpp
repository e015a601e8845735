#include <algorithm>

#include "brio/integrators.h"

namespace brio {

void StepReport::follow(const StepReport& earlier) {
  iterations += earlier.iterations;
  residual = std::max(residual, earlier.residual);
  halvings += earlier.halvings;
  energy_halvings += earlier.energy_halvings;
  unconverged = unconverged || earlier.unconverged;
  out_of_time = out_of_time || earlier.out_of_time;
  strayed += earlier.strayed;
  if (earlier.strayed_by > strayed_by) strayed_body = earlier.strayed_body;
  strayed_by = std::max(strayed_by, earlier.strayed_by);
  limited_drag += earlier.limited_drag;
  energy_error = std::max(energy_error, earlier.energy_error);
  damping_loss += earlier.damping_loss;
  contact_loss += earlier.contact_loss;
  friction_loss += earlier.friction_loss;
  user_work += earlier.user_work;
  times += earlier.times;
}

}  // namespace brio
