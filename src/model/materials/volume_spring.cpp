#include "model/materials/volume_spring.h"

#include "model/energies/tet_batch.h"

namespace brio {

template class TetBatch<VolumeSpring>;
template class TetBatch<ImprovedVolumeSpring>;

}  // namespace brio
