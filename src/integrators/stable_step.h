#pragma once

#include "brio/integrators.h"

namespace brio {

/// A step [s] beyond which the method surely amplifies small motions around x: max_stable_step with a frequency from so
/// many iterations, which is at most the highest one and mostly within percents of it.
double surely_unstable_step(const Method& method, const IntegratorOptions& options, const Model& model,
                            const NodalField& x, int iterations);

}  // namespace brio
