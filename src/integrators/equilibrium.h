/// What can be said of equilibria without solving for one.
#pragma once

#include "brio/integrators.h"

namespace brio {

/// The first body that gravity pulls and nothing could hold: no pin, nothing that is anchored in the world, no contact,
/// no constraint to the world, no other body. -1: none is seen to be without hold, though one may still fall past what
/// could.
int unheld_body(const Model& model);

/// Why there is no equilibrium, in words with a remedy.
std::string no_equilibrium(const std::string& body);

}  // namespace brio
