/// Deformable linear objects: a wire as a chain of tetrahedra around a curve. [S2 section 4]
#pragma once

#include <array>

#include "brio/force.h"
#include "brio/model.h"

namespace brio {

/// Three vertices per point of the curve: R_k = 3k on it, P_k = 3k+1 and Q_k = 3k+2 a radius away, at right angles.
struct Wire {
  int points = 0;
  Mesh mesh;                              ///< three tetrahedra per segment, positively oriented
  std::vector<Segment> edges;             ///< of the tetrahedra, each once
  std::vector<double> length_per_vertex;  ///< per vertex: the length of curve that it stands for
};

/// The mesh must be one open polyline, its segments in any order.
Wire make_wire(const std::string& body, const Mesh& curve, double radius);

/// Per segment the vertices R_a, Q_a, R_b, Q_b whose dihedral angle is its twist.
std::vector<std::array<int, 4>> twist_segments(int first_vertex, int points);

/// The torsion springs of S2 eq. 15, at the inner points j between neighbors i and k: Q_j is drawn to where it would
/// stand if the twist errors of both neighboring segments were halved; R_j takes the opposite force, which S2 leaves
/// out. The stiffness 4C/(ℓ r²) [N/m], ℓ being the mean length of the two segments and r that of the arm, makes the
/// force on Q_j that of the potential Σ C/(2ℓ) (θ - θ⁰)² for small twist.
///
/// Not conservative: the force follows from a rotation, not from a potential, so twisting back and forth need not
/// return its work. Linear momentum is kept exactly; angular momentum is not, because the neighbors do not take up the
/// couple.
class TorsionSprings final : public Force {
 public:
  /// The torsional rigidity C in N m².
  TorsionSprings(int first_vertex, int points, double rigidity, const NodalField& rest);

  std::string name() const override { return "torsion"; }
  void add(const NodalField& x, const NodalField& v, double time, NodalField& f) const override;
  std::shared_ptr<const Force> renumbered(std::span<const int> vertices) const override {
    auto moved = std::make_shared<TorsionSprings>(*this);
    moved->first_vertex_ = vertices[static_cast<std::size_t>(first_vertex_)];
    return moved->first_vertex_ < 0 ? nullptr : moved;
  }

 private:
  /// Signed angle from R_a Q_a to R_b Q_b about R_a R_b, b = a + 1 [rad].
  double twist(const NodalField& x, int a) const;
  Vec3 at(const NodalField& x, int point, int corner) const { return x[first_vertex_ + 3 * point + corner]; }

  int first_vertex_;
  int points_;
  std::vector<double> stiffness_;   ///< per inner point, from 1 on [N/m]
  std::vector<double> rest_twist_;  ///< per segment [rad]
};

}  // namespace brio
