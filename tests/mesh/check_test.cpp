#include <gtest/gtest.h>

#include <limits>

#include "brio/mesh.h"

namespace brio {
namespace {

Mesh regular_tet() { return {{{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}}, {{0, 1, 2, 3}}, {}, {}}; }

using Indices = std::vector<int>;

}  // namespace

TEST(CheckMesh, FindsNothingWrongWithASoundMesh) {
  const MeshReport report = check_mesh(make_cube({.cells = 2}));
  EXPECT_TRUE(report.problems().empty());
  EXPECT_TRUE(report.closed);
  EXPECT_TRUE(report.manifold);
  EXPECT_TRUE(report.oriented);
  EXPECT_EQ(report.components, 1);
}

TEST(CheckMesh, RegularCellsHaveQualityOne) {
  EXPECT_NEAR(check_mesh(regular_tet()).tet_quality.min, 1, 1e-14);
  EXPECT_NEAR(check_mesh(regular_tet()).triangle_quality.min, 1, 1e-14);
  EXPECT_EQ(check_mesh(regular_tet()).tet_quality.bins[9], 1);
}

TEST(CheckMesh, QualityOfARightAngledTetIsTheTextbookValue) {
  // r = 1 / (3 + sqrt 3), R = sqrt 3 / 2 for the corner of the unit cube.
  const Mesh corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}, {}, {}};
  EXPECT_NEAR(check_mesh(corner).tet_quality.min, 6 / ((3 + std::sqrt(3)) * std::sqrt(3)), 1e-14);
}

TEST(CheckMesh, FindsEachPlantedDefectByIndex) {
  Mesh mesh = make_bar({.size = {3, 1, 1}, .cells = {3, 1, 1}});
  const int added = static_cast<int>(mesh.vertices.size());
  std::swap(mesh.tets[4][0], mesh.tets[4][1]);
  mesh.tets.push_back(mesh.tets[7]);
  mesh.vertices.emplace_back(9, 9, 9);
  mesh.vertices.push_back(mesh.vertices[2]);
  mesh.vertices.emplace_back(8, 8, 8);
  mesh.tets.push_back({0, 1, 2, 3});  // four vertices on a line
  mesh.triangles = {{0, 1, 2}, {0, added + 1, 5}, {5, 0, added + 1}};
  mesh.segments = {{0, 4}, {added + 1, 2}, {4, 0}};
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.inverted_tets, (Indices{4}));
  EXPECT_EQ(report.duplicate_tets, (Indices{15}));
  EXPECT_EQ(report.flat_tets, (Indices{16}));
  EXPECT_EQ(report.unreferenced_vertices, (Indices{added, added + 2}));
  EXPECT_EQ(report.duplicate_vertices, (Indices{added + 1}));
  EXPECT_EQ(report.flat_triangles, (Indices{0}));
  EXPECT_EQ(report.duplicate_triangles, (Indices{2}));
  EXPECT_EQ(report.empty_segments, (Indices{1}));
  EXPECT_EQ(report.duplicate_segments, (Indices{2}));
  EXPECT_FALSE(report.crowded_faces.empty());
  EXPECT_FALSE(report.manifold);
  EXPECT_EQ(report.problems().front(), "1 tets are inverted: 4");
}

TEST(CheckMesh, FlatnessIsRelativeToTheCellSize) {
  Mesh tiny = regular_tet();
  for (Vec3& p : tiny.vertices) p *= 1e-30;
  EXPECT_TRUE(check_mesh(tiny).flat_tets.empty());
  Mesh sliver = regular_tet();
  sliver.vertices = {{0, 0, 0}, {1e9, 0, 0}, {0, 1e9, 0}, {0, 0, 1e-6}};
  EXPECT_EQ(check_mesh(sliver).flat_tets, (Indices{0}));
}

TEST(CheckMesh, FindsEdgesWithThreeTriangles) {
  const Mesh fan{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}}, {}, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}, {}};
  const MeshReport report = check_mesh(fan);
  EXPECT_EQ(report.crowded_edges, (std::vector<Segment>{{0, 1}}));
  EXPECT_FALSE(report.manifold);
  EXPECT_FALSE(report.closed);
}

TEST(CheckMesh, SeesOpenMisorientedAndSeparatePieces) {
  Mesh sheet = make_sheet({});
  EXPECT_FALSE(check_mesh(sheet).closed);
  std::swap(sheet.triangles[3][0], sheet.triangles[3][1]);
  EXPECT_FALSE(check_mesh(sheet).oriented);
  Mesh two = make_line({});
  two.segments.erase(two.segments.begin() + 5);
  EXPECT_EQ(check_mesh(two).components, 2);
}

TEST(CheckMesh, NamesOnlyTheFirstFewOfManyDefects) {
  Mesh mesh;
  for (int i = 0; i < 22; ++i) mesh.vertices.emplace_back(i, 0, 0);
  EXPECT_TRUE(check_mesh(mesh).problems().empty()) << "particles are sound";
  mesh.segments = {{20, 21}};
  EXPECT_EQ(check_mesh(mesh).problems().front(), "20 vertices belong to no cell: 0, 1, 2, 3, 4, 5, 6, 7, ...");
}

TEST(CheckMesh, AcceptsAnEmptyMeshAndRefusesInfiniteCoordinates) {
  EXPECT_TRUE(check_mesh({}).problems().empty());
  EXPECT_FALSE(check_mesh({}).closed);
  Mesh bad = regular_tet();
  bad.vertices[2].y() = std::numeric_limits<double>::infinity();
  EXPECT_THROW(check_mesh(bad), InputError);
}

}  // namespace brio
