#include "model/energies/torsion.h"

namespace brio {

TorsionBatch::TorsionBatch(const std::vector<std::array<int, 4>>& segments, double rigidity, const NodalField& rest)
    : StencilBatch("torsion", {}, segments, rest), rigidity_(rigidity) {
  set_rest(rest);
}

void TorsionBatch::set_rest(const NodalField& x) {
  set_parameters([this, &x](std::size_t, const std::array<int, 4>& v) {
    Vector3<double> at[4];
    for (int a = 0; a < 4; ++a) at[a] = {{x[v[a]][0], x[v[a]][1], x[v[a]][2]}};
    const double stiffness = rigidity_ / (x[v[2]] - x[v[0]]).norm();
    const double arms = 0.5 * ((x[v[1]] - x[v[0]]).squaredNorm() + (x[v[3]] - x[v[2]]).squaredNorm());
    return Parameters{stiffness, TorsionKernel::twist(at), stiffness / arms};
  });
}

}  // namespace brio
