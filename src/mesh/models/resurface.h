#pragma once

#include "brio/mesh.h"

namespace brio {

/// A closed, manifold surface without self-intersections near a scanned one that may have holes, stray pieces and tiny
/// handles. `cells` grid cells span the longest extent; details finer than two of them are lost.
Mesh resurface(const Mesh& scan, int cells);

}  // namespace brio
