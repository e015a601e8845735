#include "model/inversion.h"

#include <Eigen/Geometry>

namespace brio {
namespace {

template <class Points>
double signed_volume(const Points& x, int first, const Tet& tet) {
  const Vec3 origin = x[first + tet[0]];
  const Vec3 a = x[first + tet[1]] - origin;
  const Vec3 b = x[first + tet[2]] - origin;
  const Vec3 c = x[first + tet[3]] - origin;
  return a.cross(b).dot(c) / 6;
}

}  // namespace

Inversion find_inverted(const Body& b, const NodalField& x) {
  if (b.kind != BodyKind::solid) return {};
  Inversion found{.tets = static_cast<long>(b.mesh.tets.size())};
  for (const Tet& tet : b.mesh.tets) {
    const double ratio = signed_volume(x, b.first_vertex, tet) / signed_volume(b.mesh.vertices, 0, tet);
    if (!(ratio < 0)) continue;
    ++found.inverted;
    found.body = b.id;
    found.worst = std::min(found.worst, ratio);
  }
  return found;
}

Inversion find_inverted(const Model& model, const NodalField& x) {
  Inversion all;
  for (const Body& body : model.bodies()) {
    const Inversion one = find_inverted(body, x);
    all.inverted += one.inverted;
    all.tets += one.tets;
    if (one.worst < all.worst) {
      all.worst = one.worst;
      all.body = one.body;
    }
  }
  return all;
}

}  // namespace brio
