#pragma once

#include "brio/mesh.h"

namespace brio {

/// Fills a closed surface with tets so that they have about `vertices` vertices, within 3 % where that can be reached.
/// Fewer than the surface has: it is thinned out first, and its shape kept approximately. More: tets are refined.
Mesh fill_to_size(const Mesh& surface, int vertices);

}  // namespace brio
