/// `select = { box = [[0, 0, 0], [1, 1, 1]] }` and its kin: vertices of a body by place or by number.
#pragma once

#include "brio/model.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

/// Vertices, in the body's own numbers, that the member `select` of `owner` chooses of the body as it is placed, before
/// it is deformed. Never none. A wire is chosen by the points of its curve, each with its whole cross-section.
std::vector<int> read_selection(const Node& owner, const Body& body);

/// `[[x, y, z], [x, y, z]]`, which is what `form` says in words.
std::array<Vec3, 2> read_two_points(const Node& node, const std::string& form);

void document_selection(Reference& reference, const std::string& prefix);

}  // namespace brio
