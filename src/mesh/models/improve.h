/// Better shapes for the worst tets of a model.
#pragma once

#include "brio/mesh.h"

namespace brio {

/// Moves vertices of tets whose quality (mesh/quality.h) is below `wanted` a little, by at most a fifth of their mean
/// edge in all, until it is not, or nothing helps: the surface keeps its shape but for that.
void improve(Mesh& solid, double wanted);

}  // namespace brio
