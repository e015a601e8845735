/// Every energy and force that a model can hold, for `brio list energies` and the documentation.
#pragma once

#include <string>
#include <vector>

namespace brio {

struct EnergyInfo {
  std::string name;
  std::string stencil;  ///< the vertices of one element: "tetrahedron", "pair", "vertex", "segment", "chain"
  std::string formula;  ///< energy [J] of one element, or what the force does
  bool conservative;    ///< derives from a potential
  std::string sentence;
};

/// The materials first, each as an energy of tetrahedra.
std::vector<EnergyInfo> energy_catalog();

}  // namespace brio
