#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "contact/body_size.h"
#include "contact/bvh.h"
#include "model/body_checks.h"

namespace brio {
namespace {

constexpr double depth_fraction = 0.01;      // of the size, where a fall ends
constexpr double min_height_fraction = 0.1;  // of the size: also what lies still must not sink in
constexpr double explicit_fraction = 0.25;   // of m/h²

/// How many vertices land together when the body falls on one of its sides.
double landing_vertices(const Body& body) {
  const auto count = static_cast<double>(body.mesh.vertices.size());
  return body.kind == BodyKind::solid ? std::cbrt(count * count) : count;
}

}  // namespace

double body_size(const Body& body) {
  Box box;
  for (const Vec3& vertex : body.mesh.vertices) box.include(vertex);
  return (box.high - box.low).maxCoeff();
}

double recommended_stiffness(const Model& model, const StiffnessQuestion& question) {
  check_number("drop_height", question.drop_height, Bound::not_negative());
  check_number("explicit_step", question.explicit_step, Bound::not_negative());
  const double g = model.gravity().isZero(0) ? 9.81 : model.gravity().norm();
  double stiffness = 0;
  double lightest = std::numeric_limits<double>::infinity();
  for (const BodyId id : chosen_bodies(model, question.bodies, "bodies")) {
    const Body& body = model.body(id);
    const auto first = model.mass().begin() + body.first_vertex;
    const auto last = first + static_cast<std::ptrdiff_t>(body.mesh.vertices.size());
    const double mass = std::accumulate(first, last, 0.0);
    lightest = std::min(lightest, *std::min_element(first, last));
    const double size = body_size(body);
    if (size == 0) continue;
    const double depth = depth_fraction * size;
    const double height = std::max(question.drop_height + depth, min_height_fraction * size);
    stiffness = std::max(stiffness, 2 * mass * g * height / (landing_vertices(body) * depth * depth));
  }
  if (stiffness == 0)
    throw InputError({.key = "stiffness",
                      .value = "0",
                      .problem = model.bodies().empty() ? "cannot be recommended: the model has no bodies"
                                                        : "cannot be recommended: the bodies have no extent",
                      .advice = "give one, in N/m"});
  const double h = question.explicit_step;
  return h > 0 ? std::min(stiffness, explicit_fraction * lightest / (h * h)) : stiffness;
}

}  // namespace brio
