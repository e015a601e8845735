#include "model/energies/stencils.h"

namespace brio {

template <int nodes, int parameters>
Stencils<nodes, parameters>::Stencils(std::vector<Nodes> elements, const NodalField& x) : count_(elements.size()) {
  for (Nodes& element : elements) std::sort(element.begin(), element.end());
  std::vector<int> flat;
  flat.reserve(count_ * nodes);
  for (const Nodes& element : elements) flat.insert(flat.end(), element.begin(), element.end());
  order_ = deal_to_lanes(spatial_order(flat, nodes, x), lanes);
  indices_.resize(groups() * nodes * lanes);
  flat.clear();
  for (std::size_t e = 0; e < groups() * lanes; ++e) {
    const Nodes& element = elements[order_[std::min(e, count_ - 1)]];
    for (int a = 0; a < nodes; ++a) indices_[(e / lanes * nodes + a) * lanes + e % lanes] = element[a];
    if (e < count_) flat.insert(flat.end(), element.begin(), element.end());
  }
  colors_ = color_chunks(flat, nodes);
  parameters_.resize(groups() * parameters);
}

template <int nodes, int parameters>
void Stencils<nodes, parameters>::couple(PatternBuilder& pattern) const {
  for (std::size_t e = 0; e < count_; ++e) pattern.couple(vertices_of(e));
}

template <int nodes, int parameters>
void Stencils<nodes, parameters>::renumber(std::span<const int> vertices) {
  for (int& index : indices_) index = vertices[static_cast<std::size_t>(index)];
}

template <int nodes, int parameters>
void Stencils<nodes, parameters>::bind(const BlockPattern& pattern) {
  slots_.resize(groups() * block_count * lanes);
  for (std::size_t e = 0; e < groups() * lanes; ++e) {
    const Nodes v = vertices_of(std::min(e, count_ - 1));
    for (int a = 0, k = 0; a < nodes; ++a)
      for (int b = 0; b <= a; ++b, ++k)
        slots_[(e / lanes * block_count + k) * lanes + e % lanes] = pattern.find(v[a], v[b]);
  }
}

template <int nodes, int parameters>
void Stencils<nodes, parameters>::scatter_blocks(std::size_t group, const Matrix3<Doubles> K[block_count],
                                                 BlockMatrix& H) const {
  scatter(group, K, H);
}

template class Stencils<2, 2>;   // springs
template class Stencils<4, 3>;   // torsion
template class Stencils<4, 10>;  // tetrahedra

}  // namespace brio
