/// Bodies that are where others are.
#pragma once

#include <vector>

#include "brio/model.h"

namespace brio {

/// Two bodies, and in how many places an edge of one goes through a triangle of the other; 0: one is wholly within.
struct Overlap {
  BodyId a{}, b{};
  long crossings = 0;
};
/// Each pair once, a < b, sorted. Throws TooManyPairs (contact/bvh.h) where so many bodies share one place that to look
/// at all pairs would take the square of their number.
std::vector<Overlap> find_overlaps(const Model& model, const NodalField& x);

/// Whether a closed surface winds around the point: its solid angles add up to 4π inside, to 0 outside. [Van Oosterom &
/// Strackee 1983]
bool winds_around(const Vec3& p, const std::vector<Triangle>& surface, const NodalField& x);

}  // namespace brio
