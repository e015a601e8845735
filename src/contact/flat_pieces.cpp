#include "contact/flat_pieces.h"

#include "mesh/topology.h"

namespace brio {
namespace {

/// Per triangle and edge the triangle beyond it; -1 where there is none or more than one.
std::vector<std::array<int, 3>> neighbors_of(const std::vector<Triangle>& triangles) {
  std::vector<std::array<int, 3>> neighbors(triangles.size(), {-1, -1, -1});
  for_each_run(sorted_edges(triangles), [&](auto first, auto last) {
    if (last - first != 2) return;
    const int a = first->cell, b = (first + 1)->cell;
    neighbors[a / 3][a % 3] = b / 3;
    neighbors[b / 3][b % 3] = a / 3;
  });
  return neighbors;
}

class Finder {
 public:
  Finder(const ContactSurface& surface, const NodalField& rest)
      : triangles_(surface.triangles),
        rest_(rest),
        neighbors_(neighbors_of(triangles_)),
        of_triangle_(triangles_.size(), unknown) {}

  FlatPieces find() {
    FlatPieces found;
    for (std::size_t seed = 0; seed < triangles_.size(); ++seed) {
      if (of_triangle_[seed] != unknown) continue;
      const int number = static_cast<int>(found.pieces.size());
      FlatPiece piece;
      const std::vector<int> members = grow(static_cast<int>(seed), number, piece);
      if (members.size() >= min_triangles) {
        describe(members, number, piece);
        found.pieces.push_back(std::move(piece));
      } else {
        for (const int t : members) of_triangle_[t] = of_none;
      }
    }
    found.of_triangle = std::move(of_triangle_);
    return found;
  }

 private:
  static constexpr int unknown = -2, of_none = -1;

  Vec3 corner(int t, int k) const { return rest_[triangles_[t][k]]; }

  /// The plane of the seed, and what can be reached in it.
  std::vector<int> grow(int seed, int number, FlatPiece& piece) {
    const Vec3 along = corner(seed, 1) - corner(seed, 0);
    const Vec3 normal = along.cross(corner(seed, 2) - corner(seed, 0));
    std::vector<int> members{seed};
    of_triangle_[seed] = number;
    if (!(normal.norm() > least_quality * along.squaredNorm())) return {seed};
    piece.origin = corner(seed, 0);
    piece.axes = {along.normalized(), normal.cross(along).normalized()};
    const double off = flatness * along.norm();
    for (std::size_t next = 0; next < members.size(); ++next)
      for (const int t : neighbors_[members[next]]) {
        if (t < 0 || of_triangle_[t] != unknown || !lies_in(piece, t, off)) continue;
        of_triangle_[t] = number;
        members.push_back(t);
      }
    std::sort(members.begin(), members.end());
    return members;
  }

  bool lies_in(const FlatPiece& piece, int t, double off) const {
    const Vec3 normal = piece.axes[0].cross(piece.axes[1]);
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
      if (!(std::abs(normal.dot(corner(t, k) - piece.origin)) <= off)) return false;
      longest = std::max(longest, (corner(t, (k + 1) % 3) - corner(t, k)).squaredNorm());
    }
    const double twice_area = normal.dot((corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)));
    return twice_area > least_quality * longest;
  }

  void describe(const std::vector<int>& members, int number, FlatPiece& piece) const {
    double length = 0;
    for (const int t : members) {
      FlatTriangle flat{.vertices = triangles_[t]};
      for (int k = 0; k < 3; ++k) {
        flat.corners[k] = piece.place(corner(t, k));
        const int other = neighbors_[t][k];
        if (other >= 0 && of_triangle_[other] == number)
          flat.neighbors[k] = static_cast<int>(std::ranges::lower_bound(members, other) - members.begin());
        else
          flat.neighbors[k] = -1;
        length += (corner(t, (k + 1) % 3) - corner(t, k)).norm();
      }
      piece.triangles.push_back(flat);
    }
    piece.edge = length / static_cast<double>(3 * members.size());
  }

  static constexpr std::size_t min_triangles = 16;
  static constexpr double flatness = 2e-5;       ///< how far from the plane a vertex may be, by the length of an edge
  static constexpr double least_quality = 0.01;  ///< altitude by the longest edge: no slivers

  const std::vector<Triangle>& triangles_;
  const NodalField& rest_;
  std::vector<std::array<int, 3>> neighbors_;
  std::vector<int> of_triangle_;
};

}  // namespace

Rectangle FlatTriangle::bounds() const {
  Rectangle all;
  for (const Vec2& corner : corners) all.include(corner);
  return all;
}

Rectangle FlatPiece::bounds() const {
  Rectangle all;
  for (const FlatTriangle& triangle : triangles) all.include(triangle.bounds());
  return all;
}

FlatPieces flat_pieces(const ContactSurface& surface, const NodalField& rest) { return Finder(surface, rest).find(); }

}  // namespace brio
