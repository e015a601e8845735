#include "model/materials/volume_spring.h"

#include "model/energies/tet_batch.h"

namespace brio {

template std::unique_ptr<Energy> make_tets(const VolumeSpring&, std::vector<Tet>, const NodalField&, bool);
template std::unique_ptr<Energy> make_tets(const ImprovedVolumeSpring&, std::vector<Tet>, const NodalField&, bool);

}  // namespace brio
