/// Deformable linear objects: a wire as a chain of tetrahedra around a curve, with torsion springs. [S2 section 4]
#pragma once

#include "brio/model.h"
#include "model/force.h"

namespace brio {

/// Three vertices per point of the curve: R_k = 3k on it, P_k = 3k+1 and Q_k = 3k+2 a radius away, at right angles.
struct Wire {
  int points = 0;
  Mesh mesh;                       ///< three tetrahedra per segment, positively oriented
  std::vector<Segment> edges;      ///< of the tetrahedra, each once
  std::vector<double> mass_share;  ///< per vertex: the length of curve that it stands for
};

/// The mesh must be one open polyline, its segments in any order.
Wire make_wire(const std::string& body, const Mesh& curve, double radius);

/// Torsion springs at the inner points j between neighbours i and k [S2 eq. 15]: Q_j is drawn, with the given
/// stiffness, to where it would stand if the twist errors of both neighbouring segments were halved; R_j takes the
/// opposite force, which S2 leaves out.
///
/// Not conservative: the force follows from a rotation, not from a potential, so twisting back and forth need not
/// return its work. Linear momentum is kept exactly; angular momentum is not, because the neighbours do not take up the
/// couple.
class TorsionSprings final : public Force {
 public:
  TorsionSprings(int first_vertex, int points, double stiffness, const NodalField& rest);

  std::string name() const override { return "torsion"; }
  void add(const NodalField& x, const NodalField& v, NodalField& f) const override;

 private:
  /// Signed angle from R_a Q_a to R_b Q_b about R_a R_b, b = a + 1 [rad].
  double twist(const NodalField& x, int a) const;
  Vec3 at(const NodalField& x, int point, int corner) const { return x[first_vertex_ + 3 * point + corner]; }

  int first_vertex_;
  int points_;
  double stiffness_;                ///< [N/m]
  std::vector<double> rest_twist_;  ///< per segment [rad]
};

}  // namespace brio
