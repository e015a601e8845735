/// Blocks of a pair's Hessian in a matrix whose pattern may not know them.
#pragma once

#include "contact/pair_list.h"
#include "math/block_matrix.h"

namespace brio {

/// Adds weight K to H. Blocks between the two simplices are loose, even where the pattern has them: so the pattern
/// holds the positive definite part of each simplex by itself, and can be factored without the rest. Obstacles have
/// none.
inline void add_blocks(const ContactPair& pair, const PairHessian& K, double weight, BlockMatrix& H) {
  const int count = vertices_of(pair.kind);
  const int first = vertices_of_first(pair.kind);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) {
      const int i = pair.vertices[a];
      const int j = pair.vertices[b];
      if (i < j || i >= H.pattern().vertices()) continue;
      const int index = (a < first) == (b < first) ? H.pattern().search(i, j) : -1;
      double* place = index >= 0 ? H.block(index) : H.add_loose(i, j);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) place[3 * r + c] += weight * K(3 * a + r, 3 * b + c);
    }
}

}  // namespace brio
