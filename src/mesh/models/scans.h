/// The scans of the models as their packages store them.
#pragma once

#include <string>

#include "brio/mesh.h"

namespace brio {

/// "exports.positions=[[x,y,z],...]" and "exports.cells=[[i,j,k],...]", a closed surface already.
Mesh bunny_surface(const std::string& script);

/// The full scan in PLY; its decimated companions are not manifold, and it has holes itself, which are closed.
Mesh dragon_surface(const std::string& ply);

}  // namespace brio
