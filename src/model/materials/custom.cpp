#include "model/materials/custom.h"

#include "model/energies/tet_batch.h"

namespace brio {

template std::unique_ptr<Energy> make_tets(const CustomLaw&, std::vector<Tet>, const NodalField&, bool);

}  // namespace brio
