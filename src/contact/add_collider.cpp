#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "contact/barrier_collider.h"
#include "contact/body_size.h"
#include "contact/penalty_collider.h"
#include "contact/placed_shape.h"
#include "model/body_checks.h"

namespace brio {
namespace {

/// Null: the first, which needs no call.
const PenaltyLaw* penalty_of(const ColliderOptions& options) {
  const PenaltyLaw& law = find_penalty_law(options.penalty);
  return &law == &penalty_laws().front() ? nullptr : &law;
}

AnyShape in_its_frame(const PlaneShape&, const std::string&) { return shapes::Plane{}; }
AnyShape in_its_frame(const SphereShape& sphere, const std::string&) { return shapes::Sphere{sphere.radius}; }
AnyShape in_its_frame(const BoxShape& box, const std::string&) { return shapes::Box{box.size / 2}; }
AnyShape in_its_frame(const CapsuleShape& capsule, const std::string&) {
  return shapes::Capsule{.half_length = (capsule.b - capsule.a).norm() / 2, .radius = capsule.radius};
}
AnyShape in_its_frame(const MeshShape& mesh, const std::string& key) {
  if (!mesh.samples.empty())
    throw InputError({.key = key + ".law",
                      .value = "no barrier",
                      .problem = "surfaces that deform push by a barrier alone",
                      .advice = "choose law = \"barrier\""});
  return TriangleShape(mesh.mesh, key + ".mesh");
}

/// From the shape to the nearest vertex of a body at rest, for the body that is farthest away [m].
double drop_height(const Model& model, const std::vector<BodyId>& bodies, const AnyShape& shape, const Pose& pose) {
  double height = 0;
  for (const BodyId id : bodies) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3& vertex : model.body(id).mesh.vertices)
      nearest = std::min(nearest, shape.closest(pose.undo(vertex)).distance);
    height = std::max(height, nearest);
  }
  return height;
}

ColliderId add(Model& model, const ColliderOptions& options, AnyShape shape, const Pose& pose) {
  const std::vector<BodyId> bodies = chosen_bodies(model, options.bodies, options.name + ".bodies");
  std::vector<int> vertices;
  for (const BodyId id : bodies) {
    const Body& body = model.body(id);
    for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i)
      vertices.push_back(body.first_vertex + static_cast<int>(i));
  }
  ContactLaw law{.stiffness = options.stiffness,
                 .thickness = options.thickness,
                 .friction = options.friction,
                 .rule = options.law,
                 .penalty = penalty_of(options)};
  if (law.thickness > 0 && !law.has_planes() && shape.has_dents())
    throw InputError({.key = options.name + ".thickness",
                      .value = fmt::format("{}", law.thickness),
                      .problem = "must be 0 around a mesh with dents, where the distance has creases",
                      .advice = "or choose law = \"spring\""});
  const auto recommend = [height = options.drop_height, h = options.explicit_step](
                             const Model& of, const std::vector<BodyId>& felt, const AnyShape& solid, const Pose& at) {
    return recommended_stiffness(
        of,
        {.bodies = felt, .drop_height = height > 0 ? height : drop_height(of, felt, solid, at), .explicit_step = h});
  };
  const bool is_recommended = law.stiffness == 0;
  if (is_recommended && !bodies.empty()) law.stiffness = recommend(model, bodies, shape, pose);
  auto contact = std::make_unique<ColliderContact>(std::move(shape), law, std::move(vertices), pose, options.motion);
  ColliderContact& added = *contact;
  const EnergyId energy = model.add_free(std::move(contact));
  const ColliderId id = model.new_collider();
  auto collider = std::make_unique<PenaltyCollider>(id, options.name, energy, added);
  collider->set_outline(std::make_shared<ContactObstacle>(make_obstacle(options, options.thickness)));
  if (options.bodies.empty()) {
    PenaltyCollider::Recommend for_all;
    if (is_recommended)
      for_all = [recommend](const Model& of, const ColliderContact& felt) {
        return recommend(of, all_bodies(of), felt.shape(), felt.pose());
      };
    collider->take_all_bodies(std::move(for_all));
  }
  model.add_support(std::move(collider));
  return id;
}

}  // namespace

std::vector<BodyId> all_bodies(const Model& model) {
  std::vector<BodyId> all;
  for (const Body& body : model.bodies()) all.push_back(body.id);
  return all;
}

std::vector<BodyId> chosen_bodies(const Model& model, const std::vector<BodyId>& bodies, const std::string& key) {
  std::vector<BodyId> chosen = bodies.empty() ? all_bodies(model) : bodies;
  for (const BodyId body : bodies)
    if (!model.has(body))
      throw InputError({.key = key, .value = to_string(body), .problem = "is no body of the model"});
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

ColliderId add_collider(Model& model, const ColliderOptions& options) {
  const std::string& key = options.name;
  check_number(key + ".stiffness", options.stiffness, Bound::not_negative());
  check_number(key + ".friction", options.friction, Bound::not_negative());
  check_number(key + ".thickness", options.thickness, Bound::not_negative());
  check_number(key + ".drop_height", options.drop_height, Bound::not_negative());
  check_number(key + ".explicit_step", options.explicit_step, Bound::not_negative());
  options.motion.check(key + ".motion");
  if (options.law == ColliderLaw::barrier) return add_barrier_collider(model, options);
  const Pose pose = pose_of(options.shape, key);
  return std::visit([&](const auto& shape) { return add(model, options, in_its_frame(shape, key), pose); },
                    options.shape);
}

Renumbering remove_collider(Model& model, ColliderId collider) {
  AnyCollider& support = find_support<AnyCollider>(model, collider, "collider");
  support.leave(model);
  return model.remove(support, support.energy());
}

std::vector<std::pair<std::string, long>> tunneled(const Model& model) {
  std::vector<std::pair<std::string, long>> list;
  for (const auto& interaction : model.interactions())
    if (const auto* collider = dynamic_cast<const AnyCollider*>(interaction.get()))
      list.emplace_back(collider->name(), collider->tunneled());
  return list;
}

Penetration deepest_penetration(const Model& model, const State& state) {
  Penetration worst;
  for (const auto& interaction : model.interactions()) {
    const auto* collider = dynamic_cast<const AnyCollider*>(interaction.get());
    if (collider == nullptr) continue;
    const auto [vertex, depth] = collider->deepest(state, model.pinned());
    if (depth <= worst.depth) continue;
    worst = {.depth = depth, .vertex = vertex, .collider = collider->name()};
  }
  for (const Body& body : model.bodies()) {
    if (worst.vertex < body.first_vertex) break;
    worst.body = body.id;
    worst.fraction = worst.depth / body_size(body);
  }
  return worst;
}

}  // namespace brio
