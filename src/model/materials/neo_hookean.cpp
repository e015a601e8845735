#include "model/materials/neo_hookean.h"

#include "model/energies/tet_batch.h"

namespace brio {

template class TetBatch<NeoHookean>;
template class TetBatch<StableNeoHookean>;

}  // namespace brio
