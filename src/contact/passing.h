/// Colliders that go through bodies between their vertices, which is all that laws other than "barrier" look at.
#pragma once

#include <string>
#include <vector>

#include "brio/model.h"

namespace brio {

struct Passing {
  BodyId body{};
  std::string collider{};
  long faces = 0;  ///< of the body that it goes through, none of whose vertices is in it
};
/// Of each body with each collider: box and mesh by an edge, sphere and capsule by more than half of their radius.
/// Planes have no such place.
std::vector<Passing> find_passing(const Model& model, const State& state);

}  // namespace brio
