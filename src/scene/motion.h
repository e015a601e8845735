/// What is done to a body from outside, as scene files say it: keyframes, pushes, wind.
#pragma once

#include "brio/model.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

/// Keys of a node that `read_motion` reads.
extern const std::vector<std::string> motion_keys;

/// `path = [[time, [x, y, z]], …]`: where what is at `middle` without motion is at those times; `turn = [[time,
/// degrees], …]` about `axis`, through it. Empty when the node has neither.
Motion read_motion(const Node& node, const Vec3& middle);
/// Of those vertices, about their middle.
Motion read_motion(const Node& node, const Body& body, const std::vector<int>& vertices);

/// `{ select = …, force = [[time, [x, y, z]], …] }`: the force on all vertices together, shared equally.
Push read_push(const Node& node, const Body& body);

Wind read_wind(const Node& node);

void document_motion(Reference& reference, const std::string& body);

}  // namespace brio
