#include "model/energies/tet_batch.h"
#include "model/materials/neo_hookean.h"

namespace brio {

template std::unique_ptr<Energy> make_tets(const StableNeoHookean&, std::vector<Tet>, const NodalField&, bool);

}  // namespace brio
