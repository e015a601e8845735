#include "model/wire.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

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
    const std::size_t first = 3 * static_cast<std::size_t>(k);
    const Vec3 R = x[first];
    for (std::size_t i = first + 1; i < first + 3; ++i) x[i] = R + turn * (Vec3(x[i]) - R);
  }
  return x;
}

Vec3 sum(const NodalField& f) {
  Vec3 total = Vec3::Zero();
  for (std::size_t i = 0; i < f.size(); ++i) total += f[i];
  return total;
}

Vec3 moment(const NodalField& x, const NodalField& f) {
  Vec3 total = Vec3::Zero();
  for (std::size_t i = 0; i < f.size(); ++i) total += Vec3(x[i]).cross(Vec3(f[i]));
  return total;
}

Mesh polyline(int segments, const std::function<Vec3(double)>& curve) {
  Mesh mesh;
  for (int k = 0; k <= segments; ++k) {
    mesh.vertices.push_back(curve(double(k) / segments));
    if (k > 0) mesh.segments.push_back({k - 1, k});
  }
  return mesh;
}

/// A straight tail, a full circle, a straight tail: closed, then straight.
Vec3 eye(double s) {
  const double angle = 2 * std::numbers::pi * (s - 0.25) / 0.5;
  if (s < 0.25) return {4 * std::numbers::pi * (s - 0.25), -1, 0};
  if (s > 0.75) return {4 * std::numbers::pi * (s - 0.75), -1, 0.4};
  return {std::sin(angle), -std::cos(angle), 0.4 * (s - 0.25) / 0.5};
}

