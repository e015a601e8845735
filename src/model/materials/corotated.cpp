#include "model/materials/corotated.h"

#include "model/energies/tet_batch.h"

namespace brio {

template std::unique_ptr<Energy> make_tets(const Corotated&, std::vector<Tet>, const NodalField&, bool);

}  // namespace brio
