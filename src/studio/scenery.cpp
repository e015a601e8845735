#include "studio/scenery.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "model/stress.h"

namespace brio::studio {
namespace {

template <class Cells>
Json flat(const Cells& cells) {
  Json list = Json::array();
  for (const auto& cell : cells)
    for (const int v : cell) list.push_back(v);
  return list;
}

Json flat_points(const std::vector<Vec3>& points) {
  Json list = Json::array();
  for (const Vec3& p : points)
    for (int c = 0; c < 3; ++c) list.push_back(static_cast<float>(p[c]));
  return list;
}

double signed_volume(const std::array<Vec3, 4>& p) { return (p[1] - p[0]).cross(p[2] - p[0]).dot(p[3] - p[0]); }

/// Means over the elements around each vertex of the body; inverted ones count where there is any.
std::vector<double> of_elements(const Model& model, const Body& body, const NodalField& x, Coloring coloring) {
  std::vector<double> sums(body.mesh.vertices.size()), counts(sums.size());
  const bool inverted = coloring == Coloring::inverted;
  const std::vector<ElementStress> stresses =
      inverted ? std::vector<ElementStress>{} : element_stresses(model, body, x);
  if (!inverted && stresses.empty()) return sums;
  for (std::size_t e = 0; e < body.mesh.tets.size(); ++e) {
    double number = 0;
    if (inverted) {
      std::array<Vec3, 4> now, rest;
      for (std::size_t a = 0; a < 4; ++a) {
        const auto v = static_cast<std::size_t>(body.mesh.tets[e][a]);
        now[a] = x[static_cast<std::size_t>(body.first_vertex) + v];
        rest[a] = body.mesh.vertices[v];
      }
      number = signed_volume(now) * signed_volume(rest) < 0 ? 1 : 0;
    } else {
      number = coloring == Coloring::energy ? stresses[e].psi : stresses[e].von_mises();
    }
    for (const int v : body.mesh.tets[e]) {
      const auto i = static_cast<std::size_t>(v);
      if (inverted) {
        sums[i] = std::max(sums[i], number);
      } else {
        sums[i] += number;
        ++counts[i];
      }
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (counts[i] > 0) sums[i] /= counts[i];
  return sums;
}

std::vector<double> colors(const Model& model, const Body& body, const State& state, Coloring coloring) {
  if (coloring != Coloring::speed) return of_elements(model, body, state.x, coloring);
  std::vector<double> speeds(body.mesh.vertices.size());
  for (std::size_t i = 0; i < speeds.size(); ++i)
    speeds[i] = state.v[static_cast<std::size_t>(body.first_vertex) + i].norm();
  return speeds;
}

float finite(double number) {
  constexpr double largest = 1e30;
  return std::isfinite(number) ? static_cast<float>(std::clamp(number, -largest, largest)) : 0.0F;
}

}  // namespace

Json shapes_json(const Scene& scene) {
  Json bodies = Json::array();
  const Model& model = scene.simulation.model();
  for (std::size_t b = 0; b < scene.scenery.surfaces.size(); ++b) {
    const Surface& s = scene.scenery.surfaces[b];
    const Body& body = model.bodies()[b];
    std::vector<Vec3> rest;
    Json pinned = Json::array();
    double mass = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
      const std::size_t v = s.first_vertex + static_cast<std::size_t>(s.vertices[i]);
      rest.emplace_back(model.rest()[v]);
      if (model.pinned()[v] != 0) pinned.push_back(i);
    }
    for (std::size_t v = s.first_vertex; v < s.first_vertex + s.body_vertices; ++v) mass += model.mass()[v];
    bodies.push_back({{"name", s.name},
                      {"kind", s.kind},
                      {"vertices", s.vertices},
                      {"triangles", flat(s.triangles)},
                      {"segments", flat(s.segments)},
                      {"curve", s.curve},
                      {"radius", s.radius},
                      {"color", s.painted ? Json(s.color) : Json()},
                      {"mass", mass},
                      {"elements", body.mesh.tets.size()},
                      {"rest", flat_points(rest)},
                      {"pinned", std::move(pinned)}});
  }
  Json obstacles = Json::array();
  for (const Obstacle& o : scene.scenery.obstacles)
    obstacles.push_back({{"name", o.name},
                         {"endless", o.endless},
                         {"vertices", flat_points(o.vertices_at(0))},
                         {"triangles", flat(o.triangles)},
                         {"pose", pose_json(o, 0, Vec3::Zero())}});
  return {{"bodies", std::move(bodies)}, {"obstacles", std::move(obstacles)}};
}

Json pose_json(const Obstacle& obstacle, double time, const Vec3& moved) {
  const Pose pose =
      moved.isZero(0) ? obstacle.at(time) : Pose{obstacle.pose.rotation, obstacle.pose.translation + moved};
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) rows.push_back(static_cast<float>(pose.rotation(i, j)));
    rows.push_back(static_cast<float>(pose.translation[i]));
  }
  return rows;
}

void append_floats(const Pane& pane, Coloring coloring, std::vector<float>& floats) {
  const State& state = pane.simulation().state();
  for (const Surface& s : pane.scene().scenery.surfaces)
    for (const int v : s.vertices)
      for (int c = 0; c < 3; ++c) floats.push_back(finite(state.x[s.first_vertex + static_cast<std::size_t>(v)][c]));
  if (coloring == Coloring::none) return;
  const Model& model = pane.simulation().model();
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const std::vector<double> numbers = colors(model, model.bodies()[b], state, coloring);
    for (const int v : pane.scene().scenery.surfaces[b].vertices)
      floats.push_back(finite(numbers[static_cast<std::size_t>(v)]));
  }
}

std::string frame_message(const Json& head, const std::vector<float>& floats) {
  static_assert(std::endian::native == std::endian::little, "floats travel as they are in memory");
  std::string json = head.dump(-1, ' ', true, Json::error_handler_t::replace);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const auto length = static_cast<std::uint32_t>(json.size());
  std::string bytes = "BRS1";
  bytes.resize(8 + json.size() + floats.size() * sizeof(float));
  std::memcpy(bytes.data() + 4, &length, sizeof length);
  std::memcpy(bytes.data() + 8, json.data(), json.size());
  if (!floats.empty()) std::memcpy(bytes.data() + 8 + json.size(), floats.data(), floats.size() * sizeof(float));
  return bytes;
}

}  // namespace brio::studio
