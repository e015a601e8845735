/// Lists of times and values, and the motions that they describe.
#pragma once

#include "brio/model.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

struct Sample {
  double time;
  Vec3 value;
};

/// A list of [time, value] pairs; `length` numbers make a value, 1 or 3. `form` is what a complaint says it must be.
std::vector<Sample> read_samples(const Node& node, int length, const std::string& form);

/// Keys of a node that `read_motion` reads.
extern const std::vector<std::string> motion_keys;

/// `path = [[time, [x, y, z]], …]`: where the pivot is at those times; `turn = [[time, degrees], …]` about `axis`
/// through it, or `[[time, [x, y, z]], …]`, axis times degrees. Unless it is given the pivot is `middle`. Empty when
/// the node has neither. `offset` is added to every place: of a copy of a body, from the first.
Motion read_motion(const Node& node, const Vec3& middle, const Vec3& offset = Vec3::Zero());

/// `owner` is "collider[]", say.
void document_keyframes(Reference& reference, const std::string& owner);

}  // namespace brio
