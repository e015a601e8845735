/// Cylinder, torus and ball, free of slivers because nothing is stretched to fit: ring k of a disc has 6 k vertices and
/// sphere k of a ball 10 k^2 + 2, so cells keep their size from the middle to the surface.
#include <Eigen/Geometry>
#include <numbers>
#include <unordered_map>

#include "mesh/generators.h"

namespace brio {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

const Bound ring_bound = Bound::closed(1, 1e4);
const Bound layer_bound = Bound::closed(1, 1e6);

const FieldTable<CylinderOptions>& cylinder_fields() {
  static const auto table =
      FieldTable<CylinderOptions>{}
          .number("radius", &CylinderOptions::radius, "m", Bound::positive(), "radius")
          .number("length", &CylinderOptions::length, "m", Bound::positive(), "length along y")
          .whole("rings", &CylinderOptions::rings, ring_bound, "vertices from the axis to the rim")
          .whole("layers", &CylinderOptions::layers, layer_bound, "cells along y");
  return table;
}

const FieldTable<SphereOptions>& sphere_fields() {
  static const auto table =
      FieldTable<SphereOptions>{}
          .number("radius", &SphereOptions::radius, "m", Bound::positive(), "radius")
          .whole("rings", &SphereOptions::rings, ring_bound, "vertices from the center to the surface");
  return table;
}

const FieldTable<TorusOptions>& torus_fields() {
  static const auto table =
      FieldTable<TorusOptions>{}
          .number("radius", &TorusOptions::radius, "m", Bound::positive(), "from the axis to the middle of the tube")
          .number("tube", &TorusOptions::tube, "m", Bound::positive(), "radius of the tube, less than radius")
          .whole("rings", &TorusOptions::rings, ring_bound, "vertices from the middle of the tube to its surface")
          .whole("slices", &TorusOptions::slices, Bound::closed(3, 1e6), "cells around the axis");
  return table;
}

/// A unit disc: the center, then ring after ring, counter-clockwise.
struct Disc {
  std::vector<Eigen::Vector2d> points;
  std::vector<Triangle> triangles;
};

Disc make_disc(int rings) {
  Disc disc;
  disc.points.emplace_back(0, 0);
  for (int k = 1; k <= rings; ++k)
    for (int j = 0; j < 6 * k; ++j) {
      const double angle = two_pi * j / (6 * k);
      disc.points.push_back(double(k) / rings * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
    }
  const auto point = [](int k, int j) { return k == 0 ? 0 : 1 + 3 * k * (k - 1) + j % (6 * k); };
  for (int k = 0; k < rings; ++k)
    for (int sector = 0; sector < 6; ++sector) {
      const int inner = sector * k;
      const int outer = sector * (k + 1);
      for (int j = 0; j <= k; ++j) {
        disc.triangles.push_back({point(k, inner + j), point(k + 1, outer + j), point(k + 1, outer + j + 1)});
        if (j < k)
          disc.triangles.push_back({point(k, inner + j), point(k + 1, outer + j + 1), point(k, inner + j + 1)});
      }
    }
  return disc;
}

double tets_of_prisms(int rings, int layers) { return 3.0 * 6 * rings * rings * layers; }

/// Fills the prisms between discs at vertices `below` and `above` with three tets each. Side faces are cut from the
/// lower-numbered vertex below to the higher-numbered one above, so neighboring prisms agree.
void fill_layer(const Disc& disc, int below, int above, std::vector<Tet>& tets) {
  for (Triangle t : disc.triangles) {
    const bool even = (t[0] < t[1]) == (t[1] < t[2]) ? t[0] < t[1] : t[2] < t[0];
    std::sort(t.begin(), t.end());
    const auto [a, b, c] = t;
    const std::array<Tet, 3> cut{{{below + a, below + b, below + c, above + c},
                                  {below + a, above + b, below + b, above + c},
                                  {below + a, above + a, above + b, above + c}}};
    for (const Tet& tet : cut) tets.push_back(even ? tet : Tet{tet[0], tet[2], tet[1], tet[3]});
  }
}

/// Names a point of the divided icosahedron by its weights at up to three of the twelve corners, so that the 20 tets
/// share the vertices of their common faces.
using Key = std::uint64_t;
Key key_of(const Triangle& corners, const std::array<int, 3>& weights) {
  std::array<Key, 3> parts{};
  for (int i = 0; i < 3; ++i)
    if (weights[i] > 0) parts[i] = Key(weights[i]) << 4 | Key(corners[i]);
  std::sort(parts.begin(), parts.end());
  return parts[0] << 40 | parts[1] << 20 | parts[2];
}

constexpr double golden = std::numbers::phi;
const std::array<Vec3, 12> icosahedron{{{-1, golden, 0},
                                        {1, golden, 0},
                                        {-1, -golden, 0},
                                        {1, -golden, 0},
                                        {0, -1, golden},
                                        {0, 1, golden},
                                        {0, -1, -golden},
                                        {0, 1, -golden},
                                        {golden, 0, -1},
                                        {golden, 0, 1},
                                        {-golden, 0, -1},
                                        {-golden, 0, 1}}};

/// The triples of corners at edge distance 2 from each other, counter-clockwise seen from outside.
std::vector<Triangle> icosahedron_faces() {
  const auto adjacent = [](int a, int b) { return (icosahedron[a] - icosahedron[b]).norm() < 2.1; };
  std::vector<Triangle> faces;
  for (int a = 0; a < 12; ++a)
    for (int b = a + 1; b < 12; ++b)
      for (int c = b + 1; c < 12; ++c) {
        if (!adjacent(a, b) || !adjacent(b, c) || !adjacent(a, c)) continue;
        const bool outward = icosahedron[a].cross(icosahedron[b]).dot(icosahedron[c]) > 0;
        faces.push_back(outward ? Triangle{a, b, c} : Triangle{a, c, b});
      }
  return faces;
}

}  // namespace

Mesh make_cylinder(const CylinderOptions& options) {
  cylinder_fields().check(options);
  refuse_too_many_cells(tets_of_prisms(options.rings, options.layers), "rings and layers");
  const Disc disc = make_disc(options.rings);
  const int size = static_cast<int>(disc.points.size());
  Mesh mesh;
  for (int layer = 0; layer <= options.layers; ++layer)
    for (const Eigen::Vector2d& p : disc.points)
      // z before x: seen along +y, the disc must run clockwise in (x, z) for its prisms to be positive.
      mesh.vertices.emplace_back(options.radius * p.y(), options.length * (double(layer) / options.layers - 0.5),
                                 options.radius * p.x());
  for (int layer = 0; layer < options.layers; ++layer) fill_layer(disc, layer * size, (layer + 1) * size, mesh.tets);
  return mesh;
}

Mesh make_torus(const TorusOptions& options) {
  torus_fields().check(options);
  if (options.tube >= options.radius)
    throw InputError({.key = "tube",
                      .value = to_text(options.tube),
                      .problem = "must be less than radius = " + to_text(options.radius),
                      .advice = "a thicker tube would overlap itself"});
  refuse_too_many_cells(tets_of_prisms(options.rings, options.slices), "rings and slices");
  const Disc disc = make_disc(options.rings);
  const int size = static_cast<int>(disc.points.size());
  Mesh mesh;
  for (int slice = 0; slice < options.slices; ++slice) {
    const double angle = two_pi * slice / options.slices;
    const Vec3 outward(std::cos(angle), 0, -std::sin(angle));
    for (const Eigen::Vector2d& p : disc.points)
      mesh.vertices.push_back((options.radius + options.tube * p.y()) * outward + options.tube * p.x() * Vec3::UnitY());
  }
  for (int slice = 0; slice < options.slices; ++slice)
    fill_layer(disc, slice * size, (slice + 1) % options.slices * size, mesh.tets);
  return mesh;
}

Mesh make_sphere(const SphereOptions& options) {
  sphere_fields().check(options);
  const int n = options.rings;
  refuse_too_many_cells(20.0 * n * n * n, "rings");
  Mesh mesh;
  std::unordered_map<Key, int> known;
  // Lattice point n >= x >= y >= z >= 0 of a tet (center, three corners of a face): on sphere x, weights x-y, y-z, z.
  const auto vertex = [&](const Triangle& face, const std::array<int, 3>& p) {
    const std::array<int, 3> weights{p[0] - p[1], p[1] - p[2], p[2]};
    const auto [place, is_new] = known.try_emplace(key_of(face, weights), static_cast<int>(mesh.vertices.size()));
    if (is_new) {
      Vec3 direction = Vec3::Zero();
      for (int i = 0; i < 3; ++i) direction += weights[i] * icosahedron[face[i]];
      mesh.vertices.push_back(options.radius * p[0] / n * direction.stableNormalized());
    }
    return place->second;
  };
  constexpr std::array<std::array<int, 3>, 6> walks{{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  const auto inside = [](const std::array<int, 3>& p) { return p[0] >= p[1] && p[1] >= p[2]; };
  for (const Triangle& face : icosahedron_faces())
    for (int x = 0; x < n; ++x)
      for (int y = 0; y <= x; ++y)
        for (int z = 0; z <= y; ++z)
          for (std::size_t w = 0; w < walks.size(); ++w) {
            // Kuhn's tets of the lattice cube that stay within the tet divide it regularly.
            std::array<std::array<int, 3>, 4> corners{{{x, y, z}, {}, {}, {}}};
            bool whole = true;
            for (int step = 0; step < 3; ++step) {
              corners[step + 1] = corners[step];
              ++corners[step + 1][walks[w][step]];
              whole = whole && inside(corners[step + 1]);
            }
            if (!whole) continue;
            Tet tet{};
            for (int i = 0; i < 4; ++i) tet[i] = vertex(face, corners[i]);
            const bool even = w == 0 || w == 3 || w == 4;
            mesh.tets.push_back(even ? tet : Tet{tet[0], tet[1], tet[3], tet[2]});
          }
  return mesh;
}

std::vector<Generator> round_generators() {
  return {make_generator("cylinder", "a solid cylinder around the y axis", cylinder_fields(), make_cylinder),
          make_generator("rod", "another name for cylinder", cylinder_fields(), make_cylinder),
          make_generator("sphere", "a solid ball", sphere_fields(), make_sphere),
          make_generator("torus", "a solid torus around the y axis", torus_fields(), make_torus)};
}

}  // namespace brio
