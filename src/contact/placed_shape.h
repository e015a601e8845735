/// Where the shapes of colliders are: each has a frame of its own.
#pragma once

#include "brio/contact.h"
#include "model/body_checks.h"

namespace brio {

/// As check_number, of every component.
void check_vector(const std::string& key, const Vec3& vector, const Bound& bound = Bound::any());

/// Throws InputError naming `key` for numbers that no shape can have. Planes face y in their frame, capsules lie along
/// it, spheres, boxes and capsules have their middle at the origin; meshes are where their vertices are.
Pose pose_of(const ColliderShape& shape, const std::string& key);

}  // namespace brio
