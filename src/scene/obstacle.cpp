#include "scene/obstacle.h"

#include <Eigen/Geometry>
#include <numbers>

#include "math/direction.h"

namespace brio {
namespace {

/// Rings around y from pole to pole; the rings of the upper half are `half` up, those of the lower as far down. A
/// sphere is a capsule of no length.
void add_capsule(Obstacle& obstacle, double half, double radius) {
  constexpr int around = 32;
  constexpr int rings = 16;  // an even number, so that the equator is there twice
  for (int ring = 0; ring < rings; ++ring) {
    const bool upper = ring >= rings / 2;
    const double latitude = std::numbers::pi * ((upper ? ring - 1 : ring) / (rings - 2.0) - 0.5);
    for (int i = 0; i < around; ++i) {
      const double longitude = 2 * std::numbers::pi * i / around;
      obstacle.vertices.emplace_back(radius * std::cos(latitude) * std::sin(longitude),
                                     radius * std::sin(latitude) + (upper ? half : -half),
                                     radius * std::cos(latitude) * std::cos(longitude));
    }
  }
  for (int ring = 0; ring + 1 < rings; ++ring)
    for (int i = 0; i < around; ++i) {
      const int a = ring * around + i;
      const int b = ring * around + (i + 1) % around;
      obstacle.triangles.push_back({a, b, b + around});
      obstacle.triangles.push_back({a, b + around, a + around});
    }
}

void add_box(Obstacle& obstacle, const Vec3& size) {
  for (int corner = 0; corner < 8; ++corner)
    obstacle.vertices.push_back(
        size.cwiseProduct(Vec3((corner & 1) - 0.5, (corner >> 1 & 1) - 0.5, (corner >> 2 & 1) - 0.5)));
  obstacle.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                        {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
}

struct Show {
  Obstacle& obstacle;

  void operator()(const PlaneShape& plane) const {
    obstacle.endless = true;
    obstacle.pose = {.rotation = turn_from_y(plane.normal), .translation = plane.point};
  }
  void operator()(const SphereShape& sphere) const {
    obstacle.pose.translation = sphere.center;
    add_capsule(obstacle, 0, sphere.radius);
  }
  void operator()(const BoxShape& box) const {
    obstacle.pose.translation = box.center;
    if (const double angle = box.turn.norm(); angle > 0)
      obstacle.pose.rotation = Eigen::AngleAxisd(angle, box.turn / angle).toRotationMatrix();
    add_box(obstacle, box.size);
  }
  void operator()(const CapsuleShape& capsule) const {
    const Vec3 along = capsule.b - capsule.a;
    obstacle.pose.translation = (capsule.a + capsule.b) / 2;
    if (!along.isZero(0)) obstacle.pose.rotation = turn_from_y(along);
    add_capsule(obstacle, along.norm() / 2, capsule.radius);
  }
  void operator()(const MeshShape& shape) const {
    obstacle.vertices = shape.mesh.vertices;
    for (const MeshShape::Sample& sample : shape.samples) obstacle.samples.push_back({sample.time, sample.vertices});
    obstacle.triangles = shape.mesh.triangles.empty() ? surface(shape.mesh) : shape.mesh.triangles;
  }
};

}  // namespace

Obstacle seen(const ColliderOptions& collider) {
  Obstacle obstacle{.name = collider.name, .motion = collider.motion};
  std::visit(Show{obstacle}, collider.shape);
  return obstacle;
}

}  // namespace brio
