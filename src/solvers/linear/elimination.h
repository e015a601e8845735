/// The order in which Cholesky factorizations eliminate the vertices of a graph, so that factors fill little.
///
/// Finding it takes as long as several factorizations and depends on nothing but which vertices are coupled: other
/// steps, pins, attachments or materials, scalars or 3x3 blocks, all are factored in the same order.
#pragma once

#include <memory>
#include <vector>

#include "math/block_matrix.h"

namespace brio {

struct Elimination {
  std::vector<int> order;  ///< the vertex that is eliminated k-th; postordered
  bool dissected;          ///< by nested dissection, else by minimum degree (AMD)
};

/// Of the graph of the pattern. It is found once: as long as anyone holds it, patterns that couple the same vertices
/// are given the same one. [Amestoy, Davis & Duff 1996]
std::shared_ptr<const Elimination> elimination_of(const BlockPattern& pattern);

/// How many have been found since the program began.
long eliminations_found();

/// Whether two patterns couple the same vertices.
bool same_graph(const BlockPattern& a, const BlockPattern& b);

}  // namespace brio
