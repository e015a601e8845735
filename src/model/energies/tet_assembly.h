/// The Hessian of a tetrahedron from the tangent of its material (tangent.h).
#pragma once

#include <cstddef>

#include "model/materials/tangent.h"

namespace brio {

/// Of vertex a + 1, among the parameters of a tetrahedron [1/m].
template <class T>
BRIO_INLINE Vector3<T> shape_gradient(const T* p, std::ptrdiff_t a) {
  return {{p[3 * a], p[3 * a + 1], p[3 * a + 2]}};
}

/// Rows and columns of an element's stiffness sum to zero: what concerns vertex 0 follows from the rest. K holds the
/// lower triangle of blocks row by row: 00, 10, 11, 20, 21, 22, 30, …
template <class T>
BRIO_INLINE void complete(Matrix3<T> K[10]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      K[1](i, j) = -(K[2](i, j) + K[4](j, i) + K[7](j, i));
      K[3](i, j) = -(K[4](i, j) + K[5](i, j) + K[8](j, i));
      K[6](i, j) = -(K[7](i, j) + K[8](i, j) + K[9](i, j));
    }
  for (int k = 0; k < 9; ++k) K[0].m[k] = -(K[1].m[k] + K[3].m[k] + K[6].m[k]);
}

template <class TangentType, class T>
BRIO_INLINE void assemble(const T* p, const TangentType& tangent, Matrix3<T> K[10]) {
  const auto probe1 = tangent.probe(shape_gradient(p, 0));
  const auto probe2 = tangent.probe(shape_gradient(p, 1));
  const auto probe3 = tangent.probe(shape_gradient(p, 2));
  tangent.block(probe1, probe1, K[2]);
  tangent.block(probe2, probe1, K[4]);
  tangent.block(probe2, probe2, K[5]);
  tangent.block(probe3, probe1, K[7]);
  tangent.block(probe3, probe2, K[8]);
  tangent.block(probe3, probe3, K[9]);
  complete(K);
}

/// Of `weight` times the positive part of a tangent. The same for all materials, and so compiled once.
void assemble_projected(const Doubles* p, Doubles weight, const Svd<Doubles>& svd,
                        const PrincipalTangent<Doubles>& principal, Matrix3<Doubles>* K);

}  // namespace brio