/// The twist of the frames about the segment where it is largest [rad].
double largest_twist(const Wire& wire) {
  double most = 0;
  for (const auto& v : twist_segments(0, wire.points)) {
    Vector3<double> at[4];
    for (int a = 0; a < 4; ++a) {
      const Vec3& p = wire.mesh.vertices[v[a]];
      at[a] = {{p[0], p[1], p[2]}};
    }
    most = std::max(most, std::abs(TorsionKernel::twist(at)));
  }
  return most;
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
    const Vec3* const frame = &wire.mesh.vertices[3 * static_cast<std::size_t>(k)];
    const Vec3 p = (frame[1] - frame[0]) / 0.01;
    const Vec3 q = (frame[2] - frame[0]) / 0.01;
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

TEST(Wire, FramesAreCarriedWithoutTwistAlongEveryKindOfCurve) {
  const std::function<Vec3(double)> curves[]{
      [](double s) { return Vec3(s, 2 * s, -s); },
      [](double s) { return Vec3(std::sin(9 * s), s, std::cos(9 * s)); },
      [](double s) { return Vec3(s, 0.3 * std::sin(6 * s), 0); },
      [](double s) { return Vec3(s, 2 * std::pow(s - 0.5, 3), std::pow(std::max(s - 0.5, 0.0), 3)); },
      eye,
  };
  for (std::size_t c = 0; c < std::size(curves); ++c) {
    const double coarse = largest_twist(make_wire("wire", polyline(60, curves[c]), 0.01));
    const double fine = largest_twist(make_wire("wire", polyline(240, curves[c]), 0.01));
    EXPECT_LT(coarse, 0.02) << "curve " << c;
    EXPECT_LT(fine, 0.3 * coarse + 1e-12) << "curve " << c << ": only the corners of the polyline twist frames";
  }
}

TEST(Torsion, RestsAtRestAndUnderRigidMotion) {
  const Wire wire = make_wire("wire", make_helix({.segments = 40}), 0.02);
  const NodalField rest = field(wire.mesh.vertices);
  const TorsionBatch potential(twist_segments(0, wire.points), 1e-3, rest);
  const TorsionSprings torsion(0, wire.points, 1e-3, rest);
  for (const NodalField& x : {rest, moved(rest, rotation(2, {1, 1, 0}), {1, 2, 3})}) {
    NodalField f(x.size());
    torsion.add(x, NodalField(x.size()), 0, f);
    EXPECT_LT(flat(f).norm(), 1e-12);
    EXPECT_LT(potential.value(x), 1e-24);
    EXPECT_LT(gradient_of(potential, x).norm(), 1e-12);
  }
}

TEST(Torsion, TwistingAStraightWireByPhiStoresHalfKPhiSquared) {
  constexpr double length = 2, rigidity = 0.3;  // m, N m²: k = 0.15 N m
  const Mesh even = make_line({.length = length, .segments = 40});
  Mesh uneven = even;
  for (Vec3& p : uneven.vertices) p[0] += 0.1 * std::sin(3 * p[0]) - 0.1 * std::sin(3.0) * p[0];
  for (const Mesh& line : {even, uneven}) {
    const Wire wire = make_wire("wire", line, 0.05);
    const NodalField rest = field(wire.mesh.vertices);
    const TorsionBatch torsion(twist_segments(0, wire.points), rigidity, rest);
    for (const double phi : {0.01, 1.0, 20.0, -60.0}) {
      const NodalField x = twisted(wire, [&](int k) { return phi * line.vertices[k][0] / length; });
      const double expected = 0.5 * rigidity / length * phi * phi;
      EXPECT_NEAR(torsion.value(x), expected, 1e-9 * expected) << phi;
    }
  }
}

TEST(Torsion, KeepsBothMomentaInEveryShape) {
  const Wire wire = make_wire("wire", make_helix({.segments = 40}), 0.02);
  const NodalField rest = field(wire.mesh.vertices);
  const TorsionBatch torsion(twist_segments(0, wire.points), 1e-3, rest);
  const NodalField x = moved(rest, Vec3(1.1, 0.9, 1).asDiagonal(), {1, 2, 3}, 0.003);
  NodalField f(x.size());
  torsion.gradient(x, {.gradient = -1}, f);
  EXPECT_GT(flat(f).norm(), 1e-2);
  EXPECT_LT(sum(f).norm(), 1e-13 * flat(f).norm());
  EXPECT_LT(moment(x, f).norm(), 1e-12 * flat(f).norm());
}

TEST(Torsion, ASegmentTwistedBeyondHalfATurnSlipsByAWholeOne) {
  const Wire wire = make_wire("wire", make_line({.length = 1, .segments = 1}), 0.1);
  const NodalField rest = field(wire.mesh.vertices);
  const TorsionBatch torsion(twist_segments(0, 2), 2, rest);
  const auto energy = [&](double phi) { return torsion.value(twisted(wire, [=](int k) { return k * phi; })); };
  EXPECT_NEAR(energy(3.1), 3.1 * 3.1, 1e-9);
  EXPECT_NEAR(energy(3.2), std::pow(2 * std::numbers::pi - 3.2, 2), 1e-9);
  EXPECT_NEAR(energy(2 * std::numbers::pi + 0.5), 0.25, 1e-9);
}

TEST(Torsion, TheForceOfTheLiteratureIsThatOfThePotentialOnTheArmOfAPoint) {
  const Wire wire = make_wire("wire", make_line({.length = 1, .segments = 6}), 0.1);
  const NodalField rest = field(wire.mesh.vertices);
  const NodalField x = twisted(wire, [](int k) { return k == 3 ? 1e-3 : 0.0; });
  NodalField expected(x.size()), f(x.size());
  TorsionBatch(twist_segments(0, wire.points), 0.02, rest).gradient(x, {.gradient = -1}, expected);
  TorsionSprings(0, wire.points, 0.02, rest).add(x, NodalField(x.size()), 0, f);
  EXPECT_GT(Vec3(expected[11]).norm(), 1e-3);
  EXPECT_LT((Vec3(f[11]) - Vec3(expected[11])).norm(), 1e-3 * Vec3(expected[11]).norm());
}

TEST(Torsion, SpringsOfTheLiteratureTurnATwistedPointBackByHalfTheTwistErrors) {
  const Wire wire = make_wire("wire", make_line({.length = 1, .segments = 4}), 0.1);
  const NodalField rest = field(wire.mesh.vertices);
  const TorsionSprings torsion(0, wire.points, 3 * 0.25 * 0.01 / 4, rest);  // 3 N/m for links of 0.25 m, arms of 0.1 m
  constexpr double phi = 0.02;  // at point 2 alone: errors -phi before and +phi behind it
  const NodalField x = twisted(wire, [](int k) { return k == 2 ? phi : 0.0; });
  NodalField f(x.size());
  torsion.add(x, NodalField(x.size()), 0, f);
  const Vec3 arm = x[8] - x[6];
  const Vec3 expected = 3 * (rotation(-0.5 * phi, {1, 0, 0}) * arm - arm);
  EXPECT_LT((Vec3(f[8]) - expected).norm(), 1e-10);
}

TEST(Torsion, SpringsOfTheLiteratureKeepLinearMomentumAlone) {
  const Wire wire = make_wire("wire", make_helix({.segments = 40}), 0.02);
  const NodalField rest = field(wire.mesh.vertices);
  const TorsionSprings torsion(0, wire.points, 1e-3, rest);
  const NodalField x = moved(rest, Vec3(1.1, 0.9, 1).asDiagonal(), {0, 0, 0}, 0.003);
  NodalField f(x.size());
  torsion.add(x, NodalField(x.size()), 0, f);
  EXPECT_GT(flat(f).norm(), 1e-2);
  EXPECT_LT(sum(f).norm(), 1e-14 * flat(f).norm());
  EXPECT_GT(moment(x, f).norm(), 1e-4 * flat(f).norm());
}

}  // namespace brio
