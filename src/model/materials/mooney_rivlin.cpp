#include "model/materials/mooney_rivlin.h"

#include "model/energies/tet_batch.h"

namespace brio {

template class TetBatch<MooneyRivlin>;

}  // namespace brio
