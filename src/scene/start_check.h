/// How a scene starts: what is allowed but hardly meant, in words with a remedy.
#pragma once

#include <string>
#include <vector>

#include "brio/model.h"

namespace brio {

/// Bodies inside colliders or each other, elements inside out (but for bodies that are scattered on purpose), slivers,
/// springs that start far from where they hold, bodies too soft to carry themselves, and forces so stiff that rounding
/// drowns the motion.
std::vector<std::string> start_warnings(const Model& model, const State& state, bool settled,
                                        const std::vector<BodyId>& scattered = {});

}  // namespace brio
