/// Colliders as they are seen.
#pragma once

#include "brio/contact.h"
#include "record/surfaces.h"

namespace brio {

Obstacle seen(const ColliderOptions& collider);

}  // namespace brio
