#include "contact/obstacle.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "contact/placed_shape.h"
#include "mesh/topology.h"

namespace brio {
namespace {

/// The stretch between two samples in which a time lies: of the first and the second, and how far from one to the next.
struct Between {
  std::size_t first = 0, second = 0;
  double part = 0;
  double length = 0;  ///< [s]; 0: held
};
Between find(const std::vector<MeshShape::Sample>& samples, double time, Side side) {
  const auto is_past = [&](const MeshShape::Sample& sample) {
    return side == Side::after ? sample.time <= time : sample.time < time;
  };
  const auto next = static_cast<std::size_t>(std::ranges::count_if(samples, is_past));
  if (next == 0) return {};
  if (next == samples.size()) return {.first = next - 1, .second = next - 1};
  const double from = samples[next - 1].time, length = samples[next].time - from;
  return {.first = next - 1, .second = next, .part = (time - from) / length, .length = length};
}

void take_triangles(ContactObstacle& obstacle, const std::vector<Vec3>& points,
                    const std::vector<Triangle>& triangles) {
  obstacle.points = points;
  obstacle.surface.triangles = triangles;
  // Within a face there is nothing that an edge could meet and its triangles do not.
  constexpr double flat = 1e-12;
  const auto normal = [&](int t) {
    const Triangle& v = triangles[static_cast<std::size_t>(t)];
    return (points[v[1]] - points[v[0]]).cross(points[v[2]] - points[v[0]]).normalized();
  };
  for_each_run(sorted_edges(triangles), [&](auto first, auto last) {
    const bool is_flat = last - first == 2 && normal(first->cell / 3).dot(normal((first + 1)->cell / 3)) > 1 - flat;
    if (!is_flat || obstacle.deforms()) obstacle.surface.edges.push_back(first->key);
  });
}

struct Build {
  const ColliderOptions& options;
  ContactObstacle& obstacle;

  void operator()(const PlaneShape&) const {
    obstacle.points = {Vec3::Zero(), Vec3::UnitZ(), Vec3::UnitX()};  // whose normal is y
    obstacle.surface.is_plane = true;
  }
  void operator()(const SphereShape& sphere) const {
    obstacle.points = {Vec3::Zero()};
    obstacle.surface.core = sphere.radius;
  }
  void operator()(const CapsuleShape& capsule) const {
    const Vec3 half(0, (capsule.b - capsule.a).norm() / 2, 0);
    obstacle.points = {-half, half};
    obstacle.surface.is_line = true;
    obstacle.surface.edges = {{0, 1}};
    obstacle.surface.core = capsule.radius;
  }
  void operator()(const BoxShape& box) const {
    std::vector<Vec3> corners;
    for (int corner = 0; corner < 8; ++corner)
      corners.push_back(
          box.size.cwiseProduct(Vec3((corner & 1) - 0.5, (corner >> 1 & 1) - 0.5, (corner >> 2 & 1) - 0.5)));
    take_triangles(obstacle, corners,
                   {{0, 2, 3},
                    {0, 3, 1},
                    {4, 5, 7},
                    {4, 7, 6},
                    {0, 1, 5},
                    {0, 5, 4},
                    {2, 6, 7},
                    {2, 7, 3},
                    {0, 4, 6},
                    {0, 6, 2},
                    {1, 3, 7},
                    {1, 7, 5}});
  }
  void operator()(const MeshShape& shape) const {
    require_valid_indices(shape.mesh);
    const std::vector<Triangle> triangles =
        shape.mesh.triangles.empty() ? brio::surface(shape.mesh) : shape.mesh.triangles;
    if (triangles.empty()) refuse("mesh", "", "has neither triangles nor tets");
    for (const Vec3& vertex : shape.mesh.vertices) check_vector(options.name + ".mesh", vertex);
    double last = -std::numeric_limits<double>::infinity();
    for (const MeshShape::Sample& sample : shape.samples) {
      if (!(sample.time > last)) refuse("samples", fmt::format("{} s", sample.time), "times must ascend");
      last = sample.time;
      if (sample.vertices.size() != shape.mesh.vertices.size())
        refuse("samples", fmt::format("{} vertices", sample.vertices.size()), "must be as many as the mesh has");
      for (const Vec3& vertex : sample.vertices) check_vector(options.name + ".samples", vertex);
    }
    obstacle.samples = shape.samples;
    take_triangles(obstacle, shape.mesh.vertices, triangles);
  }

