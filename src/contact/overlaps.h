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
/// Each pair once, a < b, sorted.
std::vector<Overlap> find_overlaps(const Model& model, const NodalField& x);

}  // namespace brio
