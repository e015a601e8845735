/// Who moves along sees the same motion.
#pragma once

#include "torture/trial.h"

namespace brio::torture {

/// Runs a scene of free bodies again with all of them boosted by one velocity, and judges whether their motion is the
/// same but for that. What a velocity of next to nothing does to it tells how far rounding is amplified: motion that is
/// chaotic proves nothing. Empty where it is the same, or the scene is not free, or did not come to its end.
std::string galilean_breach(const std::string& text, const Trial& still, const std::filesystem::path& folder);

}  // namespace brio::torture
