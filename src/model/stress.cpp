#include "model/stress.h"

#include <Eigen/LU>
#include <cmath>

namespace brio {
namespace {

Mat3 edges(const NodalField& x, const Tet& t, int first) {
  Mat3 columns;
  for (int a = 0; a < 3; ++a) columns.col(a) = x[first + t[a + 1]] - x[first + t[0]];
  return columns;
}

}  // namespace

ElementStress element_stress(double psi, const Mat3& P, const Mat3& F) {
  constexpr double min_volume = 1e-6;
  const double J = std::max(std::abs(F.determinant()), min_volume);
  const ElementStress s{.psi = psi, .cauchy = P * F.transpose() / J};
  return std::isfinite(s.psi) && s.cauchy.allFinite() ? s : ElementStress{};
}

double ElementStress::von_mises() const {
  const Mat3 deviator = cauchy - cauchy.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * deviator.norm();
}

std::vector<ElementStress> element_stresses(const Model& model, const Body& body, const NodalField& x) {
  std::vector<ElementStress> all;
  if (body.kind != BodyKind::solid) return all;
  for (const EnergyId id : body.energies) {
    const auto* solid = dynamic_cast<const SolidElements*>(&model.energy(id));
    if (solid == nullptr) continue;
    all.reserve(body.mesh.tets.size());
    for (const Tet& t : body.mesh.tets)
      all.push_back(
          solid->stress(edges(x, t, body.first_vertex) * edges(model.rest(), t, body.first_vertex).inverse()));
    break;
  }
  return all;
}

}  // namespace brio
