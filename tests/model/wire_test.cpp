#include "model/wire.h"

#include <gtest/gtest.h>

#include "energies_under_test.h"

namespace brio {
using namespace testing;

namespace {

/// Turns the frames of every point by `angle(k)` about the x axis.
template <class Angle>
NodalField twisted(const Wire& wire, Angle angle) {
  NodalField x = field(wire.mesh.vertices);
  for (int k = 0; k < wire.points; ++k) {
    const Eigen::Matrix3d turn = rotation(angle(k), {1, 0, 0});
    const Vec3 R = x[3 * k];
    for (int corner = 1; corner < 3; ++corner) x[3 * k + corner] = R + turn * (Vec3(x[3 * k + corner]) - R);
  }
  return x;
}

Vec3 sum(const NodalField& f) {
  Vec3 total = Vec3::Zero();
  for (std::size_t i = 0; i < f.size(); ++i) total += f[i];
  return total;
}

/// Straight, then bent one way, straight again, then bent the other way: inflections and straight parts.
Mesh meander() {
  Mesh curve;
  for (int k = 0; k < 60; ++k) {
    const double s = 0.1 * k;
    const double bend = s < 1 || (s > 3 && s < 4) ? 0 : std::sin(3 * s);
    curve.vertices.emplace_back(s, bend * std::abs(bend), 0);
    if (k > 0) curve.segments.push_back({k - 1, k});
  }
  return curve;
}

}  // namespace

TEST(Wire, HasThreeVerticesPerPointAndThreePositiveTetrahedraPerSegment) {
  for (const Mesh& curve :
       {make_line({.length = 1, .segments = 10}), make_helix({}), make_overhand_knot({}), meander()}) {
    const Wire wire = make_wire("wire", curve, 0.01);
    EXPECT_EQ(wire.mesh.vertices.size(), 3 * curve.vertices.size());
    EXPECT_EQ(wire.mesh.tets.size(), 3 * curve.segments.size());
    EXPECT_TRUE(check_mesh(wire.mesh).inverted_tets.empty());
    EXPECT_TRUE(check_mesh(wire.mesh).flat_tets.empty());
    EXPECT_EQ(wire.edges.size(), 3 + curve.segments.size() * 9);
  }
}

TEST(Wire, FramesStayOrthonormalAndDoNotJumpOverStraightAndInflectedParts) {
  const Wire wire = make_wire("wire", meander(), 0.01);
  for (int k = 0; k < wire.points; ++k) {
    const Vec3 p = (wire.mesh.vertices[3 * k + 1] - wire.mesh.vertices[3 * k]) / 0.01;
    const Vec3 q = (wire.mesh.vertices[3 * k + 2] - wire.mesh.vertices[3 * k]) / 0.01;
    EXPECT_NEAR(p.norm(), 1, 1e-12);
    EXPECT_NEAR(q.norm(), 1, 1e-12);
    EXPECT_NEAR(p.dot(q), 0, 1e-12);
    EXPECT_NEAR(std::abs(q.z()), 1, 1e-9) << "the curve is plane, so its transported normal stays normal to the plane";
    if (k > 0) {
      const Vec3 before = (wire.mesh.vertices[3 * k - 1] - wire.mesh.vertices[3 * k - 3]) / 0.01;
      EXPECT_GT(q.dot(before), 0.99) << "point " << k;
    }
  }
}

TEST(Wire, SegmentsMayComeInAnyOrderButMustFormOneOpenLine) {
  Mesh line = make_line({.length = 1, .segments = 3});
  std::reverse(line.segments.begin(), line.segments.end());
  std::swap(line.segments[1][0], line.segments[1][1]);
  EXPECT_EQ(make_wire("wire", line, 0.01).points, 4);
  Mesh loop = line;
  loop.segments.push_back({0, 3});
  EXPECT_THROW(make_wire("wire", loop, 0.01), InputError);
  Mesh fork = line;
  fork.vertices.emplace_back(0, 1, 0);
  fork.segments.push_back({1, 4});
  EXPECT_THROW(make_wire("wire", fork, 0.01), InputError);
  Mesh loose = line;
  loose.vertices.emplace_back(0, 1, 0);
  EXPECT_THROW(make_wire("wire", loose, 0.01), InputError);
}

TEST(Torsion, RestsAtRestAndUnderRigidMotion) {
  const Wire wire = make_wire("wire", make_helix({.segments = 40}), 0.02);
  const NodalField rest = field(wire.mesh.vertices);
  const TorsionSprings torsion(0, wire.points, 3, rest);
  for (const NodalField& x : {rest, moved(rest, rotation(2, {1, 1, 0}), {1, 2, 3})}) {
    NodalField f(x.size());
    torsion.add(x, NodalField(x.size()), f);
    EXPECT_LT(flat(f).norm(), 1e-12);
  }
}

TEST(Torsion, TurnsATwistedPointBackWithTheStiffnessTimesHalfTheTwistErrors) {
  const Wire wire = make_wire("wire", make_line({.length = 1, .segments = 4}), 0.1);
  const NodalField rest = field(wire.mesh.vertices);
  const TorsionSprings torsion(0, wire.points, 3, rest);
  constexpr double phi = 0.02;  // at point 2 alone: errors -phi before and +phi behind it
  const NodalField x = twisted(wire, [](int k) { return k == 2 ? phi : 0.0; });
  NodalField f(x.size());
  torsion.add(x, NodalField(x.size()), f);
  const Vec3 arm = x[8] - x[6];
  const Vec3 expected = 3 * (rotation(-0.5 * phi, {1, 0, 0}) * arm - arm);
  EXPECT_LT((Vec3(f[8]) - expected).norm(), 1e-10);
}

TEST(Torsion, KeepsLinearMomentum) {
  const Wire wire = make_wire("wire", make_helix({.segments = 40}), 0.02);
  const NodalField rest = field(wire.mesh.vertices);
  const TorsionSprings torsion(0, wire.points, 3, rest);
  const NodalField x = moved(rest, Vec3(1.1, 0.9, 1).asDiagonal(), {0, 0, 0}, 0.003);
  NodalField f(x.size());
  torsion.add(x, NodalField(x.size()), f);
  EXPECT_GT(flat(f).norm(), 1e-4);
  EXPECT_LT(sum(f).norm(), 1e-15);
}

}  // namespace brio
