#include <gtest/gtest.h>

#include <Eigen/LU>

#include "brio/mesh.h"

namespace brio {
namespace {

Mesh shell_of(const Mesh& solid) { return remove_unreferenced({solid.vertices, {}, surface(solid), {}}); }

std::string complaint(const Mesh& shell, const TetrahedraliseOptions& options = {}) {
  try {
    tetrahedralise(shell, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(Tetrahedralise, RefusesOpenSurfacesNamingATriangle) {
  Mesh open = shell_of(make_cube({.cells = 1}));
  open.triangles.pop_back();
  EXPECT_NE(complaint(open).find("tetrahedralise: the surface is open: triangle "), std::string::npos);
  EXPECT_NE(complaint(make_line({})).find("has no triangles"), std::string::npos);
}

TEST(Tetrahedralise, RefusesDefectsThatOneCanName) {
  Mesh repeated = shell_of(make_cube({.cells = 1}));
  repeated.triangles.push_back(repeated.triangles[0]);
  repeated.triangles.push_back(repeated.triangles[0]);
  EXPECT_NE(complaint(repeated).find("triangles repeat an earlier one: 12, 13"), std::string::npos);
}

TEST(Tetrahedralise, RefusesOptionsThatCannotBeMet) {
  const Mesh shell = shell_of(make_cube({.cells = 1}));
  EXPECT_NE(complaint(shell, {.quality = 0.5}).find("must be 0 or at least 1.1"), std::string::npos);
  EXPECT_NE(complaint(shell, {.max_volume = -1}).find("must be >= 0"), std::string::npos);
  EXPECT_NE(complaint(shell, {.max_volume = 1e-12}).find("at most 50 million"), std::string::npos);
}

#ifdef BRIO_WITH_GPL

TEST(Tetrahedralise, KeepsSurfaceVolumeAndVertices) {
  for (const Mesh& solid : {make_bar({.size = {3, 1, 2}, .cells = {6, 2, 4}}), make_sphere({}), make_torus({})}) {
    const Mesh shell = shell_of(solid);
    const Mesh filled = tetrahedralise(shell);
    const MeshReport report = check_mesh(filled);
    EXPECT_NEAR(report.volume / check_mesh(solid).volume, 1, 1e-12);
    EXPECT_TRUE(report.inverted_tets.empty());
    EXPECT_TRUE(report.closed);
    ASSERT_GE(filled.vertices.size(), shell.vertices.size());
    for (std::size_t v = 0; v < shell.vertices.size(); ++v) EXPECT_EQ(filled.vertices[v], shell.vertices[v]);
    EXPECT_EQ(surface(filled).size(), shell.triangles.size());
  }
}

TEST(Tetrahedralise, WorksAtEveryScale) {
  for (const double scale : {1e-80, 1e80}) {
    Mesh shell = shell_of(make_sphere({.rings = 3}));
    for (Vec3& p : shell.vertices) p *= scale;
    const double enclosed = check_mesh(shell).volume;
    EXPECT_NEAR(check_mesh(tetrahedralise(shell)).volume / enclosed, 1, 1e-12);
  }
}

TEST(Tetrahedralise, MeetsTheQualityAndVolumeDemanded) {
  const Mesh shell = shell_of(make_cube({.size = 2, .cells = 2}));
  const Mesh filled = tetrahedralise(shell, {.quality = 1.4, .max_volume = 0.01, .keep_surface = false});
  EXPECT_GE(filled.tets.size(), 800u);
  for (const auto& [a, b, c, d] : filled.tets) {
    const auto& x = filled.vertices;
    Eigen::Matrix3d edges;
    edges << x[b] - x[a], x[c] - x[a], x[d] - x[a];
    EXPECT_LE(edges.determinant() / 6, 0.01 * (1 + 1e-12));
  }
  EXPECT_GT(check_mesh(filled).tet_quality.least, 0.02);
}

TEST(Tetrahedralise, RefusesASurfaceThatCutsThroughItselfNamingTriangles) {
  const Mesh cube = shell_of(make_cube({.cells = 1}));
  const int shift = static_cast<int>(cube.vertices.size());
  Mesh two = cube;
  for (const Vec3& p : cube.vertices) two.vertices.emplace_back(p + Vec3(0.4, 0.3, 0.2));
  for (const auto& [a, b, c] : cube.triangles) two.triangles.push_back({a + shift, b + shift, c + shift});
  EXPECT_NE(complaint(two).find("cuts through itself at "), std::string::npos);
}

#else

TEST(Tetrahedralise, SaysThatItWasBuiltWithoutTetGen) {
  EXPECT_NE(complaint(shell_of(make_cube({.cells = 1}))).find("built without TetGen"), std::string::npos);
}

#endif

}  // namespace brio