  [[noreturn]] void refuse(const char* key, const std::string& value, const char* problem) const {
    throw InputError({.key = options.name + "." + key, .value = value, .problem = problem});
  }
};

}  // namespace

Pose ContactObstacle::pose_at(double time) const {
  if (motion.empty()) return pose;
  const Pose moved = motion.at(time);
  return {.rotation = moved.rotation * pose.rotation, .translation = moved.apply(pose.translation)};
}

void ContactObstacle::places_at(double time, std::vector<Vec3>& places) const {
  const Pose at = pose_at(time);
  places.resize(points.size());
  const Between between = deforms() ? find(samples, time, Side::after) : Between{};
  for (std::size_t k = 0; k < points.size(); ++k) {
    Vec3 p = points[k];
    if (deforms()) {
      const Vec3 &a = samples[between.first].vertices[k], &b = samples[between.second].vertices[k];
      p = a + between.part * (b - a);
    }
    places[k] = at.apply(p);
  }
}

void ContactObstacle::handles_at(double time, std::vector<Vec3>& q) const {
  if (deforms()) return places_at(time, q);
  q.resize(handles());
  const Pose at = pose_at(time);
  q[0] = at.translation;
  for (int c = 0; c < 3; ++c) q[1 + c] = at.rotation.col(c);
}

void ContactObstacle::handle_rates_at(double time, Side side, std::vector<Vec3>& rates) const {
  handles_at(time, rates);
  const PoseRate rate = motion.rate(time, side);
  if (!deforms()) {
    rates[0] = rate.at(rates[0]);
    for (int c = 0; c < 3; ++c) rates[1 + c] = rate.angular.cross(rates[1 + c]);
    return;
  }
  const Between between = find(samples, time, side);
  const Mat3 turn = pose_at(time).rotation;
  for (std::size_t k = 0; k < points.size(); ++k) {
    rates[k] = rate.at(rates[k]);
    if (between.length > 0)
      rates[k] += turn * (samples[between.second].vertices[k] - samples[between.first].vertices[k]) / between.length;
  }
}

void ContactObstacle::add_force(std::size_t k, const Vec3& force, Vec3* handles) const {
  if (deforms()) {
    handles[k] += force;
    return;
  }
  handles[0] += force;
  for (int c = 0; c < 3; ++c) handles[1 + c] += points[k][c] * force;
}

ContactObstacle make_obstacle(const ColliderOptions& options, double thickness) {
  ContactObstacle obstacle{.name = options.name,
                           .bodies = options.bodies,
                           .motion = options.motion,
                           .friction = options.friction,
                           .stiffness = options.stiffness,
                           .explicit_step = options.explicit_step};
  std::visit(Build{options, obstacle}, options.shape);
  obstacle.pose = pose_of(options.shape, options.name);
  std::vector<int>& on_surface = obstacle.surface.points;
  for (const Triangle& t : obstacle.surface.triangles) on_surface.insert(on_surface.end(), t.begin(), t.end());
  for (std::size_t k = 0; obstacle.surface.triangles.empty() && k < obstacle.points.size(); ++k)
    on_surface.push_back(static_cast<int>(k));
  if (const double core = obstacle.surface.core; core > 0) {
    obstacle.first_of_frame = static_cast<int>(obstacle.points.size());
    for (const Vec3& axis : {Vec3(0, 0, 0), Vec3(core, 0, 0), Vec3(0, core, 0), Vec3(0, 0, core)})
      obstacle.points.push_back(axis);
  }
  std::ranges::sort(on_surface);
  on_surface.erase(std::unique(on_surface.begin(), on_surface.end()), on_surface.end());
  obstacle.surface.half_thickness = thickness;
  return obstacle;
}

}  // namespace brio
