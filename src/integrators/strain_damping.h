/// Resistance to the rate of deformation: the strain energy W of the model, but with the shape at the start of the step
/// as rest shape, so that it measures what deforms within one step. [Kharevych et al. 2006, section 5.2]
#pragma once

#include <memory>
#include <vector>

#include "objective/step_objective.h"

namespace brio {

class StrainDamping {
 public:
  /// Copies of the model's energies; those without a rest shape, such as attachments, are no strain and are left out.
  void prepare(const Model& model) {
    energies_.clear();
    for (const auto& energy : model.energies())
      if (energy->role() == Role::elastic && energy->has_rest_shape()) energies_.push_back(energy->clone());
    for (const auto& energy : energies_) energy->bind(*model.pattern());
  }
  void set_rest(const NodalField& x) {
    for (const auto& energy : energies_) energy->set_rest(x);
  }
  void gradient(const NodalField& x, NodalField& g) const {
    g.set_zero();
    for (const auto& energy : energies_) energy->gradient(x, {}, g);
  }
  void add_to(StepObjective& objective, const Term& term) const {
    for (const auto& energy : energies_) objective.add(*energy, term);
  }

 private:
  std::vector<std::unique_ptr<Energy>> energies_;
};

}  // namespace brio
