#include "record/surfaces.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace brio {
namespace {

/// Told apart by most eyes, in linear light. [Wong 2011, "Points of view: Color blindness", without black]
constexpr std::array<std::array<float, 3>, 7> palette{{{0.0f, 0.168f, 0.445f},
                                                       {0.791f, 0.347f, 0.0f},
                                                       {0.0f, 0.342f, 0.171f},
                                                       {0.665f, 0.112f, 0.0f},
                                                       {0.604f, 0.191f, 0.386f},
                                                       {0.092f, 0.456f, 0.815f},
                                                       {0.871f, 0.776f, 0.054f}}};

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Names that Windows gives to devices, whatever comes after a dot.
bool is_reserved(const std::string& lower) {
  constexpr std::array devices{"con", "prn", "aux", "nul"};
  const bool port = lower.size() == 4 && (lower.starts_with("com") || lower.starts_with("lpt")) &&
                    std::isdigit(static_cast<unsigned char>(lower[3])) != 0;
  return port || std::ranges::count(devices, lower) > 0;
}

/// Files are called after it, so that it is short, and different from others also where capitals do not count.
std::string identifier(const std::string& name, std::set<std::string>& taken) {
  constexpr std::size_t max_bytes = 120;
  std::string id;
  for (const char c : name.substr(0, max_bytes)) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (id.empty() || std::isdigit(static_cast<unsigned char>(id[0])) != 0 || is_reserved(lower_case(id)))
    id = "body_" + id;
  std::string unique = id;
  for (int i = 2; !taken.insert(lower_case(unique)).second; ++i) unique = fmt::format("{}_{}", id, i);
  return unique;
}

template <std::size_t N>
std::vector<int> used_vertices(const std::vector<std::array<int, N>>& cells, std::size_t vertices) {
  std::vector<char> used(vertices);
  for (const auto& cell : cells)
    for (const int v : cell) used[static_cast<std::size_t>(v)] = 1;
  std::vector<int> list;
  for (std::size_t i = 0; i < vertices; ++i)
    if (used[i] != 0) list.push_back(static_cast<int>(i));
  return list;
}

std::vector<Triangle> renumbered(std::vector<Triangle> triangles, const std::vector<int>& vertices) {
  for (Triangle& t : triangles)
    for (int& v : t) v = static_cast<int>(std::ranges::lower_bound(vertices, v) - vertices.begin());
  return triangles;
}

std::vector<int> all_vertices(std::size_t count) {
  std::vector<int> list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = static_cast<int>(i);
  return list;
}

/// A hundredth of the largest extent: particles have no size of their own.
float shown_radius(const Mesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : mesh.vertices) box.extend(p);
  const double extent = box.sizes().maxCoeff();
  return extent > 0 ? static_cast<float>(0.01 * extent) : 0.01f;
}

Vec3 corner(const std::vector<float>& xyz, int vertex) {
  const float* p = xyz.data() + 3 * static_cast<std::size_t>(vertex);
  return {p[0], p[1], p[2]};
}

}  // namespace

std::vector<Surface> surfaces(const Model& model) {
  std::vector<Surface> list;
  std::set<std::string> taken;
  for (const Body& body : model.bodies()) {
    Surface s{.name = body.name, .id = identifier(body.name, taken), .kind = to_string(body.kind)};
    const Mesh& mesh = body.mesh;
    s.first_vertex = static_cast<std::size_t>(body.first_vertex);
    s.body_vertices = mesh.vertices.size();
    s.color = palette[list.size() % palette.size()];
    const std::vector<Triangle> triangles = mesh.tets.empty() ? mesh.triangles : surface(mesh);
    s.vertices =
        body.kind == BodyKind::solid ? used_vertices(triangles, s.body_vertices) : all_vertices(s.body_vertices);
    s.triangles = renumbered(triangles, s.vertices);
    if (body.kind == BodyKind::wire) {  // every third vertex is on the curve, the two after it a radius away
      for (std::size_t i = 0; i < s.body_vertices; i += 3) s.curve.push_back(static_cast<int>(i));
      s.radius = static_cast<float>((mesh.vertices[1] - mesh.vertices[0]).norm());
    }
    if (body.kind == BodyKind::particles) {
      s.segments = mesh.segments;
      s.radius = shown_radius(mesh);
    }
    list.push_back(std::move(s));
  }
  return list;
}

Pose Obstacle::at(double time) const {
  const Pose moved = motion.at(time);
  return {.rotation = moved.rotation * pose.rotation, .translation = moved.apply(pose.translation)};
}

std::vector<Vec3> Obstacle::vertices_at(double time) const {
  if (samples.empty()) return vertices;
  const auto next = std::ranges::upper_bound(samples, time, {}, &Sample::time);
  if (next == samples.begin()) return samples.front().vertices;
  if (next == samples.end()) return samples.back().vertices;
  const Sample& last = *std::prev(next);
  const double part = (time - last.time) / (next->time - last.time);
  std::vector<Vec3> places = last.vertices;
  for (std::size_t k = 0; k < places.size(); ++k) places[k] += part * (next->vertices[k] - places[k]);
  return places;
}

void read_positions(const FrameCache& frames, long frame, const Surface& surface, std::vector<float>& scratch,
                    std::vector<float>& xyz) {
  frames.read_positions(frame, surface.first_vertex, surface.body_vertices, scratch);
  xyz.resize(3 * surface.size());
  for (std::size_t i = 0; i < surface.size(); ++i)
    std::copy_n(scratch.data() + 3 * static_cast<std::size_t>(surface.vertices[i]), 3, xyz.data() + 3 * i);
}

void vertex_normals(const Surface& surface, const std::vector<float>& xyz, std::vector<float>& normals) {
  std::vector<Vec3> sum(surface.size(), Vec3::Zero());
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 area = (corner(xyz, b) - corner(xyz, a)).cross(corner(xyz, c) - corner(xyz, a));
    for (const int v : {a, b, c}) sum[static_cast<std::size_t>(v)] += area;
  }
  normals.resize(xyz.size());
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const double length = sum[i].norm();
    const Vec3 unit = length > 0 ? Vec3(sum[i] / length) : Vec3(0, 1, 0);
    for (int c = 0; c < 3; ++c) normals[3 * i + static_cast<std::size_t>(c)] = static_cast<float>(unit[c]);
  }
}

Extent bounds(const std::vector<float>& xyz) {
  Extent box;
  if (xyz.empty()) return box;
  for (std::size_t c = 0; c < 3; ++c) box.low[c] = box.high[c] = xyz[c];
  for (std::size_t i = 0; i < xyz.size(); ++i) {
    box.low[i % 3] = std::min(box.low[i % 3], xyz[i]);
    box.high[i % 3] = std::max(box.high[i % 3], xyz[i]);
  }
  return box;
}

}  // namespace brio
