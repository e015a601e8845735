#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <cstdlib>
#include <random>

#include "brio/mesh_models.h"
#include "core/timer.h"
#include "random_scenes.h"

namespace brio {
namespace {

Mesh shell_of(const Mesh& solid) { return remove_unreferenced({solid.vertices, {}, surface(solid), {}}); }

std::string complaint(const Mesh& shell, const TetrahedralizeOptions& options = {}) {
  try {
    tetrahedralize(shell, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(Tetrahedralize, RefusesOpenSurfacesNamingATriangle) {
  Mesh open = shell_of(make_cube({.cells = 1}));
  open.triangles.pop_back();
  EXPECT_NE(complaint(open).find("tetrahedralize: the surface is open: triangle "), std::string::npos);
  EXPECT_NE(complaint(make_line({})).find("has no triangles"), std::string::npos);
}

TEST(Tetrahedralize, RefusesDefectsThatOneCanName) {
  Mesh repeated = shell_of(make_cube({.cells = 1}));
  repeated.triangles.push_back(repeated.triangles[0]);
  repeated.triangles.push_back(repeated.triangles[0]);
  EXPECT_NE(complaint(repeated).find("triangles repeat an earlier one: 12, 13"), std::string::npos);
}

TEST(Tetrahedralize, RefusesOptionsThatCannotBeMet) {
  const Mesh shell = shell_of(make_cube({.cells = 1}));
  EXPECT_NE(complaint(shell, {.quality = 0.5}).find("must be 0 or at least 1.1"), std::string::npos);
  EXPECT_NE(complaint(shell, {.max_volume = -1}).find("must be >= 0"), std::string::npos);
  EXPECT_NE(complaint(shell, {.max_volume = 1e-12}).find("at most 50 million"), std::string::npos);
}

#ifdef BRIO_WITH_GPL

TEST(Tetrahedralize, KeepsSurfaceVolumeAndVertices) {
  for (const Mesh& solid : {make_bar({.size = {3, 1, 2}, .cells = {6, 2, 4}}), make_sphere({}), make_torus({})}) {
    const Mesh shell = shell_of(solid);
    const Mesh filled = tetrahedralize(shell);
    const MeshReport report = check_mesh(filled);
    EXPECT_NEAR(report.volume / check_mesh(solid).volume, 1, 1e-12);
    EXPECT_TRUE(report.inverted_tets.empty());
    EXPECT_TRUE(report.closed);
    ASSERT_GE(filled.vertices.size(), shell.vertices.size());
    for (std::size_t v = 0; v < shell.vertices.size(); ++v) EXPECT_EQ(filled.vertices[v], shell.vertices[v]);
    EXPECT_EQ(surface(filled).size(), shell.triangles.size());
  }
}

TEST(Tetrahedralize, WorksAtEveryScale) {
  for (const double scale : {1e-80, 1e80}) {
    Mesh shell = shell_of(make_sphere({.rings = 3}));
    for (Vec3& p : shell.vertices) p *= scale;
    const double enclosed = check_mesh(shell).volume;
    EXPECT_NEAR(check_mesh(tetrahedralize(shell)).volume / enclosed, 1, 1e-12);
  }
}

TEST(Tetrahedralize, MeetsTheQualityAndVolumeDemanded) {
  const Mesh shell = shell_of(make_cube({.size = 2, .cells = 2}));
  const Mesh filled = tetrahedralize(shell, {.quality = 1.4, .max_volume = 0.01, .keep_surface = false});
  EXPECT_GE(filled.tets.size(), 800u);
  for (const auto& [a, b, c, d] : filled.tets) {
    const auto& x = filled.vertices;
    Eigen::Matrix3d edges;
    edges << x[b] - x[a], x[c] - x[a], x[d] - x[a];
    EXPECT_LE(edges.determinant() / 6, 0.01 * (1 + 1e-12));
  }
  EXPECT_GT(check_mesh(filled).tet_quality.min, 0.02);
}

TEST(Tetrahedralize, RefusesASurfaceThatCutsThroughItselfNamingTriangles) {
  const Mesh cube = shell_of(make_cube({.cells = 1}));
  const int shift = static_cast<int>(cube.vertices.size());
  Mesh two = cube;
  for (const Vec3& p : cube.vertices) two.vertices.emplace_back(p + Vec3(0.4, 0.3, 0.2));
  for (const auto& [a, b, c] : cube.triangles) two.triangles.push_back({a + shift, b + shift, c + shift});
  EXPECT_NE(complaint(two).find("cuts through itself at "), std::string::npos);
}

/// Closed surfaces that have next to nothing inside, or are as thin somewhere: tetrahedra, boxes and double pyramids
/// squeezed along random axes. About one in fourteen made TetGen abort or crash.
Mesh degenerate_surface(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  const auto thin = [&] { return unit(random) < 0.5 ? 1.0 : std::pow(10.0, -18 * unit(random)); };
  const auto below = [&](int n) { return static_cast<int>(unit(random) * n) % n; };
  Mesh shell;
  switch (below(3)) {
    case 0:
      shell = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}, {}};
      break;
    case 1:
      shell = shell_of(make_cube({.cells = 1 + below(3)}));
      break;
    default:
      shell = {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
               {},
               {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}},
               {}};
  }
  const Vec3 squeeze(thin(), thin(), thin());
  const Vec3 offset = Vec3(unit(random), unit(random), unit(random)) * below(2);
  const double noise = below(2) == 0 ? 0 : thin();
  for (Vec3& p : shell.vertices)
    p = (p + noise * Vec3(unit(random), unit(random), unit(random))).cwiseProduct(squeeze) * 10 + offset;
  return shell;
}

/// BRIO_SURFACES=20000 takes as many.
TEST(Tetrahedralize, DegenerateSurfacesAreFilledOrRefusedButNeverCrash) {
  const Stopwatch watch;
  const int surfaces = testing::campaign_runs("BRIO_SURFACES", 150);
  std::mt19937 random(7);
  int refused = 0, filled = 0, failures = 0;
  for (int i = 0; i < surfaces; ++i) {
    const Mesh shell = degenerate_surface(random);
    try {
      const Mesh solid = tetrahedralize(shell);
      EXPECT_FALSE(solid.tets.empty());
      failures += solid.tets.empty() ? 1 : 0;
      ++filled;
    } catch (const InputError& error) {
      EXPECT_FALSE(error.complaint().advice.empty()) << error.what();
      failures += error.complaint().advice.empty() ? 1 : 0;
      ++refused;
    }
  }
  EXPECT_GT(refused, surfaces / 8);
  EXPECT_GT(filled, surfaces / 8);
  testing::tell_of_campaign("BRIO_SURFACES", "closed surfaces with next to nothing inside, filled or refused", surfaces,
                            failures, watch.seconds());
}

TEST(Tetrahedralize, RefusesWhatIsFlatSayingHowFlat) {
  const Mesh flat{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}, {}};
  EXPECT_EQ(complaint(flat),
            "tetrahedralize: the surface is flat: 0 m thick, 1 m across; give it thickness, or use it as cloth");
  // Two sheets of a bowl, one on the other, joined at the rim.
  const Mesh sheet = make_sheet({.cells = {4, 4}});
  Mesh bowl = sheet;
  std::vector<int> upper;
  for (const Vec3& p : sheet.vertices) {
    const bool rim = p.cwiseAbs().maxCoeff() > 0.49;
    upper.push_back(static_cast<int>(rim ? upper.size() : bowl.vertices.size()));
    if (!rim) bowl.vertices.emplace_back(p + Vec3(0, 1e-9, 0));
  }
  for (const auto& [a, b, c] : sheet.triangles) bowl.triangles.push_back({upper[a], upper[c], upper[b]});
  for (Vec3& p : bowl.vertices) p.y() += p.x() * p.x() + p.z() * p.z();
  EXPECT_NE(complaint(bowl).find("tetrahedralize: the surface encloses nothing: "), std::string::npos)
      << complaint(bowl);
}

TEST(Tetrahedralize, WhatDoesNotEndIsRefusedInTime) {
  setenv("BRIO_TETGEN_TIMEOUT", "0.001", 1);
  const std::string said = complaint(shell_of(make_sphere({.rings = 20})), {.quality = 1.1, .max_volume = 1e-6});
  unsetenv("BRIO_TETGEN_TIMEOUT");
  EXPECT_NE(said.find("TetGen did not come to an end within 0 s; its thinnest triangle, "), std::string::npos) << said;
  EXPECT_NE(said.find("BRIO_TETGEN_TIMEOUT"), std::string::npos) << said;
}

#else

TEST(Tetrahedralize, SaysThatItWasBuiltWithoutTetGen) {
  EXPECT_NE(complaint(shell_of(make_cube({.cells = 1}))).find("built without TetGen"), std::string::npos);
}

#endif

}  // namespace brio
