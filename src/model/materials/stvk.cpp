#include "model/materials/stvk.h"

#include "model/energies/tet_batch.h"

namespace brio {

template std::unique_ptr<Energy> make_tets(const StVK&, std::vector<Tet>, const NodalField&, bool);
template std::unique_ptr<Energy> make_tets(const StVKVolume&, std::vector<Tet>, const NodalField&, bool);

}  // namespace brio
