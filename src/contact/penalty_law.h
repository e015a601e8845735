#pragma once

#include "brio/contact.h"

namespace brio {

/// Throws InputError for a slope or curvature that is not that of the value, at depths from a hair to a hand.
void check_penalty_law(const PenaltyLaw& law);

}  // namespace brio
