#pragma once

#include "brio/material.h"

namespace brio {

/// Throws InputError where derivatives of the law are not those of its psi, or the rest shape is not at rest: at a few
/// deformations, compared with differences of psi and of its first derivatives. The message has the figures.
void check_density(const MaterialLaw& law);

}  // namespace brio
