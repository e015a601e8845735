#pragma once

#include "brio/mesh.h"

namespace brio {

/// A closed manifold surface with about `vertices` vertices that stays close to the given one. [Garland, Heckbert 1997]
/// It may cut through itself where it was thin.
Mesh decimate(const Mesh& surface, int vertices);

}  // namespace brio
