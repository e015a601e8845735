/// Parts of a surface that are flat at rest, as cloth is: what can be drawn on a plane.
#pragma once

#include <Eigen/Core>

#include "contact/surfaces.h"

namespace brio {

using Vec2 = Eigen::Vector2d;

/// A rectangle along the axes of a piece; empty until something is included.
struct Rectangle {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity());    ///< [m]
  Vec2 high = Vec2::Constant(-std::numeric_limits<double>::infinity());  ///< [m]

  void include(const Vec2& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void include(const Rectangle& r) {
    low = low.cwiseMin(r.low);
    high = high.cwiseMax(r.high);
  }
  /// Touching counts.
  bool overlaps(const Rectangle& r) const {
    return (low.array() <= r.high.array()).all() && (r.low.array() <= high.array()).all();
  }
};

struct FlatTriangle {
  Triangle vertices{};
  std::array<Vec2, 3> corners{};   ///< at rest, counterclockwise [m]
  std::array<int, 3> neighbors{};  ///< in the piece, beyond the edge from corner e to e + 1; -1: none
  Rectangle bounds() const;
};

/// Triangles that hang together by edges and lie in one plane, all with the same side up.
struct FlatPiece {
  Vec3 origin = Vec3::Zero();  ///< [m]
  std::array<Vec3, 2> axes{};
  std::vector<FlatTriangle> triangles{};
  double edge = 0;  ///< mean length [m]

  Vec2 place(const Vec3& p) const { return {axes[0].dot(p - origin), axes[1].dot(p - origin)}; }
  Rectangle bounds() const;
};

struct FlatPieces {
  std::vector<FlatPiece> pieces{};
  std::vector<int> of_triangle{};  ///< which one; -1: of none
};

/// Those of so many triangles that they are worth the trouble.
FlatPieces flat_pieces(const ContactSurface& surface, const NodalField& rest);

}  // namespace brio
