/// Meshes: made, checked, cut down to what a simulation needs. Their files are brio/mesh_io.h's.
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "brio/math.h"

namespace brio {

using Tet = std::array<int, 4>;       ///< positively oriented: det(x1-x0, x2-x0, x3-x0) > 0
using Triangle = std::array<int, 3>;  ///< counter-clockwise seen from outside
using Segment = std::array<int, 2>;

/// Vertices and the cells over them. A solid has tets (and perhaps its surface triangles), a sheet triangles, a curve
/// segments.
struct Mesh {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Tet> tets;
  std::vector<Triangle> triangles;
  std::vector<Segment> segments;
};

// Generators. Every mesh is centered at the origin, its tets are positively oriented, and more than 50 million cells
// are refused.

/// A block of hexahedral cells, each cut into tets.
struct BarOptions {
  Vec3 size{4, 1, 1};                  ///< edge lengths [m]
  std::array<int, 3> cells{16, 4, 4};  ///< cells along x, y and z
  std::string split = "five";          ///< tets per cell: "five" (mirrored in every other cell) or "six" (Kuhn)
};
Mesh make_bar(const BarOptions& options);

struct CubeOptions {
  double size = 1;             ///< edge length [m]
  int cells = 8;               ///< cells along each edge
  std::string split = "five";  ///< as in BarOptions
};
Mesh make_cube(const CubeOptions& options);

/// A grid of triangles in the xz plane, its normal along +y. Vertex (i, j), i along x and j along z, has the index
/// j (cells[0] + 1) + i. Diagonals alternate.
struct SheetOptions {
  std::array<double, 2> size{1, 1};  ///< lengths along x and z [m]
  std::array<int, 2> cells{20, 20};  ///< cells along x and z
};
Mesh make_sheet(const SheetOptions& options);

/// A solid cylinder around the y axis: layers of triangulated discs, ring k of a disc having 6 k vertices.
struct CylinderOptions {
  double radius = 0.25;  ///< [m]
  double length = 2;     ///< along y [m]
  int rings = 3;         ///< vertices from the axis to the rim
  int layers = 24;       ///< cells along y
};
Mesh make_cylinder(const CylinderOptions& options);

/// A solid ball: an icosahedron cut into 20 tets, each divided regularly and pushed out to spheres.
struct SphereOptions {
  double radius = 0.5;  ///< [m]
  int rings = 5;        ///< vertices from the center to the surface; 20 rings^3 tets
};
Mesh make_sphere(const SphereOptions& options);

/// A solid torus around the y axis.
struct TorusOptions {
  double radius = 0.5;  ///< from the axis to the middle of the tube [m]
  double tube = 0.2;    ///< radius of the tube, less than `radius` [m]
  int rings = 3;        ///< vertices from the middle of the tube to its surface
  int slices = 36;      ///< cells around the axis
};
Mesh make_torus(const TorusOptions& options);

/// A solid trunk with two arms along y, around the origin.
struct CactusOptions {
  double height = 1;  ///< [m]
  int cells = 20;     ///< along the height, from 12 to 200; those inside are kept
};
Mesh make_cactus(const CactusOptions& options);

/// A straight curve along x.
struct PointsOptions {
  int count = 1;
  double spacing = 1;  ///< [m]
};
/// Loose particles in a row along x, around the origin.
Mesh make_points(const PointsOptions& options);

struct LineOptions {
  double length = 1;  ///< [m]
  int segments = 32;
};
Mesh make_line(const LineOptions& options);

/// A helix around the y axis, right-handed.
struct HelixOptions {
  double radius = 0.25;  ///< [m]
  double pitch = 0.1;    ///< rise per turn [m]
  double turns = 5;
  int segments = 200;
};
Mesh make_helix(const HelixOptions& options);

/// An overhand knot in a wire that runs along x: a trefoil whose upper lobe is opened into two straight tails. All
/// segments have nearly the same length. Strands that cross stay a quarter of `size` apart; the knot hangs below the x
/// axis.
struct OverhandKnotOptions {
  double size = 0.5;  ///< width of the knot [m]
  double tail = 1;    ///< length of each tail [m]
  int segments = 200;
};
Mesh make_overhand_knot(const OverhandKnotOptions& options);

// Surfaces, checks and repairs. An index that no vertex has is refused with an InputError.

/// The faces that belong to one tet only, outward when the tets are positively oriented; in the order of the tets.
std::vector<Triangle> surface(const Mesh& mesh);

/// Mirrors inverted tets, makes neighboring triangles agree, and turns every closed piece of triangles outward.
/// A one-sided surface is refused.
void orient(Mesh& mesh);

/// The mesh without the vertices that no cell uses; the order of the others is kept.
Mesh remove_unreferenced(const Mesh& mesh);

/// Merges each vertex into the first one within `tolerance` [m] (0: exactly equal) and drops cells that collapse or
/// become equal to an earlier one. Vertices merged away are removed, unreferenced ones stay.
Mesh weld(const Mesh& mesh, double tolerance);

/// How the cells' shapes spread: 1 is a regular cell, 0 a degenerate one.
struct QualityHistogram {
  std::array<int, 10> bins{};  ///< cells in [0, 0.1), [0.1, 0.2), ... [0.9, 1]
  double min = 0;
  double mean = 0;
};

/// What a mesh is and what is wrong with it, by index.
struct MeshReport {
  std::size_t vertices = 0;
  std::size_t tets = 0;
  std::size_t triangles = 0;
  std::size_t segments = 0;
  Vec3 low = Vec3::Zero();   ///< corner of the bounding box [m]
  Vec3 high = Vec3::Zero();  ///< corner of the bounding box [m]
  double volume = 0;         ///< of the tets, else enclosed by the triangles if they are closed [m^3]
  double area = 0;           ///< of the tets' surface, else of the triangles [m^2]
  double length = 0;         ///< of the segments [m]
  int components = 0;        ///< pieces connected through cells
  bool closed = false;       ///< the tets' surface or else the triangles exist and have no rim
  bool manifold = true;      ///< no edge of it has more than two triangles, no face more than two tets
  bool oriented = true;      ///< neighboring triangles run the same way round

