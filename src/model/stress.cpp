#include "model/stress.h"

#include <Eigen/LU>
#include <cmath>

#include "model/energies/tet_batch.h"
#include "model/materials/corotated.h"
#include "model/materials/mooney_rivlin.h"
#include "model/materials/neo_hookean.h"
#include "model/materials/stvk.h"

namespace brio {
namespace {

template <class Material>
ElementStress stress(const Material& material, const Mat3& F) {
  Matrix3<double> f;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) f(i, j) = F(i, j);
  const Response<double> r = response(material, f);
  Mat3 P;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) P(i, j) = r.P(i, j);
  constexpr double least_volume = 1e-6;
  const double J = std::max(std::abs(F.determinant()), least_volume);
  const ElementStress s{.psi = r.psi, .cauchy = P * F.transpose() / J};
  return std::isfinite(s.psi) && s.cauchy.allFinite() ? s : ElementStress{};
}

Mat3 edges(const NodalField& x, const Tet& t, int first) {
  Mat3 columns;
  for (int a = 0; a < 3; ++a) columns.col(a) = x[first + t[a + 1]] - x[first + t[0]];
  return columns;
}

/// Whether the energy is one of this material.
template <class Material>
bool add_stresses(const Energy& energy, const Model& model, const Body& body, const NodalField& x,
                  std::vector<ElementStress>& all) {
  const auto* batch = dynamic_cast<const TetBatch<Material>*>(&energy);
  if (batch == nullptr) return false;
  all.reserve(body.mesh.tets.size());
  for (const Tet& t : body.mesh.tets) {
    const Mat3 F = edges(x, t, body.first_vertex) * edges(model.rest(), t, body.first_vertex).inverse();
    all.push_back(stress(batch->kernel().material, F));
  }
  return true;
}

template <class... Materials>
std::vector<ElementStress> stresses_of_any(const Model& model, const Body& body, const NodalField& x) {
  std::vector<ElementStress> all;
  for (const int index : body.energies) {
    const Energy& energy = *model.energies()[static_cast<std::size_t>(index)];
    if ((add_stresses<Materials>(energy, model, body, x, all) || ...)) break;
  }
  return all;
}

}  // namespace

double ElementStress::von_mises() const {
  const Mat3 deviator = cauchy - cauchy.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * deviator.norm();
}

std::vector<ElementStress> element_stresses(const Model& model, const Body& body, const NodalField& x) {
  return stresses_of_any<StVK, StVKVolume, Corotated, NeoHookean, StableNeoHookean, MooneyRivlin>(model, body, x);
}

}  // namespace brio
