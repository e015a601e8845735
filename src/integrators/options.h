/// The keys of integrator options: units, bounds and sentences in one place.
#pragma once

#include "brio/integrators.h"
#include "core/fields.h"

namespace brio {

const FieldTable<IntegratorOptions>& integrator_fields();

}  // namespace brio
