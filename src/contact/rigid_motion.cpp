#include "contact/rigid_motion.h"

#include <Eigen/LU>
#include <numeric>

namespace brio {
namespace {

int root(std::vector<int>& parent, int k) {
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

/// The least vertex of the piece that each vertex belongs to; -1 where it belongs to no solid.
std::vector<int> least_vertices(const Model& model) {
  std::vector<int> parent(model.vertices());
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<char> solid(model.vertices(), 0);
  for (const Body& body : model.bodies()) {
    if (body.kind != BodyKind::solid) continue;
    for (const Tet& tet : body.mesh.tets)
      for (const int k : tet) {
        solid[body.first_vertex + k] = 1;
        const int a = root(parent, body.first_vertex + tet[0]), b = root(parent, body.first_vertex + k);
        parent[std::max(a, b)] = std::min(a, b);
      }
  }
  std::vector<int> least(model.vertices(), -1);
  for (int k = 0; k < static_cast<int>(least.size()); ++k)
    if (solid[k] != 0) least[k] = root(parent, k);
  return least;
}

}  // namespace

double RigidMotion::inverse_mass(const Vec3& point, const Vec3& n) const {
  const Vec3 lever = (point - center).cross(n);
  return 1 / mass + lever.dot(inverse_inertia * lever);
}

void RigidMotion::push(const Vec3& point, const Vec3& impulse) {
  velocity += impulse / mass;
  spin += inverse_inertia * (point - center).cross(impulse);
}

FreeSolids::FreeSolids(const Model& model) : piece_(model.vertices(), -1) {
  const std::vector<int> least = least_vertices(model);
  std::vector<char> held(model.pinned().begin(), model.pinned().end());  // by the least vertex of the piece
  for (const Constraint& constraint : model.constraints()) held[constraint.a] = held[constraint.b] = 1;
  for (std::size_t k = 0; k < held.size(); ++k)
    if (held[k] != 0 && least[k] >= 0) held[least[k]] = 1;
  for (int k = 0; k < static_cast<int>(least.size()); ++k) {
    if (least[k] < 0 || held[least[k]] != 0) continue;
    if (least[k] == k) {
      piece_[k] = static_cast<int>(vertices_.size());
      vertices_.emplace_back();
    }
    piece_[k] = piece_[least[k]];
    vertices_[piece_[k]].push_back(k);
  }
}

RigidMotion FreeSolids::motion(const Model& model, int piece, const NodalField& x, const NodalField& v) const {
  RigidMotion motion;
  for (const int i : vertices_[piece]) {
    const double m = model.mass()[i];
    motion.mass += m;
    motion.center += m * x[i];
    motion.velocity += m * v[i];
  }
  motion.center /= motion.mass;
  motion.velocity /= motion.mass;
  Vec3 angular = Vec3::Zero();
  for (const int i : vertices_[piece]) {
    const double m = model.mass()[i];
    const Vec3 r = x[i] - motion.center;
    angular += m * r.cross(v[i] - motion.velocity);
    motion.inertia += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  motion.inverse_inertia = motion.inertia.inverse();
  motion.spin = motion.inverse_inertia * angular;
  return motion;
}

void FreeSolids::change(int piece, const RigidMotion& from, const RigidMotion& to, const NodalField& x,
                        NodalField& v) const {
  for (const int i : vertices_[piece]) v[i] += to.at(x[i]) - from.at(x[i]);
}

}  // namespace brio
