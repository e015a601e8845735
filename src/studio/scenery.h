/// What a page shows: once per scene its shapes, and after every frame where they are.
#pragma once

#include "studio/pane.h"

namespace brio::studio {

/// What surfaces are colored by.
enum class Coloring { none, speed, energy, stress, inverted };

}  // namespace brio::studio

namespace brio {
template <>
struct ChoiceNames<studio::Coloring> {
  static constexpr std::array names{"none", "speed", "energy", "stress", "inverted"};
};
}  // namespace brio

namespace brio::studio {

/// Bodies with their triangles, vertices behind what is seen and rest shapes, and obstacles.
Json shapes_json(const Scene& scene);

/// Appends x, y, z of every vertex that is seen, body by body, and where `coloring` asks for it then a number for each
/// of them.
void append_floats(const Pane& pane, Coloring coloring, std::vector<float>& floats);

/// Where an obstacle is, as the twelve numbers of a matrix of three rows.
Json pose_json(const Obstacle& obstacle, double time, const Vec3& moved);

/// A message of both: "BRS1", the length of the JSON (uint32), the JSON padded with blanks to four bytes, the floats.
std::string frame_message(const Json& head, const std::vector<float>& floats);

}  // namespace brio::studio
