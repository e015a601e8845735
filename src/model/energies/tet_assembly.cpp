#include "model/energies/tet_assembly.h"

namespace brio {

void assemble_projected(const Doubles* p, Doubles weight, const Svd<Doubles>& svd,
                        const PrincipalTangent<Doubles>& principal, Matrix3<Doubles>* K) {
  assemble(p, ProjectedTangent<Doubles>(weight, svd, principal), K);
}

}  // namespace brio
