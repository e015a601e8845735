/// Bodies that start where obstacles are.
#pragma once

#include "contact/self_contact.h"

namespace brio {

/// Which bodies and obstacles are looked at: bodies with vertices from `vertex` on with all obstacles, other bodies
/// with obstacles from `obstacle` on.
struct NewHere {
  int vertex = 0;
  std::size_t obstacle = 0;
};

/// A body in an obstacle or through it.
struct ObstacleOverlap {
  BodyId body{};
  int obstacle = -1;
  double depth = 0;  ///< of what is deepest; 0: only edges and faces cross [m]
  long crossings = 0;
};
std::vector<ObstacleOverlap> find_overlaps(const Model& model, const SelfContact& contact, const State& state,
                                           const NewHere& news = {});

/// Throws InputError with the first of them.
void refuse_overlaps(const Model& model, const SelfContact& contact, const State& state, const NewHere& news);

/// Moves bodies that are new, as a whole, out of obstacles that they touch: nearer than a quarter of the thickness and,
/// unless `any_depth`, no deeper than that, until they are a thickness away. Bodies that pins hold stay. Where that
/// does not lead out of all of them, they are left where they were.
void set_apart(const Model& model, const SelfContact& contact, State& state, int first_vertex, bool any_depth);

}  // namespace brio
