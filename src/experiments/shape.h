/// How a body lies and how far it is from its rest shape, apart from where it is and how it is turned.
#pragma once

#include <Eigen/Core>

#include "brio/model.h"

namespace brio {

/// The rotation that carries the shape `from` as close as possible to `to`, both about their middles, all vertices
/// counting alike.
Eigen::Matrix3d best_rotation(const NodalField& from, const NodalField& to);

/// The largest distance of a vertex from where it would be at rest, the rest shape being laid over it as well as
/// possible [m].
double largest_deformation(const NodalField& rest, const NodalField& x);

/// Of all vertices [m].
Vec3 middle(const NodalField& x);

}  // namespace brio
