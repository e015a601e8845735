#include "model/materials/neo_hookean.h"

#include "model/energies/tet_batch.h"

namespace brio {

template std::unique_ptr<Energy> make_tets(const NeoHookean&, std::vector<Tet>, const NodalField&, bool);

}  // namespace brio
