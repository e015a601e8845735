/// Nested dissection: a graph is cut by few vertices, its halves likewise, until the pieces are small. Pieces fill
/// nothing but themselves and what separates them. [George 1973; Lipton, Rose & Tarjan 1979]
#pragma once

#include <vector>

#include "math/block_matrix.h"

namespace brio {

/// Of each vertex: the number of its piece or separator. To be eliminated in this order, separators after what they
/// separate; within each, in any order that fills little. All 0 where there is nothing to gain. Can be canceled.
std::vector<int> dissection(const BlockPattern& pattern);

}  // namespace brio
