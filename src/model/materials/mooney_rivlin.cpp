#include "model/materials/mooney_rivlin.h"

#include "model/energies/tet_batch.h"

namespace brio {

template std::unique_ptr<Energy> make_tets(const MooneyRivlin&, std::vector<Tet>, const NodalField&, bool);

}  // namespace brio
