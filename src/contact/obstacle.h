/// Colliders with the law "barrier": surfaces that bodies touch as they touch each other, of vertices that move from
/// outside and belong to no body.
///
/// A sphere is a point with a core, a capsule an edge with one, a box and a mesh are triangles, a plane is told by
/// three of its points. All points of an obstacle are linear in a few vectors q, its handles: for something rigid where
/// its origin is and how its three axes point, o = q_0 + Σ ξ_k q_k; for a surface that deforms they are the points
/// themselves. So the work of forces g on its points is Σ f·Δq, with as many f = Σ a g as there are handles.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "brio/contact.h"
#include "contact/surfaces.h"

namespace brio {

struct ContactObstacle {
  ColliderId id{};
  std::string name{};
  std::vector<BodyId> bodies{};  ///< that feel it; empty: all
  std::vector<Vec3> points{};    ///< in its own frame, unless samples tell them [m]
  /// Of what has a core, the first of four points that nothing touches: its origin, and from there the core's radius
  /// along each axis. They tell how the surface turns, which the points within it do not. -1: none.
  int first_of_frame = -1;
  ContactSurface surface{};  ///< indices are those of its points
  Pose pose{};               ///< without motion
  Motion motion{};
  std::vector<MeshShape::Sample> samples{};
  double friction = 0;       ///< Coulomb's μ
  double stiffness = 0;      ///< [N/m]; 0: by the masses that meet
  double explicit_step = 0;  ///< that it must be stable with [s]; 0: steps are implicit

  bool moves() const { return !motion.empty() || samples.size() > 1; }
  bool is_felt_by(BodyId body) const { return bodies.empty() || std::ranges::count(bodies, body) > 0; }
  bool deforms() const { return !samples.empty(); }
  Pose pose_at(double time) const;
  /// Of all points.
  void places_at(double time, std::vector<Vec3>& places) const;

  std::size_t handles() const { return deforms() ? points.size() : 4; }
  void handles_at(double time, std::vector<Vec3>& q) const;
  void handle_rates_at(double time, Side side, std::vector<Vec3>& rates) const;
  /// Adds what a force at point k is to the handles.
  void add_force(std::size_t k, const Vec3& force, Vec3* handles) const;
};

/// Checks the numbers of shapes; `thickness` is where contact begins [m].
ContactObstacle make_obstacle(const ColliderOptions& options, double thickness);

}  // namespace brio
