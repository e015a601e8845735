/// The motion of solids as a whole, which meet and part as one, whatever their vertices do besides.
///
/// Of vertices i with masses m_i: v(p) = V + ω × (p − c), V the mean velocity, ω = I⁻¹ L about the center of mass c.
/// What is left of the velocities is orthogonal to every such motion, Σ m_i u_i · v(x_i) = 0: an impulse that changes
/// the rigid motion alone takes from the kinetic energy what it would take from a rigid body's.
#pragma once

#include <vector>

#include "brio/model.h"

namespace brio {

struct RigidMotion {
  double mass = 0;                      ///< [kg]
  Vec3 center = Vec3::Zero();           ///< [m]
  Vec3 velocity = Vec3::Zero();         ///< of the center [m/s]
  Vec3 spin = Vec3::Zero();             ///< [rad/s]
  Mat3 inertia = Mat3::Zero();          ///< about the center [kg m²]
  Mat3 inverse_inertia = Mat3::Zero();  ///< [1/(kg m²)]

  Vec3 at(const Vec3& point) const { return velocity + spin.cross(point - center); }
  /// By which an impulse along n at a point changes the speed along n there [1/kg].
  double inverse_mass(const Vec3& point, const Vec3& n) const;
  void push(const Vec3& point, const Vec3& impulse);
  double kinetic_energy() const { return 0.5 * (mass * velocity.squaredNorm() + spin.dot(inertia * spin)); }  ///< [J]
};

/// Pieces of solids that nothing holds: connected by tetrahedra, with neither pinned nor constrained vertices.
class FreeSolids {
 public:
  FreeSolids() = default;
  explicit FreeSolids(const Model& model);

  std::size_t size() const { return vertices_.size(); }
  /// -1: the vertex belongs to none.
  int of(int vertex) const { return static_cast<std::size_t>(vertex) < piece_.size() ? piece_[vertex] : -1; }
  RigidMotion motion(const Model& model, int piece, const NodalField& x, const NodalField& v) const;
  /// Velocities that are the same but for the rigid motion.
  void change(int piece, const RigidMotion& from, const RigidMotion& to, const NodalField& x, NodalField& v) const;

 private:
  std::vector<int> piece_;                  ///< of each vertex
  std::vector<std::vector<int>> vertices_;  ///< of each piece
};

}  // namespace brio
