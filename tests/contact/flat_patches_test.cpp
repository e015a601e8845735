/// What flat patches call apart is apart: every pair of them is farther apart than half its distance at rest, wherever
/// they say that they hold, whatever the outline of the sheet.
#include "contact/flat_patches.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "brio/contact.h"
#include "brio/mesh.h"
#include "contact/distance.h"
#include "contact/self_contact.h"

namespace brio {
namespace {

using Keep = std::function<bool(const Vec3&)>;

/// A square of a meter without the triangles that are not wanted.
Mesh sheet(const Keep& keep) {
  Mesh mesh = make_sheet({.size = {1, 1}, .cells = {14, 14}});
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    return !keep((mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3);
  });
  std::vector<int> number(mesh.vertices.size(), -1);
  std::vector<Vec3> used;
  for (Triangle& t : mesh.triangles)
    for (int& v : t) {
      if (number[v] < 0) {
        number[v] = static_cast<int>(used.size());
        used.push_back(mesh.vertices[v]);
      }
      v = number[v];
    }
  mesh.vertices = std::move(used);
  return mesh;
}

/// A ring that is nearly closed, in a plane that is not along the axes, and other outlines.
std::vector<Mesh> outlines() {
  std::vector<Mesh> all{sheet([](const Vec3&) { return true; }),
                        sheet([](const Vec3& p) { return p.x() < 0 || p.z() < 0; }),
                        sheet([](const Vec3& p) { return p.norm() < 0.45; }),
                        sheet([](const Vec3& p) { return p.norm() > 0.3 && (p.x() < 0 || std::abs(p.z()) > 0.06); }),
                        sheet([](const Vec3& p) { return std::abs(p.x()) > 0.05 || p.z() > 0.2; })};
  const Eigen::AngleAxisd turn(1, Vec3(1, 2, 3).normalized());
  for (Vec3& p : all[3].vertices) p = turn * p;
  for (Vec3& p : all[1].vertices)  // folded along a line, at a right angle
    if (p.x() > 0.1) p = {0.1, p.x() - 0.1, p.z()};
  return all;
}

/// Bends, waves and crumples: `kind` of them.
NodalField deformed(const NodalField& rest, int kind, std::mt19937& random) {
  const auto number = [&] { return std::uniform_real_distribution<double>(-1, 1)(random); };
  NodalField x = rest;
  const Vec3 along = Vec3(number(), number(), number()).normalized();
  const Vec3 up = along.unitOrthogonal();
  const double size = kind == 3 ? 0 : std::abs(number()) * (kind == 2 ? 0.3 : 0.1), often = 3 + 3 * kind;
  const double radius = 0.13 + 0.2 * std::abs(number());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 p = rest[i];
    if (kind == 3) {  // rolled up, so that ends that are far apart at rest meet
      const double s = p.dot(along);
      x[i] = p + (radius * std::sin(s / radius) - s) * along + radius * (1 - std::cos(s / radius)) * up;
    } else {
      x[i] = p + size * std::sin(often * p.dot(along)) * up;
    }
    if (kind == 2) x[i] += 0.02 * Vec3(number(), number(), number());
  }
  return x;
}

struct Pair {
  PairKind kind;
  std::array<int, 4> vertices;
  bool apart;
};

std::vector<Pair> all_pairs(const ContactSurface& surface, const FlatPatches& patches) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < surface.points.size(); ++a)
    for (std::size_t b = 0; b < surface.triangles.size(); ++b) {
      const Triangle& t = surface.triangles[b];
      if (std::ranges::count(t, surface.points[a]) == 0)
        pairs.push_back({PairKind::point_triangle,
                         {surface.points[a], t[0], t[1], t[2]},
                         patches.are_apart(patches.points()[a], patches.triangles()[b])});
    }
  for (std::size_t a = 0; a < surface.edges.size(); ++a)
    for (std::size_t b = a + 1; b < surface.edges.size(); ++b) {
      const Segment &s = surface.edges[a], &t = surface.edges[b];
      if (s[0] != t[0] && s[0] != t[1] && s[1] != t[0] && s[1] != t[1])
        pairs.push_back({PairKind::segment_segment,
                         {s[0], s[1], t[0], t[1]},
                         patches.are_apart(patches.edges()[a], patches.edges()[b])});
    }
  return pairs;
}

