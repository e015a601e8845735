/// The keys of integrator options: units, bounds and sentences in one place.
#pragma once

#include "brio/integrators.h"
#include "core/fields.h"

namespace brio {

const FieldTable<IntegratorOptions>& integrator_fields();

/// Throws InputError where the model is damped in a way that the method does not know.
void check_damping(const Method& method, const Model& model);

}  // namespace brio
