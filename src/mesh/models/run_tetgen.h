/// TetGen at arm's length: in a process of its own, since on degenerate surfaces it may abort, crash or not end.
#pragma once

#include "brio/mesh.h"
#include "core/child.h"

namespace brio {

struct TetgenResult {
  ChildReport child{};        ///< how the process ended
  int code = 0;               ///< that TetGen gave up with; 0: it did not
  Mesh solid{};               ///< in the surface's scale
  std::vector<int> marked{};  ///< triangles of the surface that it names, repeatedly perhaps
};

/// With switches as in TetGen's manual. Whatever comes back is valid: indices in range, coordinates finite.
TetgenResult run_tetgen(const Mesh& shell, double scale, const std::string& switches, const ChildLimits& limits);

}  // namespace brio
