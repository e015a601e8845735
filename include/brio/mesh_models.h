/// Solids from surfaces, and models by name. Both need TetGen, which a build with BRIO_WITH_GPL=OFF leaves out.
#pragma once

#include <string>
#include <vector>

#include "brio/mesh.h"

namespace brio {

struct TetrahedralizeOptions {
  double quality = 0;        ///< every tet has circumradius / shortest edge <= quality; 0 = no demand, else >= 1.1
  double max_volume = 0;     ///< every tet has volume <= max_volume [m^3]; 0 = no demand
  bool keep_surface = true;  ///< new vertices only inside, so that tets at large triangles may exceed max_volume; false
                             ///< lets TetGen divide the surface's triangles too
};
/// Fills a closed surface with tets. The surface's vertices come first, in their order; unreferenced ones are left out.
/// A surface that is open, non-manifold or cuts through itself is refused, naming triangles.
Mesh tetrahedralize(const Mesh& closed_surface, const TetrahedralizeOptions& options = {});

struct ModelOptions {
  int vertices = 0;  ///< about so many, at most 1,000,000; 0 = as many as the model is usually shown with
};
/// `bunny` (1,839 vertices on its surface) or `dragon` (about 1,000), filled with tets. The largest extent is 1 m, the
/// center of the bounding box is at the origin, y is up. The first use fetches the scan with npm into $BRIO_CACHE, else
/// $XDG_CACHE_HOME/brio, else ~/.cache/brio, and checks its hash; later uses read the finished mesh from there.
Mesh load_model(const std::string& name, const ModelOptions& options = {});
std::vector<std::string> model_names();

}  // namespace brio
