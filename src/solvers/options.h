/// The keys of solver options: bounds and sentences in one place.
#pragma once

#include "brio/solvers.h"
#include "core/fields.h"

namespace brio {

const FieldTable<SolverOptions>& solver_fields();

}  // namespace brio
