#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mesh/topology.h"

namespace brio {
namespace {

[[noreturn]] void refuse(const char* key, const std::string& value, const std::string& problem) {
  throw InputError({.key = key, .value = value, .problem = problem});
}

std::string text(const Vec3& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }

template <class Inside>
std::vector<int> vertices_where(const Mesh& mesh, Inside inside) {
  std::vector<int> chosen;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (inside(mesh.vertices[v])) chosen.push_back(static_cast<int>(v));
  return chosen;
}

void sort_unique(std::vector<int>& vertices) {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
}

struct Selector {
  const Mesh& mesh;

  std::vector<int> operator()(const InBox& box) const {
    if (!(box.low.array() <= box.high.array()).all())
      refuse("box", fmt::format("[{}, {}]", text(box.low), text(box.high)),
             "the first corner must not exceed the second");
    return vertices_where(
        mesh, [&](const Vec3& p) { return (p.array() >= box.low.array() && p.array() <= box.high.array()).all(); });
  }

  std::vector<int> operator()(const InSphere& sphere) const {
    if (!sphere.center.allFinite()) refuse("sphere", text(sphere.center), "the center must be finite");
    if (!(sphere.radius >= 0)) refuse("sphere", fmt::format("{}", sphere.radius), "the radius must be >= 0");
    return vertices_where(mesh, [&](const Vec3& p) { return (p - sphere.center).norm() <= sphere.radius; });
  }

  std::vector<int> operator()(const BeyondPlane& plane) const {
    if (!plane.point.allFinite()) refuse("plane", text(plane.point), "the point must be finite");
    if (!plane.normal.allFinite() || plane.normal.isZero(0))
      refuse("plane", text(plane.normal), "the normal must be finite and not zero");
    // By a power of two, which is exact: what lies on the plane to the last bit does so with any length of the normal.
    const int exponent = std::ilogb(plane.normal.cwiseAbs().maxCoeff());
    const Vec3 normal = plane.normal.unaryExpr([&](double n) { return std::scalbn(n, -exponent); });
    return vertices_where(mesh, [&](const Vec3& p) { return (p - plane.point).dot(normal) >= 0; });
  }

  std::vector<int> operator()(const ByIndex& list) const {
    for (const int v : list.vertices)
      if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size())
        refuse("vertices", fmt::format("{}", v), fmt::format("no such vertex; the mesh has {}", mesh.vertices.size()));
    std::vector<int> chosen = list.vertices;
    sort_unique(chosen);
    return chosen;
  }

  std::vector<int> operator()(const OnBoundary&) const {
    require_valid_indices(mesh);
    std::vector<int> chosen;
    if (!mesh.tets.empty()) {
      for (const Triangle& t : surface(mesh)) chosen.insert(chosen.end(), t.begin(), t.end());
    } else if (!mesh.triangles.empty()) {
      for_each_run(sorted_edges(mesh.triangles), [&](auto first, auto last) {
        if (last - first == 1) chosen.insert(chosen.end(), first->key.begin(), first->key.end());
      });
    } else {
      std::vector<int> uses(mesh.vertices.size());
      for (const Segment& s : mesh.segments)
        for (const int v : s) ++uses[v];
      for (std::size_t v = 0; v < uses.size(); ++v)
        if (uses[v] == 1) chosen.push_back(static_cast<int>(v));
    }
    sort_unique(chosen);
    return chosen;
  }
};

}  // namespace

std::vector<int> select(const Mesh& mesh, const Selection& selection) { return std::visit(Selector{mesh}, selection); }

}  // namespace brio
