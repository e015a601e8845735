/// What a careful programmer writes first: one tetrahedron at a time with Eigen's fixed-size matrices. Kept as the
/// yardstick.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "brio/model.h"

namespace brio::bench {

using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Vector12 = Eigen::Matrix<double, 12, 1>;

struct ReferenceTet {
  Tet vertices;
  Eigen::Matrix3d inverse;            ///< D_m⁻¹
  Eigen::Matrix<double, 9, 12> dFdx;  ///< of F, column by column
  double volume;
};

std::vector<ReferenceTet> reference_tets(const Mesh& mesh);

/// Energy of the whole mesh; adds the gradient; per-element Hessians go to `hessians` if given.
double straightforward(const Material& material, const std::vector<ReferenceTet>& tets, const std::vector<Vec3>& x,
                       std::vector<Vec3>& gradient, std::vector<Matrix12>* hessians);

}  // namespace brio::bench
