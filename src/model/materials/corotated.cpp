#include "model/materials/corotated.h"

#include "model/energies/tet_batch.h"

namespace brio {

template class TetBatch<Corotated>;

}  // namespace brio
