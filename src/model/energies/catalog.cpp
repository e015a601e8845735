#include "model/energies/catalog.h"

#include "model/materials/registry.h"

namespace brio {

std::vector<EnergyInfo> energy_catalog() {
  std::vector<EnergyInfo> all;
  for (const MaterialEntry& material : materials())
    all.push_back({material.name, "tetrahedron", "V0 (" + material.formula + ")", true, material.sentence});
  const std::vector<EnergyInfo> others{
      {"hookean-spring", "pair", "k/2 (l - r)^2", true, "springs of cloth, wires and particles; k in N/m"},
      {"stvk-spring", "pair", "k/2 (l^2 - r^2)^2", true, "the same with polynomial forces; k in N/m^3"},
      {"attachment", "vertex", "k/2 (|x - p| - r)^2", true,
       "holds a vertex to a point that the simulation does not move"},
      {"gravity", "vertex", "-m g.x", true, "weight; zero at height zero"},
      {"volume-spring", "tetrahedron", "K/2 ((V - V0)/V0)^2", true, "keeps the volumes of a wire's links; K in J"},
      {"improved-volume-spring", "tetrahedron", "force of volume-spring with V0^2/|V| in place of V0", true,
       "grows towards collapse and pushes outward when inverted"},
      {"torsion", "segment", "C/(2l) (theta - theta0)^2", true,
       "resists twist of a wire, theta being that of a segment of length l; C in N m^2"},
      {"torsion-s2", "chain", "k (q(Q - R) - (Q - R)) on Q, the opposite on R", false,
       "resists twist of a wire as in the literature; a force without potential, which may add or remove energy"},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace brio
