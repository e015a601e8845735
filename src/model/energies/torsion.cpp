#include "model/energies/torsion.h"

#include <algorithm>

namespace brio {

TorsionBatch::TorsionBatch(const std::vector<std::array<int, 4>>& segments, double rigidity, const NodalField& rest)
    : StencilBatch("torsion", {}, segments, rest), rigidity_(rigidity) {
  set_rest(rest);
}

/// A segment whose shape is much smaller than the first one resists in proportion to 1/(its length times the square of
/// its arms), without bound; it weighs less, so that this stays within a small multiple of what it was.
void TorsionBatch::set_rest(const NodalField& x) {
  constexpr double much = 2;
  const bool first = lengths_.empty();
  if (first) lengths_ = arms_ = std::vector<double>(elements());
  set_parameters([&](std::size_t k, const std::array<int, 4>& v) {
    Vector3<double> at[4];
    for (int a = 0; a < 4; ++a) at[a] = {{x[v[a]][0], x[v[a]][1], x[v[a]][2]}};
    const double length = (x[v[2]] - x[v[0]]).norm();
    const double arms = 0.5 * ((x[v[1]] - x[v[0]]).squaredNorm() + (x[v[3]] - x[v[2]]).squaredNorm());
    if (first) {
      lengths_[k] = length;
      arms_[k] = arms;
    }
    const double smaller = std::min(1.0, much * length / lengths_[k]) * std::min(1.0, much * much * arms / arms_[k]);
    const double stiffness = smaller > 0 ? smaller * rigidity_ / length : 0;
    return Parameters{stiffness, TorsionKernel::twist(at), arms > 0 ? stiffness / arms : 0};
  });
}

}  // namespace brio
