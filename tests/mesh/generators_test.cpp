#include "mesh/generators.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace brio {
namespace {

constexpr double pi = std::numbers::pi;

int euler_characteristic(const Mesh& solid) {
  const std::vector<Triangle> triangles = surface(solid);
  const int vertices = static_cast<int>(select(solid, OnBoundary{}).size());
  const int faces = static_cast<int>(triangles.size());
  return vertices - 3 * faces / 2 + faces;
}

std::string complaint(const std::string& name, const std::vector<Entry>& options) {
  try {
    generate_mesh(name, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

/// Shortest distance between two segments, by ternary search over both (the distance is convex).
double distance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto to_second = [&](double s) {
    const Vec3 p = a + s * (b - a);
    const double t = std::clamp((p - c).dot(d - c) / (d - c).squaredNorm(), 0.0, 1.0);
    return (p - c - t * (d - c)).norm();
  };
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double third = (high - low) / 3;
    if (to_second(low + third) < to_second(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return to_second((low + high) / 2);
}

/// Where a curve crosses itself seen along z, in the order in which it is walked: the crossing and whether the walker
/// is above.
struct Passage {
  double at;
  int crossing;
  bool above;
};
std::vector<Passage> passages(const Mesh& curve) {
  std::vector<Passage> found;
  int crossings = 0;
  const auto& x = curve.vertices;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    for (std::size_t j = i + 2; j + 1 < x.size(); ++j) {
      Eigen::Matrix2d m;
      m << (x[i + 1] - x[i]).head<2>(), -(x[j + 1] - x[j]).head<2>();
      const Eigen::Vector2d s = m.inverse() * (x[j] - x[i]).head<2>();
      if (!(s.minCoeff() >= 0) || !(s.maxCoeff() < 1)) continue;
      const double first = x[i].z() + s[0] * (x[i + 1].z() - x[i].z());
      const double second = x[j].z() + s[1] * (x[j + 1].z() - x[j].z());
      found.push_back({static_cast<double>(i) + s[0], crossings, first > second});
      found.push_back({static_cast<double>(j) + s[1], crossings, second > first});
      ++crossings;
    }
  std::sort(found.begin(), found.end(), [](const Passage& a, const Passage& b) { return a.at < b.at; });
  return found;
}

}  // namespace

TEST(Generators, MakeSoundMeshesByDefault) {
  for (const Generator& generator : generators()) {
    const Mesh mesh = generator.make({}, "");
    const MeshReport report = check_mesh(mesh);
    EXPECT_TRUE(report.problems().empty()) << generator.name << ": " << report.problems().front();
    if (generator.name == "points") continue;  // which have no cells
    EXPECT_EQ(report.components, 1) << generator.name;
    EXPECT_TRUE(report.manifold) << generator.name;
    EXPECT_EQ(report.closed, !mesh.tets.empty()) << generator.name;
    if (generator.name != "overhand-knot") {
      EXPECT_LT((report.low + report.high).norm(), 0.02 * (report.high - report.low).norm()) << generator.name;
    }
  }
}

TEST(Generators, SolidsHaveNoSlivers) {
  for (const Generator& generator : generators()) {
    const MeshReport report = check_mesh(generator.make({}, ""));
    if (report.tets > 0) {
      EXPECT_GT(report.tet_quality.min, 0.4) << generator.name;
    }
  }
  for (const int rings : {1, 2, 7, 16})
    EXPECT_GT(check_mesh(make_sphere({.rings = rings})).tet_quality.min, 0.4) << rings;
}

TEST(Generators, BarHasTheCountsBoundsAndVolumeAskedFor) {
  for (const bool five : {true, false}) {
    const Mesh mesh = make_bar({.size = {4, 1, 2}, .cells = {5, 3, 2}, .split = five ? "five" : "six"});
    const MeshReport report = check_mesh(mesh);
    EXPECT_EQ(mesh.vertices.size(), 6u * 4 * 3);
    EXPECT_EQ(mesh.tets.size(), 5u * 3 * 2 * (five ? 5 : 6));
    EXPECT_EQ(surface(mesh).size(), 2u * 2 * (5 * 3 + 3 * 2 + 5 * 2));
    EXPECT_EQ(report.low, Vec3(-2, -0.5, -1));
    EXPECT_EQ(report.high, Vec3(2, 0.5, 1));
    EXPECT_NEAR(report.volume / 8, 1, 1e-14);
    EXPECT_NEAR(report.area, 2 * (4 + 2 + 8), 1e-13);
    EXPECT_EQ(euler_characteristic(mesh), 2);
    EXPECT_TRUE(report.problems().empty());
  }
}

TEST(Generators, CubeIsABarWithEqualEdges) {
  const Mesh cube = make_cube({.size = 2, .cells = 3});
  const Mesh bar = make_bar({.size = {2, 2, 2}, .cells = {3, 3, 3}});
  EXPECT_EQ(cube.tets, bar.tets);
  EXPECT_EQ(cube.vertices, bar.vertices);
}

TEST(Generators, SheetIsAGridWithTheDocumentedNumbering) {
  const SheetOptions options{.size = {2, 3}, .cells = {4, 6}};
  const Mesh mesh = make_sheet(options);
  ASSERT_EQ(mesh.vertices.size(), 5u * 7);
  EXPECT_EQ(mesh.triangles.size(), 2u * 4 * 6);
  for (int j = 0; j <= 6; ++j)
    for (int i = 0; i <= 4; ++i)
      EXPECT_LT((mesh.vertices[j * 5 + i] - Vec3(-1 + 0.5 * i, 0, -1.5 + 0.5 * j)).norm(), 1e-15);
  for (const auto& [a, b, c] : mesh.triangles)
    EXPECT_GT((mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).y(), 0);
  EXPECT_NEAR(check_mesh(mesh).area, 6, 1e-14);
  EXPECT_EQ(select(mesh, OnBoundary{}).size(), 2u * (4 + 6));
}

TEST(Generators, SolidsHaveTheirTopology) {
  EXPECT_EQ(euler_characteristic(make_sphere({})), 2);
  EXPECT_EQ(euler_characteristic(make_cylinder({})), 2);
  EXPECT_EQ(euler_characteristic(make_torus({})), 0);
}

TEST(Generators, RoundSolidsHaveTheDocumentedCounts) {
  const int n = 4;
  const Mesh sphere = make_sphere({.rings = n});
  EXPECT_EQ(sphere.tets.size(), 20u * n * n * n);
  EXPECT_EQ(sphere.vertices.size(), 1u + 12 + 42 + 92 + 162);
  const Mesh cylinder = make_cylinder({.rings = n, .layers = 5});
  EXPECT_EQ(cylinder.vertices.size(), 6u * (1 + 3 * n * (n + 1)));
  EXPECT_EQ(cylinder.tets.size(), 3u * 6 * n * n * 5);
  const Mesh torus = make_torus({.rings = n, .slices = 20});
  EXPECT_EQ(torus.vertices.size(), 20u * (1 + 3 * n * (n + 1)));
}

TEST(Generators, CactusIsOneRoundSolidAtEveryResolution) {
  for (const int cells : {12, 13, 17, 20, 25, 32, 41}) {
    const Mesh mesh = generate_mesh("cactus", {{"height", 2.0}, {"cells", std::int64_t{cells}}});
    const MeshReport report = check_mesh(mesh);
    EXPECT_TRUE(report.problems().empty()) << cells << ": " << report.problems().front();
    EXPECT_TRUE(report.manifold) << cells;
    EXPECT_EQ(report.components, 1) << cells;
    EXPECT_EQ(euler_characteristic(mesh), 2) << cells;
    EXPECT_GT(report.tet_quality.min, 0.4) << cells;
    EXPECT_NEAR((report.high - report.low)[1], 2, 1e-12) << cells;
    EXPECT_LT((report.low + report.high).norm(), 1e-12) << cells;
  }
}

TEST(Generators, CactusComesCloserToItsCapsulesTheFinerItIs) {
  // Of the bounds, which the arms decide: from -0.41 to 0.38 at a height of 1.
  const auto error = [](std::int64_t cells) {
    const MeshReport report = check_mesh(generate_mesh("cactus", {{"cells", cells}}));
    return std::abs((report.high - report.low)[0] - 0.79);
  };
  EXPECT_LT(error(20), 0.02);
  EXPECT_LT(error(40), 0.01);
}

TEST(Generators, VolumesConvergeToTheSmoothShapesWithSecondOrder) {
  const auto error = [](const Mesh& mesh, double exact) { return std::abs(check_mesh(mesh).volume / exact - 1); };
  const double ball = 4.0 / 3 * pi * 0.125;
  EXPECT_LT(error(make_sphere({.rings = 8}), ball), 0.02);
  EXPECT_NEAR(error(make_sphere({.rings = 8}), ball) / error(make_sphere({.rings = 16}), ball), 4, 0.2);
  const double cylinder = pi * 0.25 * 0.25 * 2;
  EXPECT_LT(error(make_cylinder({.rings = 8}), cylinder), 0.01);
  EXPECT_NEAR(error(make_cylinder({.rings = 8}), cylinder) / error(make_cylinder({.rings = 16}), cylinder), 4, 0.1);
  const double torus = 2 * pi * pi * 0.5 * 0.2 * 0.2;
  const double coarse = error(make_torus({.rings = 4, .slices = 24}), torus);
  EXPECT_LT(coarse, 0.03);
  EXPECT_NEAR(coarse / error(make_torus({.rings = 8, .slices = 48}), torus), 4, 0.1);
}

TEST(Generators, CurvesHaveTheirLengthAndEvenSegments) {
  EXPECT_NEAR(check_mesh(make_line({.length = 3, .segments = 7})).length, 3, 1e-14);
  const HelixOptions helix{.radius = 0.3, .pitch = 0.2, .turns = 4, .segments = 4000};
  EXPECT_NEAR(check_mesh(make_helix(helix)).length, 4 * std::hypot(2 * pi * 0.3, 0.2), 1e-4);
  const Mesh knot = make_overhand_knot({.segments = 300});
  ASSERT_EQ(knot.segments.size(), 300u);
  const double mean = check_mesh(knot).length / 300;
  for (const auto& [a, b] : knot.segments) EXPECT_NEAR((knot.vertices[b] - knot.vertices[a]).norm(), mean, 0.01 * mean);
}

TEST(Generators, HelixIsRightHanded) {
  const auto x = make_helix({.pitch = 0.1, .turns = 1, .segments = 8}).vertices;
  EXPECT_GT((x[1] - x[0]).cross(x[2] - x[1]).dot(x[3] - x[2]), 0);
}

TEST(Generators, OverhandKnotIsAnAlternatingTrefoilWithFreeTails) {
  const Mesh knot = make_overhand_knot({});
  // Three crossings, each passed twice, alternately above and below, and no crossing passed twice in a row: a reduced
  // alternating diagram, whose crossing number is minimal (Tait), so the knot is a trefoil.
  const auto walk = passages(knot);
  ASSERT_EQ(walk.size(), 6u);
  for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
    EXPECT_NE(walk[i].above, walk[i + 1].above);
    EXPECT_NE(walk[i].crossing, walk[i + 1].crossing);
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(walk[i].crossing, walk[i + 3].crossing);
  const MeshReport report = check_mesh(knot);
  EXPECT_NEAR(knot.vertices.front().x(), report.high.x(), 1e-12);
  EXPECT_NEAR(knot.vertices.back().x(), report.low.x(), 1e-12);
}

TEST(Generators, OverhandKnotKeepsItsStrandsApart) {
  const OverhandKnotOptions options{};
  const auto x = make_overhand_knot(options).vertices;
  const double spacing = (x[1] - x[0]).norm();
  const auto near_along_curve = static_cast<std::size_t>(options.size / spacing);
  double least = 1;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    for (std::size_t j = i + near_along_curve; j + 1 < x.size(); ++j)
      least = std::min(least, distance(x[i], x[i + 1], x[j], x[j + 1]));
  EXPECT_GT(least, 0.25 * options.size);
}

TEST(Generators, OptionsComeFromTheFieldTables) {
  const Mesh bar =
      generate_mesh("bar", {{"size", std::vector<double>{4, 1, 1}}, {"cells", std::vector<double>{4, 1, 1}}});
  EXPECT_EQ(bar.tets.size(), 20u);
  EXPECT_EQ(generate_mesh("rod", {}).tets, make_cylinder({}).tets);
}

TEST(Generators, RefuseWhatTheyCannotMake) {
  EXPECT_EQ(complaint("baar", {}), "generate = \"baar\": unknown generator; did you mean 'bar'?");
  EXPECT_EQ(complaint("bar", {{"sizes", 1.0}}), "sizes = 1: unknown key; did you mean 'size'?");
  EXPECT_EQ(complaint("sphere", {{"radius", -1.0, "x.toml", 3}}), "x.toml:3: radius = -1: must be > 0");
  EXPECT_EQ(complaint("torus", {{"tube", 0.6}}),
            "tube = 0.6: must be less than radius = 0.5; a thicker tube would overlap itself");
  EXPECT_EQ(complaint("cube", {{"cells", std::int64_t{1000000}}}),
            "cells: would make 5e+12 million cells, at most 50 million are allowed; choose a coarser resolution");
  EXPECT_THROW(make_bar({.size = {1, -1, 1}}), InputError);
  EXPECT_THROW(make_bar({.split = "seven"}), InputError);
  EXPECT_THROW(make_sheet({.size = {1, std::nan("")}}), InputError);
}

}  // namespace brio
