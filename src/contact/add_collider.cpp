#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "contact/body_size.h"
#include "contact/penalty_collider.h"
#include "math/direction.h"
#include "model/body_checks.h"

namespace brio {
namespace {

void check_vector(const std::string& key, const Vec3& vector, const Bound& bound = Bound::any()) {
  for (const double component : vector) check_number(key, component, bound);
}

/// Null: the first, which needs no call.
auto penalty_of(const ColliderOptions& options) -> GapEnergy (*)(double, double) {
  const PenaltyLaw& law = find_penalty_law(options.penalty);
  return &law == &penalty_laws().front() ? nullptr : law.energy;
}

/// A shape in its own frame, and where that frame is.
struct Placed {
  AnyShape shape;
  Pose pose{};
};

Placed place(const PlaneShape& plane, const std::string& key) {
  check_vector(key + ".point", plane.point);
  check_vector(key + ".normal", plane.normal);
  check_number(key + ".normal", plane.normal.cwiseAbs().maxCoeff(), Bound::positive());
  return {shapes::Plane{}, {.rotation = turn_from_y(plane.normal), .translation = plane.point}};
}

Placed place(const SphereShape& sphere, const std::string& key) {
  check_vector(key + ".center", sphere.center);
  check_number(key + ".radius", sphere.radius, Bound::positive());
  return {shapes::Sphere{sphere.radius}, {.translation = sphere.center}};
}

Placed place(const BoxShape& box, const std::string& key) {
  check_vector(key + ".center", box.center);
  check_vector(key + ".size", box.size, Bound::positive());
  check_vector(key + ".turn", box.turn);
  const double angle = box.turn.norm();
  Pose pose{.translation = box.center};
  if (angle > 0) pose.rotation = Eigen::AngleAxisd(angle, box.turn / angle).toRotationMatrix();
  return {shapes::Box{box.size / 2}, pose};
}

Placed place(const CapsuleShape& capsule, const std::string& key) {
  check_vector(key + ".a", capsule.a);
  check_vector(key + ".b", capsule.b);
  check_number(key + ".radius", capsule.radius, Bound::positive());
  const Vec3 along = capsule.b - capsule.a;
  Pose pose{.translation = (capsule.a + capsule.b) / 2};
  if (!along.isZero(0)) pose.rotation = turn_from_y(along);
  return {shapes::Capsule{.half_length = along.norm() / 2, .radius = capsule.radius}, pose};
}

Placed place(const MeshShape& mesh, const std::string& key) { return {TriangleShape(mesh.mesh, key + ".mesh")}; }

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

ColliderId add(Model& model, const ColliderOptions& options, Placed placed) {
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
  if (law.thickness > 0 && !law.has_planes() && placed.shape.has_dents())
    throw InputError({.key = options.name + ".thickness",
                      .value = fmt::format("{}", law.thickness),
                      .problem = "must be 0 around a mesh with dents, where the distance has creases",
                      .advice = "or choose law = \"spring\""});
  const auto recommend = [height = options.drop_height, h = options.explicit_step](
                             const Model& of, const std::vector<BodyId>& felt, const AnyShape& shape,
                             const Pose& pose) {
    return recommended_stiffness(
        of,
        {.bodies = felt, .drop_height = height > 0 ? height : drop_height(of, felt, shape, pose), .explicit_step = h});
  };
  const bool is_recommended = law.stiffness == 0;
  if (is_recommended && !bodies.empty()) law.stiffness = recommend(model, bodies, placed.shape, placed.pose);
  auto contact =
      std::make_unique<ColliderContact>(std::move(placed.shape), law, std::move(vertices), placed.pose, options.motion);
  ColliderContact& added = *contact;
  const EnergyId energy = model.add_free(std::move(contact));
  const ColliderId id = model.new_collider();
  auto collider = std::make_unique<PenaltyCollider>(id, options.name, energy, added);
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
  return std::visit([&](const auto& shape) { return add(model, options, place(shape, key)); }, options.shape);
}

Renumbering remove_collider(Model& model, ColliderId collider) {
  const AnyCollider& support = find_support<AnyCollider>(model, collider, "collider");
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
