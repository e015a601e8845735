#include "experiments/wire_scenarios.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "brio/contact.h"
#include "model/wire.h"

namespace brio {
namespace {

/// R, P and Q of a point.
std::vector<int> corners(int point) { return {3 * point, 3 * point + 1, 3 * point + 2}; }

double length_of(const Mesh& curve) {
  double sum = 0;
  for (const Segment& s : curve.segments) sum += (curve.vertices[s[1]] - curve.vertices[s[0]]).norm();
  return sum;
}

/// Straight at rest, laid along the curve at the start.
struct LaidWire {
  Model model;
  BodyId body{};
  State start;
};
LaidWire lay(WireOptions options, const Mesh& curve) {
  options.mesh = make_line({.length = length_of(curve), .segments = static_cast<int>(curve.segments.size())});
  LaidWire laid;
  laid.body = laid.model.add(options);
  laid.start = laid.model.rest_state();
  const Wire shape = make_wire(options.name, curve, options.radius);
  for (std::size_t i = 0; i < shape.mesh.vertices.size(); ++i) laid.start.x[i] = shape.mesh.vertices[i];
  return laid;
}

/// Half of a layer in the plane y = 0, one cell of which is missing: the second from the edge that faces the other
/// half.
struct Half {
  Mesh mesh;
  std::array<int, 4> hole;
  std::vector<int> outer_edge;
};
Half half_layer(double side) {
  constexpr double width = 0.12, depth = 0.105, gap = 0.02;  // m
  constexpr int columns = 8, rows = 7;
  Half half;
  const auto id = [](int i, int j) { return j * (columns + 1) + i; };
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i)
      half.mesh.vertices.emplace_back(side * (gap / 2 + width * i / columns), 0, depth * (double(j) / rows - 0.5));
  for (int j = 0; j < rows; ++j) {
    half.outer_edge.push_back(id(columns, j));
    for (int i = 0; i < columns; ++i) {
      const std::array<int, 4> cell{id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)};
      if (i == 1 && j == rows / 2) {
        half.hole = cell;
        continue;
      }
      half.mesh.triangles.push_back({cell[0], cell[1], cell[2]});
      half.mesh.triangles.push_back({cell[0], cell[2], cell[3]});
    }
  }
  half.outer_edge.push_back(id(columns, rows));
  return half;
}

}  // namespace

std::vector<Vec3> WireScenario::curve() const {
  const Body& body = simulation.model().body(wire);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < body.mesh.vertices.size(); i += 3)
    points.emplace_back(simulation.state().x[static_cast<std::size_t>(body.first_vertex) + i]);
  return points;
}

StepReport WireScenario::run(double seconds) {
  return simulation.step(static_cast<int>(std::lround(seconds / simulation.h())));
}

WireScenario tightened_knot(bool quick) {
  const int segments = quick ? 64 : 96;
  const Mesh curve = make_overhand_knot({.size = 0.25, .tail = 0.3, .segments = segments});
  LaidWire rope = lay({.name = "rope", .radius = 0.01, .stiffness = 1000, .volume = 0.1, .mass = 0.1}, curve);
  const Vec3 span = curve.vertices.front() - curve.vertices.back();
  constexpr double taken_up = 0.22;  // m, by a tight knot of a rope 2 cm thick
  const Vec3 pull = 0.5 * (length_of(curve) - span.norm() - taken_up) * span.normalized();
  rope.model.pin(rope.body, corners(0), {.keys = {{0}, {2, pull}}});
  rope.model.pin(rope.body, corners(segments), {.keys = {{0}, {2, -pull}}});
  rope.model.set_damping({.relative = 8});
  add_self_contact(rope.model, {.stiffness = 2000, .friction = 0.3});
  return {"tightened-knot", "an overhand knot is tightened to a stopper and held",
          Simulation(std::move(rope.model), std::move(rope.start), {.h = 1e-4}), rope.body, quick ? 3.0 : 18.0};
}

WireScenario unknotting_cable(bool quick) {
  const int segments = quick ? 48 : 80;
  const Mesh curve = make_overhand_knot({.size = 0.25, .tail = 0.1, .segments = segments});
  LaidWire cable = lay({.name = "cable", .radius = 0.01, .stiffness = 1500, .volume = 0.15, .mass = 0.1}, curve);
  cable.model.set_damping({.relative = 1});
  add_self_contact(cable.model, {.stiffness = 2000});
  return {"unknotting-cable", "a springy cable undoes its loose knot",
          Simulation(std::move(cable.model), std::move(cable.start), {.h = 1e-4}), cable.body, quick ? 2.0 : 3.0};
}

