/// How the vertices of a mesh are numbered. Neighbours with near numbers lie near in memory; where numbers are
/// shuffled, as some meshers leave them, every element waits for vertices that are in no cache, and steps take up to
/// twice as long.
#pragma once

#include "brio/mesh.h"

namespace brio {

/// The same mesh, its vertices numbered along a Morton curve and its cells by their first vertex. [Morton 1966]
Mesh reordered(const Mesh& mesh);

/// The mean distance of the two numbers of an edge, over that along a Morton curve: about 1 for a mesh that is numbered
/// well, hundreds for a large one that is shuffled; 0 without cells.
double disorder(const Mesh& mesh);

/// What to tell the user of a mesh whose numbering slows down steps; empty when it does not, as with small ones.
std::string disorder_warning(const std::string& body, const Mesh& mesh);

}  // namespace brio