  std::vector<int> inverted_tets;          ///< negative volume
  std::vector<int> flat_tets;              ///< |6 volume| <= 1e-12 (longest edge)^3
  std::vector<int> flat_triangles;         ///< 2 area <= 1e-12 (longest edge)^2
  std::vector<int> empty_segments;         ///< length zero
  std::vector<int> duplicate_vertices;     ///< where an earlier vertex is
  std::vector<int> duplicate_tets;         ///< same vertices as an earlier one, in any order
  std::vector<int> duplicate_triangles;    ///< likewise
  std::vector<int> duplicate_segments;     ///< likewise
  std::vector<int> unreferenced_vertices;  ///< in no cell
  std::vector<Segment> crowded_edges;      ///< of the surface, with three triangles or more
  std::vector<Triangle> crowded_faces;     ///< with three tets or more

  QualityHistogram tet_quality;       ///< 3 inradius / circumradius
  QualityHistogram triangle_quality;  ///< 2 inradius / circumradius; of the tets' surface, else of the triangles

  /// One sentence for each kind of defect, naming indices; empty when the mesh is sound.
  std::vector<std::string> problems() const;
};
MeshReport check_mesh(const Mesh& mesh);

// Selections of vertices; what lies exactly on a bound belongs to the selection.

struct InBox {
  Vec3 low, high;  ///< opposite corners [m]
};
struct InSphere {
  Vec3 center;    ///< [m]
  double radius;  ///< [m]
};
struct BeyondPlane {
  Vec3 point;   ///< [m]
  Vec3 normal;  ///< the side it points to is selected
};
struct ByIndex {
  std::vector<int> vertices;
};
struct OnBoundary {};  ///< surface of tets, rim of triangles, ends of segments
using Selection = std::variant<InBox, InSphere, BeyondPlane, ByIndex, OnBoundary>;

/// Sorted, each vertex once.
std::vector<int> select(const Mesh& mesh, const Selection& selection);

}  // namespace brio
