/// The inside of a closed triangle mesh as a shape.
///
/// Whether a point is inside is told by the pseudonormal of the closest feature: the normal of a face, the sum of both
/// neighbors' at an edge, the sum weighted by angles at a vertex. [Bærentzen & Aanæs 2005]
#pragma once

#include <memory>

#include "brio/mesh.h"
#include "contact/bvh.h"
#include "contact/shapes.h"

namespace brio {

/// Where a point is nearest to a triangle, and on what of it. [Ericson 2005, section 5.1.5]
struct OnTriangle {
  Vec3 point;       ///< [m]
  int feature = 0;  ///< 0: the face; 1, 2, 3: the edge from vertex 0, 1, 2 to the next; 4, 5, 6: vertex 0, 1, 2
};
OnTriangle closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Copies share the mesh.
class TriangleShape {
 public:
  /// Throws InputError naming `key` unless the triangles are closed, manifold and turned outward.
  TriangleShape(const Mesh& mesh, const std::string& key);

  Closest closest(const Vec3& p) const;
  /// φ is not less than this [m]; negative infinity where it takes a search to know.
  double min_distance(const Vec3& p) const;
  /// Whether some edge is a valley seen from outside: there φ has a crease, to which vertices would be drawn.
  bool has_dents() const { return surface_->has_dents; }

 private:
  struct Surface {
    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;
    std::vector<std::array<Vec3, 7>> pseudonormals;  ///< of each triangle's features
    Bvh tree;
    bool has_dents = false;
    double size = 0;  ///< of its bounding box's diagonal [m]
  };
  std::shared_ptr<const Surface> surface_;
};

}  // namespace brio