WireScenario twisted_hose(bool quick) {
  const int segments = quick ? 40 : 64;
  Model model;
  const BodyId hose = model.add(WireOptions{.name = "hose",
                                            .mesh = make_line({.length = 1, .segments = segments}),
                                            .radius = 0.012,
                                            .stiffness = 400,
                                            .volume = 0.06,
                                            .torsion = 1e-3,
                                            .mass = 0.2});
  const Vec3 twist(2 * std::numbers::pi * 4, 0, 0);
  model.pin(hose, corners(0));
  model.pin(hose, corners(segments),
            {.keys = {{0}, {1, Vec3::Zero(), twist}, {2.5, Vec3(-0.45, 0, 0), twist}}, .center = Vec3(0.5, 0, 0)});
  model.set_gravity({0, -0.2, 0});  // so little that it only decides to which side the hose gives way
  model.set_damping({.relative = 3});
  add_self_contact(model, {.stiffness = 2000});
  return {"twisted-hose", "a twisted hose whose ends approach coils up", Simulation(std::move(model), {.h = 2e-4}),
          hose, quick ? 3.0 : 4.0};
}

Suture suture(bool quick) {
  const int segments = quick ? 48 : 72;
  const Half left = half_layer(-1), right = half_layer(1);
  const auto middle = [](const Half& half) -> Vec3 {
    return 0.5 * (half.mesh.vertices[half.hole[0]] + half.mesh.vertices[half.hole[2]]);
  };
  const Vec3 entry = middle(left), exit = middle(right);
  Mesh line = make_line({.length = 0.5, .segments = segments});
  for (Vec3& p : line.vertices) p = entry + Vec3(0, 0.02 + 0.25 + p[0], 0);  // upright above the hole, the needle below
  Model model;
  const BodyId thread = model.add(WireOptions{.name = "thread",
                                              .mesh = line,
                                              .radius = 0.002,
                                              .stiffness = 200,
                                              .volume = 2.4e-4,
                                              .torsion = 1e-6,
                                              .mass = 0.02});
  for (const Half* half : {&left, &right}) {
    const BodyId body = model.add(ClothOptions{
        .name = half == &left ? "left" : "right", .mesh = half->mesh, .stretch = 40, .bend = 2, .mass = 0.03});
    model.pin(body, half->outer_edge);
    std::vector<Attachment> bed;  // what lies beneath holds the layer in place, softly
    bed.reserve(half->mesh.vertices.size());
    for (int v = 0; v < static_cast<int>(half->mesh.vertices.size()); ++v)
      bed.push_back({.vertex = v, .point = half->mesh.vertices[v], .stiffness = 0.5});
    model.attach(body, bed);
  }
  const Vec3 across = exit - entry;
  const Vec3 down(0, -0.06, 0), through(0, 0.06, 0), taut(0, 0.42, 0);
  constexpr double tight_from = 1.6, tight = 3;  // s
  model.pin(thread, std::vector<int>{0},         // the eye of the needle, in which the thread turns freely
            {.keys = {{0}, {0.5, down}, {1, down + across}, {tight_from, through + across}, {tight, taut + across}}});
  model.pin(thread, corners(segments), {.keys = {{0}, {tight_from, Vec3(0, -0.32, 0)}}});
  model.set_damping({.relative = 6});
  add_self_contact(model, {.stiffness = 300, .friction = 0.1});
  return {.scenario = {"suture", "a thread is led through a severed layer and tightened",
                       Simulation(std::move(model), {.h = 1e-4}), thread, quick ? tight : 3.4},
          .tight_from = tight_from,
          .holes = {left.hole, right.hole}};
}

Vec3 Suture::rim(int half, int corner) const {
  const auto& bodies = scenario.simulation.model().bodies();
  const Body& body = bodies[scenario.simulation.model().index(scenario.wire) + 1 + static_cast<std::size_t>(half)];
  const int vertex = holes[static_cast<std::size_t>(half)][static_cast<std::size_t>(corner % 4)];
  return scenario.simulation.state().x[static_cast<std::size_t>(body.first_vertex) + static_cast<std::size_t>(vertex)];
}

Vec3 Suture::hole(int half) const { return 0.25 * (rim(half, 0) + rim(half, 1) + rim(half, 2) + rim(half, 3)); }

int Suture::passes(int half) const {
  const Vec3 center = hole(half);
  const std::vector<Vec3> points = scenario.curve();
  // Volumes tell on which side of a triangle, and of its edges, a segment passes.
  const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return (b - a).cross(c - a).dot(d - a);
  };
  int count = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      const Vec3 &p = points[i], &q = points[i + 1];
      const Vec3 b = rim(half, k), c = rim(half, k + 1);
      if ((volume(center, b, c, p) > 0) == (volume(center, b, c, q) > 0)) continue;
      const bool first = volume(p, q, center, b) > 0, second = volume(p, q, b, c) > 0;
      if (first == second && second == (volume(p, q, c, center) > 0)) ++count;
    }
  return count;
}

}  // namespace brio
