/// `[[damping]]` of a scene.
#pragma once

#include "brio/model.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

/// All items together: what they say adds up, fraction by fraction for what is taken per step.
Damping read_damping(const Node& items);

void document_damping(Reference& reference);

}  // namespace brio
