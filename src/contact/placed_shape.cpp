#include "contact/placed_shape.h"

#include <Eigen/Geometry>

#include "math/direction.h"

namespace brio {
namespace {

struct Place {
  const std::string& key;

  Pose operator()(const PlaneShape& plane) const {
    check_vector(key + ".point", plane.point);
    check_vector(key + ".normal", plane.normal);
    check_number(key + ".normal", plane.normal.cwiseAbs().maxCoeff(), Bound::positive());
    return {.rotation = turn_from_y(plane.normal), .translation = plane.point};
  }
  Pose operator()(const SphereShape& sphere) const {
    check_vector(key + ".center", sphere.center);
    check_number(key + ".radius", sphere.radius, Bound::positive());
    return {.translation = sphere.center};
  }
  Pose operator()(const BoxShape& box) const {
    check_vector(key + ".center", box.center);
    check_vector(key + ".size", box.size, Bound::positive());
    check_vector(key + ".turn", box.turn);
    const double angle = box.turn.norm();
    Pose pose{.translation = box.center};
    if (angle > 0) pose.rotation = Eigen::AngleAxisd(angle, box.turn / angle).toRotationMatrix();
    return pose;
  }
  Pose operator()(const CapsuleShape& capsule) const {
    check_vector(key + ".a", capsule.a);
    check_vector(key + ".b", capsule.b);
    check_number(key + ".radius", capsule.radius, Bound::positive());
    const Vec3 along = capsule.b - capsule.a;
    Pose pose{.translation = (capsule.a + capsule.b) / 2};
    if (!along.isZero(0)) pose.rotation = turn_from_y(along);
    return pose;
  }
  Pose operator()(const MeshShape&) const { return {}; }
};

}  // namespace

void check_vector(const std::string& key, const Vec3& vector, const Bound& bound) {
  for (const double component : vector) check_number(key, component, bound);
}

Pose pose_of(const ColliderShape& shape, const std::string& key) { return std::visit(Place{key}, shape); }

}  // namespace brio
