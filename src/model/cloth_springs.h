/// Cloth as a net of springs, for grids and for any triangle mesh.
#pragma once

#include "brio/model.h"
#include "model/energies/springs.h"

namespace brio {

/// Springs of a cloth, in its own vertex numbers. A grid gets stretch springs along rows and columns, shear springs on
/// both diagonals of every cell and bend springs between second neighbors, starting at every second vertex: 2nm+n+m,
/// 2nm and about nm of them for n x m cells, the pattern of S0's and S1's cloths. A triangle mesh gets stretch springs
/// on its edges and bend springs across them.
std::vector<Spring> cloth_springs(const ClothOptions& options);

/// Every vertex with a third of the areas around it; flat triangles and loose vertices are refused by index.
std::vector<double> vertex_areas(const std::string& body, const Mesh& mesh);

}  // namespace brio
