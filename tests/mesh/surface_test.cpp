#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "brio/mesh.h"

namespace brio {
namespace {

Mesh surface_of(const Mesh& solid) {
  Mesh shell{solid.vertices, {}, surface(solid), {}};
  return remove_unreferenced(shell);
}

}  // namespace

TEST(Surface, OfABarPointsOutwardEverywhere) {
  const Mesh bar = make_bar({.size = {4, 1, 1}, .cells = {8, 2, 2}});
  const auto& x = bar.vertices;
  for (const auto& [a, b, c] : surface(bar)) {
    const Vec3 normal = (x[b] - x[a]).cross(x[c] - x[a]).normalized();
    const Vec3 center = (x[a] + x[b] + x[c]) / 3;
    EXPECT_NEAR(std::abs(normal.dot(center)), normal.cwiseAbs().dot(Vec3(2, 0.5, 0.5)), 1e-14);
    EXPECT_GT(normal.dot(center), 0);
  }
}

TEST(Surface, OfASingleTetIsItsFourFaces) {
  const Mesh tet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}, {}, {}};
  EXPECT_EQ(surface(tet).size(), 4u);
  EXPECT_NEAR(check_mesh({tet.vertices, {}, surface(tet), {}}).volume, 1.0 / 6, 1e-15);
}

TEST(Surface, RefusesIndicesThatNoVertexHas) {
  const Mesh wrong{{{0, 0, 0}, {1, 0, 0}}, {{0, 1, 2, 3}}, {}, {}};
  try {
    surface(wrong);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "tet 0 = 2: no such vertex; the mesh has 2");
  }
}

TEST(Orient, TurnsInvertedTetsAndTrianglesBack) {
  Mesh mesh = make_sphere({.rings = 3});
  mesh.triangles = surface(mesh);
  const Mesh sound = mesh;
  for (std::size_t i = 0; i < mesh.tets.size(); i += 3) std::swap(mesh.tets[i][0], mesh.tets[i][1]);
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 2) std::swap(mesh.triangles[i][0], mesh.triangles[i][1]);
  orient(mesh);
  EXPECT_TRUE(check_mesh(mesh).problems().empty());
  const MeshReport shell = check_mesh({mesh.vertices, {}, mesh.triangles, {}});
  EXPECT_TRUE(shell.oriented);
  EXPECT_NEAR(shell.volume, check_mesh(sound).volume, 1e-14);
}

TEST(Orient, MakesAnOpenSheetAgreeWithItsFirstTriangle) {
  Mesh sheet = make_sheet({});
  const Mesh sound = sheet;
  for (std::size_t i = 1; i < sheet.triangles.size(); i += 2) std::swap(sheet.triangles[i][0], sheet.triangles[i][2]);
  orient(sheet);
  const auto normal_y = [&](const Triangle& t) {
    const auto& x = sheet.vertices;
    return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).y();
  };
  for (const Triangle& t : sheet.triangles) EXPECT_GT(normal_y(t), 0);
}

TEST(Orient, RefusesAOneSidedSurfaceAndLeavesItAsItWas) {
  Mesh strip;
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * M_PI * i / n;
    const Vec3 out(std::cos(angle), std::sin(angle), 0);
    const Vec3 across = std::cos(angle / 2) * out + std::sin(angle / 2) * Vec3::UnitZ();
    strip.vertices.push_back(out - 0.3 * across);
    strip.vertices.push_back(out + 0.3 * across);
  }
  for (int i = 0; i < n; ++i) {
    const bool last = i == n - 1;
    const int a = 2 * i, b = 2 * i + 1, c = last ? 1 : 2 * i + 2, d = last ? 0 : 2 * i + 3;
    strip.triangles.push_back({a, b, c});
    strip.triangles.push_back({b, d, c});
  }
  const auto before = strip.triangles;
  EXPECT_THROW(orient(strip), InputError);
  EXPECT_EQ(strip.triangles, before);
}

TEST(Repair, WeldingASoupOfTrianglesGivesTheSurfaceBack) {
  const Mesh shell = surface_of(make_cube({.cells = 3}));
  Mesh soup;
  for (const Triangle& t : shell.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (const int v : t) soup.vertices.push_back(shell.vertices[v] + 1e-7 * Vec3::Random());
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_FALSE(check_mesh(soup).closed);
  const Mesh welded = weld(soup, 1e-6);
  EXPECT_EQ(welded.vertices.size(), shell.vertices.size());
  EXPECT_TRUE(check_mesh(welded).closed);
  EXPECT_EQ(weld(soup, 0).vertices.size(), soup.vertices.size());
}

TEST(Repair, WeldingDropsCellsThatCollapseOrRepeat) {
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -0.0}}, {}, {{0, 1, 2}, {3, 1, 2}, {0, 3, 1}}, {}};
  const Mesh welded = weld(mesh, 0);
  EXPECT_EQ(welded.vertices.size(), 3u);
  EXPECT_EQ(welded.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(Repair, WeldingWorksFarFromTheOriginAndRefusesNonsense) {
  const Mesh far{{{1e300, 0, 0}, {1e300, 0, 0}, {-1e300, 0, 0}}, {}, {}, {{0, 2}}};
  EXPECT_EQ(weld(far, 1e-300).vertices.size(), 2u);
  EXPECT_THROW(weld(far, -1), InputError);
  EXPECT_THROW(weld(far, std::nan("")), InputError);
}

TEST(Repair, RemovingUnreferencedVerticesKeepsTheRestInOrder) {
  const Mesh mesh{{{9, 9, 9}, {0, 0, 0}, {9, 9, 9}, {1, 0, 0}}, {}, {}, {{3, 1}}};
  const Mesh clean = remove_unreferenced(mesh);
  EXPECT_EQ(clean.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(clean.segments, (std::vector<Segment>{{1, 0}}));
}

}  // namespace brio
