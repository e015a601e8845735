#include "model/body_checks.h"

#include <fmt/format.h>

#include <numeric>

namespace brio {
namespace {

template <class Cells>
void check_indices(const std::string& body, const char* kind, const Cells& cells, std::size_t vertices) {
  for (std::size_t e = 0; e < cells.size(); ++e)
    for (const int v : cells[e])
      if (v < 0 || static_cast<std::size_t>(v) >= vertices)
        throw InputError(
            {.key = fmt::format("{}.mesh", body),
             .problem = fmt::format("{} {} refers to vertex {}, but there are {} vertices", kind, e, v, vertices)});
}

}  // namespace

void check_number(const std::string& key, double value, const Bound& bound) {
  if (!bound.contains(value))
    throw InputError({.key = key, .value = fmt::format("{}", value), .problem = bound.text()});
}

void check_cells(const std::string& body, const Mesh& mesh) {
  if (mesh.vertices.empty()) throw InputError({.key = body + ".mesh", .problem = "has no vertices"});
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (!mesh.vertices[i].allFinite())
      throw InputError({.key = body + ".mesh", .problem = fmt::format("vertex {} is not finite", i)});
  check_indices(body, "tetrahedron", mesh.tets, mesh.vertices.size());
  check_indices(body, "triangle", mesh.triangles, mesh.vertices.size());
  check_indices(body, "segment", mesh.segments, mesh.vertices.size());
}

void check_vertex(const Body& body, int vertex) {
  const auto count = static_cast<int>(body.mesh.vertices.size());
  if (vertex < 0 || vertex >= count)
    throw InputError({.key = body.name + ".vertex",
                      .value = fmt::format("{}", vertex),
                      .problem = fmt::format("must be in [0, {}]", count - 1)});
}

std::vector<double> spread_mass(double total, std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight *= total / sum;
  return weights;
}

}  // namespace brio
