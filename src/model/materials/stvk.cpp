#include "model/materials/stvk.h"

#include "model/energies/tet_batch.h"

namespace brio {

template class TetBatch<StVK>;
template class TetBatch<StVKVolume>;

}  // namespace brio
