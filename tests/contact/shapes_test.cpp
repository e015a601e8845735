#include "testing.h"

namespace brio {
using namespace testing;

/// Points around the shapes: near and far, inside and outside.
std::vector<Vec3> points() {
  std::mt19937 random(3);
  std::vector<Vec3> list(400);
  for (Vec3& point : list) point = random_vector(random, 1.5);
  return list;
}

/// Whether the closest feature is the same all around p, so that differences do not straddle two.
template <class Shape>
bool is_smooth(const Shape& shape, const Vec3& p, double step) {
  const Closest here = shape.closest(p);
  for (int c = 0; c < 3; ++c)
    for (const double side : {-1, 1}) {
      const Closest there = shape.closest(p + 3 * side * step * Vec3::Unit(c));
      if ((there.normal - here.normal).norm() > 30 * step * (1 + std::abs(here.bend))) return false;
      if ((here.bend == 0) != (there.bend == 0) || !there.axis.isApprox(here.axis)) return false;
    }
  return true;
}

TEST(Shapes, NormalIsTheGradientOfTheDistance) {
  constexpr double step = 1e-5;
  for_each_shape([&](const char* name, const auto& shape) {
    int tested = 0;
    for (const Vec3& p : points()) {
      if (!is_smooth(shape, p, step)) continue;
      ++tested;
      const Closest at = shape.closest(p);
      EXPECT_NEAR(at.normal.norm(), 1, 1e-12) << name;
      for (int c = 0; c < 3; ++c) {
        const Vec3 d = step * Vec3::Unit(c);
        const double slope = (shape.closest(p + d).distance - shape.closest(p - d).distance) / (2 * step);
        EXPECT_NEAR(slope, at.normal[c], 1e-7) << name << " at " << p.transpose();
      }
    }
    EXPECT_GT(tested, 300) << name;
  });
}

TEST(Shapes, CurvatureIsTheGradientOfTheNormal) {
  constexpr double step = 1e-5;
  for_each_shape([&](const char* name, const auto& shape) {
    for (const Vec3& p : points()) {
      if (!is_smooth(shape, p, step)) continue;
      const Mat3 curvature = shape.closest(p).curvature();
      for (int c = 0; c < 3; ++c) {
        const Vec3 d = step * Vec3::Unit(c);
        const Vec3 slope = (shape.closest(p + d).normal - shape.closest(p - d).normal) / (2 * step);
        EXPECT_LT((slope - curvature.col(c)).norm(), 1e-6 * (1 + curvature.squaredNorm()))
            << name << " at " << p.transpose();
      }
    }
  });
}

/// Feet p - φ n lie on the surface, and it takes |φ| to get there.
TEST(Shapes, DistanceLeadsToTheSurface) {
  for_each_shape([&](const char* name, const auto& shape) {
    for (const Vec3& p : points()) {
      const Closest at = shape.closest(p);
      EXPECT_NEAR(shape.closest(p - at.distance * at.normal).distance, 0, 1e-12) << name << " at " << p.transpose();
    }
  });
}

TEST(Shapes, EveryFeatureOfABoxIsTold) {
  const shapes::Box box{.half = {1, 2, 3}};
  EXPECT_DOUBLE_EQ(box.closest({0.5, 0, 0}).distance, -0.5);
  EXPECT_DOUBLE_EQ(box.closest({0, -2.5, 0}).distance, 0.5);
  EXPECT_EQ(box.closest({0, -2.5, 0}).bend, 0);
  const Closest edge = box.closest({4, 6, -1});
  EXPECT_DOUBLE_EQ(edge.distance, 5);
  EXPECT_EQ(edge.axis, Vec3::UnitZ());
  EXPECT_DOUBLE_EQ(edge.bend, 0.2);
  const Closest corner = box.closest({-2, -4, -5});
  EXPECT_DOUBLE_EQ(corner.distance, 3);
  EXPECT_TRUE(corner.axis.isZero());
  EXPECT_TRUE(corner.normal.isApprox(Vec3(-1, -2, -2) / 3));
}

TEST(Shapes, CentersGiveFiniteAnswers) {
  for (const Closest& at : {shapes::Sphere{.radius = 2}.closest(Vec3::Zero()),
                            shapes::Capsule{.half_length = 1, .radius = 2}.closest({0, 0.3, 0})}) {
    EXPECT_EQ(at.distance, -2);
    EXPECT_NEAR(at.normal.norm(), 1, 1e-15);
    EXPECT_TRUE(at.curvature().allFinite());
  }
}

TEST(MeshShape, OfABoxIsTheBox) {
  Mesh cube = make_bar({.size = {1.8, 1.2, 1.4}, .cells = {3, 2, 4}});
  const TriangleShape mesh(cube, "mesh");
  const shapes::Box box{.half = {0.9, 0.6, 0.7}};
  for (const Vec3& p : points()) {
    const Closest a = mesh.closest(p);
    const Closest b = box.closest(p);
    EXPECT_NEAR(a.distance, b.distance, 1e-14) << p.transpose();
    EXPECT_LT((a.normal - b.normal).norm(), 1e-12) << p.transpose();
    EXPECT_LT((a.curvature() - b.curvature()).norm(), 1e-9 * (1 + b.curvature().norm())) << p.transpose();
    EXPECT_LE(mesh.min_distance(p), a.distance + 1e-14);
  }
}

/// Vertices and edges of thin spikes and dents are where the normal of any one face would mislead.
TEST(MeshShape, PseudonormalsTellInsideFromOutside) {
  Mesh spike{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0.1, 5, 0.1}},
             .tets = {{0, 2, 1, 3}},
             .triangles = {},
             .segments = {}};
  const TriangleShape shape(spike, "mesh");
  std::mt19937 random(8);
  std::uniform_real_distribution<double> u(-0.5, 6);
  const auto side = [&](int a, int b, int c, int opposite, const Vec3& p) {
    const auto& x = spike.vertices;
    const Vec3 n = (x[b] - x[a]).cross(x[c] - x[a]);
    return n.dot(p - x[a]) * n.dot(x[opposite] - x[a]) > 0;
  };
  int inside = 0;
  for (int i = 0; i < 4000; ++i) {
    Vec3 p(0.2 * u(random), u(random), 0.2 * u(random));
    const bool expected = side(0, 1, 2, 3, p) && side(0, 1, 3, 2, p) && side(0, 2, 3, 1, p) && side(1, 2, 3, 0, p);
    inside += expected ? 1 : 0;
    EXPECT_EQ(shape.closest(p).distance < 0, expected) << p.transpose();
  }
  EXPECT_GT(inside, 50);
}

TEST(MeshShape, RefusesWhatHasNoInside) {
  Mesh open = corner_piece();
  open.triangles.pop_back();
  Mesh turned = corner_piece();
  for (Triangle& triangle : turned.triangles) std::swap(triangle[0], triangle[1]);
  Mesh torn = corner_piece();
  std::swap(torn.triangles[0][0], torn.triangles[0][1]);
  Mesh doubled = corner_piece();
  doubled.triangles.push_back(doubled.triangles[0]);
  Mesh flat = corner_piece();
  flat.vertices[flat.triangles[0][0]] = flat.vertices[flat.triangles[0][1]];
  for (const Mesh& mesh : {open, turned, torn, doubled, flat, Mesh{}})
    EXPECT_THROW(TriangleShape(mesh, "wall.mesh"), InputError);
  try {
    TriangleShape(open, "wall.mesh");
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("wall.mesh: is not closed"), std::string::npos) << error.what();
  }
}

}  // namespace brio
