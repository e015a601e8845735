/// Batches of tetrahedra, made where they are compiled: one source file per family of materials.
#pragma once

#include <memory>
#include <vector>

#include "brio/energy.h"
#include "brio/mesh.h"

namespace brio {

/// `by_volume` false: every element weighs 1 instead of its rest volume.
template <class Material>
std::unique_ptr<Energy> make_tets(const Material& material, std::vector<Tet> tets, const NodalField& rest,
                                  bool by_volume = true);

}  // namespace brio
