#include "contact/barrier_collider.h"

#include <algorithm>
#include <limits>

#include "contact/body_size.h"

namespace brio {
namespace {

/// Where nothing else is said contact begins at a distance that is hardly seen, and is large beside rounding.
double default_thickness(const Model& model, const std::vector<BodyId>& bodies) {
  constexpr double fraction = 0.005, without_bodies = 1e-3;
  double smallest = std::numeric_limits<double>::infinity();
  for (const BodyId body : bodies)
    if (const double size = body_size(model.body(body)); size > 0) smallest = std::min(smallest, size);
  return std::isfinite(smallest) ? fraction * smallest : without_bodies;
}

}  // namespace

ColliderId add_barrier_collider(Model& model, const ColliderOptions& options) {
  if (options.penalty != "quadratic")
    throw InputError({.key = options.name + ".penalty",
                      .value = options.penalty,
                      .problem = "is for other laws: a barrier has a function of its own",
                      .advice = "leave it out, or choose law = \"potential\""});
  const std::vector<BodyId> bodies = chosen_bodies(model, options.bodies, options.name + ".bodies");
  ContactObstacle obstacle =
      make_obstacle(options, options.thickness > 0 ? options.thickness : default_thickness(model, bodies));
  if (!options.bodies.empty()) obstacle.bodies = bodies;
  Model next(model);  // whoever refuses leaves this one as it was
  const ColliderId id = next.new_collider();
  obstacle.id = id;
  ContactSteps::of(next).add(next, std::move(obstacle));
  next.add_support(std::make_unique<BarrierCollider>(id, options.name, next));
  model = std::move(next);
  return id;
}

}  // namespace brio
