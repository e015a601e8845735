#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "mesh/topology.h"

namespace brio {
namespace {

/// Two triangles that share an edge no third one has, and whether they run along it the same way, as neighbors on an
/// oriented surface must not.
struct Neighbor {
  int triangle;
  bool same_way;
};

struct Adjacency {
  std::vector<std::vector<Neighbor>> of;
  std::vector<bool> on_rim;  ///< the triangle has an edge without exactly one neighbor
};

Adjacency adjacency(const std::vector<Triangle>& triangles) {
  Adjacency result{std::vector<std::vector<Neighbor>>(triangles.size()), std::vector<bool>(triangles.size())};
  for_each_run(sorted_edges(triangles), [&](auto first, auto last) {
    if (last - first != 2) {
      for (; first != last; ++first) result.on_rim[first->cell / 3] = true;
      return;
    }
    const int a = first->cell / 3;
    const int b = (first + 1)->cell / 3;
    const bool same_way = triangles[a][first->cell % 3] == triangles[b][(first + 1)->cell % 3];
    result.of[a].push_back({b, same_way});
    result.of[b].push_back({a, same_way});
  });
  return result;
}

void orient_triangles(const std::vector<Vec3>& x, std::vector<Triangle>& triangles) {
  const Adjacency neighbors = adjacency(triangles);
  enum State : char { unseen, kept, flipped };
  std::vector<State> state(triangles.size(), unseen);
  std::vector<int> piece;
  for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
    if (state[seed] != unseen) continue;
    state[seed] = kept;
    piece.assign(1, static_cast<int>(seed));
    bool closed = true;
    for (std::size_t at = 0; at < piece.size(); ++at) {
      const int t = piece[at];
      closed = closed && !neighbors.on_rim[t];
      for (const auto [other, same_way] : neighbors.of[t]) {
        const State wanted = (state[t] == kept) == same_way ? flipped : kept;
        if (state[other] == unseen) {
          state[other] = wanted;
          piece.push_back(other);
        } else if (state[other] != wanted) {
          throw InputError({.key = fmt::format("triangle {}", other),
                            .problem = fmt::format("cannot agree with its neighbor {}: the surface is one-sided", t)});
        }
      }
    }
    double volume = 0;
    const Vec3& origin = x[triangles[seed][0]];
    for (const int t : piece) {
      if (state[t] == flipped) std::swap(triangles[t][1], triangles[t][2]);
      const auto& [a, b, c] = triangles[t];
      volume += (x[a] - origin).cross(x[b] - origin).dot(x[c] - origin);
    }
    if (closed && volume < 0)
      for (const int t : piece) std::swap(triangles[t][1], triangles[t][2]);
  }
}

}  // namespace

std::vector<Triangle> surface(const Mesh& mesh) {
  require_valid_indices(mesh);
  std::vector<int> lonely;
  for_each_run(sorted_faces(mesh.tets), [&](auto first, auto last) {
    if (last - first == 1) lonely.push_back(first->cell);
  });
  std::sort(lonely.begin(), lonely.end());
  std::vector<Triangle> triangles;
  triangles.reserve(lonely.size());
  for (const int face : lonely) triangles.push_back(faces_of(mesh.tets[face / 4])[face % 4]);
  return triangles;
}

void orient(Mesh& mesh) {
  require_valid_indices(mesh);
  Mesh oriented = mesh;
  orient_triangles(oriented.vertices, oriented.triangles);
  for (Tet& t : oriented.tets) {
    const auto& x = oriented.vertices;
    if ((x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).dot(x[t[3]] - x[t[0]]) < 0) std::swap(t[2], t[3]);
  }
  mesh = std::move(oriented);
}

}  // namespace brio