double distance(const Pair& pair, const NodalField& x) {
  Vec3 place[4];
  for (int i = 0; i < 4; ++i) place[i] = x[pair.vertices[i]];
  return nearest(pair.kind, place).distance();
}

}  // namespace

TEST(FlatPatches, WhatTheyCallApartIsApart) {
  std::mt19937 random(5);
  const auto number = [&] { return std::uniform_real_distribution<double>(-1, 1)(random); };
  std::size_t apart = 0, near = 0;
  for (const Mesh& mesh : outlines()) {
    Model model;
    const BodyId body = model.add(ClothOptions{.mesh = mesh});
    const ContactSurface surface = contact_surface(model.body(body), 0.01);
    const NodalField& rest = model.rest();
    FlatPatches patches(surface, rest);
    ASSERT_FALSE(patches.empty());
    for (int trial = 0; trial < 8; ++trial) {
      const NodalField x = deformed(rest, trial % 4, random), zero(rest.size());
      NodalField u(rest.size()), s(rest.size());
      const Vec3 spin(number(), number(), number());
      for (std::size_t i = 0; i < x.size(); ++i) {
        u[i] = 0.3 * spin.cross(x[i]);
        s[i] = 0.02 * Vec3(std::sin(9 * x[i].x()), std::cos(7 * x[i].z()), 0);
      }
      patches.begin_step();
      patches.certify(x, u, s);
      ASSERT_TRUE(patches.holds(zero));
      // Somewhere that is covered, as far as it goes.
      NodalField stray(rest.size());
      const double tau = 0.5 + 0.5 * number(), sigma = 0.5 + 0.5 * number();
      double scale = 0.05;
      do {
        for (std::size_t i = 0; i < stray.size(); ++i) stray[i] = scale * Vec3(number(), number(), number());
        scale *= 0.8;
      } while (!patches.holds(stray));
      NodalField y(rest.size());
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + tau * u[i] + sigma * s[i] + stray[i];
      for (const Pair& pair : all_pairs(surface, patches)) {
        const double half = 0.5 * distance(pair, rest);
        if (pair.apart) {
          ++apart;
          ASSERT_GT(distance(pair, x), half) << trial;
          ASSERT_GT(distance(pair, y), half) << trial;
        } else {
          near += distance(pair, x) < half ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(apart, 10000U) << "nothing was gained";
  EXPECT_GT(near, 1000U) << "nothing came near";
}

TEST(FlatPatches, NeighborsInAClothThatHangsAreApart) {
  Model model;
  const BodyId body = model.add(ClothOptions{.mesh = make_sheet({.size = {1, 1}, .cells = {30, 30}})});
  const ContactSurface surface = contact_surface(model.body(body), 0.01);
  FlatPatches patches(surface, model.rest());
  NodalField x = model.rest(), zero(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i].y() -= 0.1 * std::cos(std::numbers::pi * x[i].x());
  patches.certify(x, zero, zero);
  double apart = 0, neighbors = 0;
  for (const Pair& pair : all_pairs(surface, patches)) {
    if (distance(pair, model.rest()) > 0.1) continue;
    ++neighbors;
    apart += pair.apart ? 1 : 0;
  }
  EXPECT_GT(apart, 0.99 * neighbors);
}

/// Through lists that were found with patches: nothing that touches is missed.
TEST(FlatPatches, MissNothingThatTouches) {
  std::mt19937 random(11);
  std::size_t touching = 0;
  for (const Mesh& mesh : outlines()) {
    Model model;
    const BodyId body = model.add(ClothOptions{.mesh = mesh});
    constexpr double thickness = 0.03;
    add_self_contact(model, {.thickness = thickness});
    auto contact = dynamic_cast<const SelfContact&>(*model.energies().back());
    const ContactSurface surface = contact_surface(model.body(body), thickness);
    const std::vector<Pair> pairs = all_pairs(surface, FlatPatches(surface, model.rest()));
    for (int trial = 0; trial < 8; ++trial) {
      const NodalField x = deformed(model.rest(), trial % 4, random);
      std::size_t active = 0;
      for (const Pair& pair : pairs)
        if (distance(pair, x) < std::min(thickness, 0.5 * distance(pair, model.rest()))) ++active;
      EXPECT_EQ(contact.active_count(x), active) << trial;
      touching += active;
    }
  }
  EXPECT_GT(touching, 1000U) << "nothing was seen";
}

}  // namespace brio
