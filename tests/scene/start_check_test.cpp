/// What a scene should tell about how it starts, before anything moves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/materials/registry.h"
#include "scene/testing.h"

namespace brio {

using testing::SceneFile;

namespace {

std::string joined(const std::vector<std::string>& warnings) {
  std::string text;
  for (const std::string& warning : warnings) text += warning + "\n";
  return text;
}

const std::string any_step = "[integrator]\nname = 'backward-euler'\n";  // none is too long for it
const std::string plane = "[[collider]]\nname = 'floor'\nshape = 'plane'\n";
const std::string springs = "law = 'potential'\n";

}  // namespace

TEST_F(SceneFile, ABodyThatStartsInsideAColliderIsTold) {
  const auto told = [&](double height, const std::string& collider, double aside = 0) {
    return joined(
        load_body(fmt::format("name = 'cube'\nposition = [{1}, {0}, {1}]\n{2}", height, aside, collider)).warnings);
  };
  const std::string inside = told(0, plane + springs);
  EXPECT_NE(inside.find("cube starts 0.5 m inside floor, 50 % of its size: contact holds "), std::string::npos)
      << inside;
  EXPECT_NE(inside.find("move it out"), std::string::npos) << inside;
  EXPECT_EQ(told(0.5, plane + springs), "") << "on the floor";
  EXPECT_EQ(told(0.4995, plane + springs), "") << "sunk in as bodies at rest do";
  for (const std::string shape : {"shape = 'sphere'\nradius = 0.4", "shape = 'box'", "shape = 'capsule'",
                                  "shape = 'mesh'\nmesh = { generate = 'cube' }"}) {
    EXPECT_NE(told(0.4, "[[collider]]\n" + springs + shape, 0.4).find("cube starts "), std::string::npos) << shape;
    EXPECT_EQ(told(2, "[[collider]]\n" + springs + shape), "") << shape;
  }
}

TEST_F(SceneFile, SpringsThatStartFarFromWhatTheyHoldAreTold) {
  const auto told = [&](const std::string& path) {
    return joined(
        load_body("name = 'cube'\nattach = [ { select = { vertices = [0] }, stiffness = 2" + path + " } ]\n").warnings);
  };
  EXPECT_EQ(told(""), "");
  EXPECT_EQ(told(", path = [[0, [-0.5, 0, -0.5]], [1, [0, 0, 0]]]"), "") << "a spring may start stretched";
  const std::string far = told(", path = [[0, [-0.5, 98.5, -0.5]], [1, [0, 0, 0]]]");
  EXPECT_NE(far.find("cube: springs of attach start stretched by 99 m"), std::string::npos) << far;
  EXPECT_NE(far.find("they hold 9.8e+03 J"), std::string::npos) << far;
}

TEST_F(SceneFile, BodiesThatOverlapAreTold) {
  const auto told = [&](const std::string& other, const std::string& more = "") {
    return joined(load(minimal("name = 'a'") + "[[body]]\nname = 'b'\n" + other + more + any_step).warnings);
  };
  const std::string cube = "mesh = { generate = 'cube', cells = 1 }\n";
  const std::string crossing = told(cube + "position = [0.7, 0.3, 0.2]\n");
  EXPECT_NE(crossing.find("a and b overlap at the start, in "), std::string::npos) << crossing;
  EXPECT_NE(crossing.find("[contact]"), std::string::npos) << crossing;
  EXPECT_NE(told(cube + "scale = 0.3\n").find("a and b overlap at the start, one within the other"), std::string::npos);
  EXPECT_NE(told(cube + "scale = 3\n", "[contact]\n").find("one within the other"), std::string::npos);
  EXPECT_EQ(told(cube + "position = [1.1, 0, 0]\n"), "");
  const std::string rope = "kind = 'wire'\nradius = 0.01\nmesh = { generate = 'line', length = 4.1 }\n";
  EXPECT_NE(told(rope + "position = [0, 0.1, 0.2]\n").find("a and b overlap"), std::string::npos);
  EXPECT_EQ(told(rope + "position = [0, 0.7, 0]\n"), "");
  const std::string many = joined(load_body("copies = [3, 1, 1]\nspacing = [0.5, 0.1, 0.1]").warnings);
  EXPECT_NE(many.find(", and 1 more pairs do"), std::string::npos) << many;
  EXPECT_NE(told(cube).find("a and b overlap"), std::string::npos) << "one and the same place";
  EXPECT_EQ(told(cube + "position = [0, 1, 0]\n"), "") << "one stands on the other";
}

TEST_F(SceneFile, ManyBodiesInOnePlaceAreToldWithoutALookAtEveryPair) {
  const auto told = [&](int copies, double spacing) {
    return joined(load_body(fmt::format("copies = [{}, 1, 1]\nspacing = [{}, 0, 0]", copies, spacing)).warnings);
  };
  EXPECT_NE(told(900, 1e-6).find("so many bodies share one place that overlaps were not looked for; move them apart"),
            std::string::npos);
  EXPECT_NE(told(40, 1e-6).find(" overlap at the start"), std::string::npos);
  EXPECT_EQ(told(900, 1.5), "");
}

TEST_F(SceneFile, StiffnessThatDrownsMotionInRoundingIsTold) {
  const auto told = [&](const std::string& material, double height) {
    return joined(
        load_body(fmt::format("position = [0, {}, 0]\nmaterial = {}\n{}", height, material, any_step)).warnings);
  };
  for (const std::string name : {"stvk", "corotated", "stable-neo-hookean"}) {
    const std::string at_1e20 = told(fmt::format("{{ name = '{}', young = 1e20, poisson = 0.3 }}", name), 10);
    EXPECT_NE(at_1e20.find("rounding of positions alone makes its forces err by"), std::string::npos)
        << name << at_1e20;
    EXPECT_EQ(told(fmt::format("{{ name = '{}', young = 2e11, poisson = 0.3 }}", name), 10), "") << name << ": steel";
  }
  EXPECT_NE(told("{ name = 'stvk', young = 2e11, poisson = 0.3 }", 1e9).find("so far from the origin"),
            std::string::npos);
}

/// Where it is told, motion is off; where it is not, free fall is right.
TEST_F(SceneFile, WhereRoundingIsNotToldFreeFallIsRight) {
  for (const double young : {1e5, 1e11, 1e13, 1e14, 1e15, 1e18, 1e20}) {
    Scene scene = load(fmt::format(
        "[time]\nh = 0.01\n[integrator]\nname = 'avf'\n[[body]]\nmesh = {{ generate = 'cube', "
        "cells = 2 }}\nposition = [0, 10, 0]\nmass = 1000\nmaterial = {{ name = 'stvk', young = {}, poisson = "
        "0.3 }}\n",
        young));
    const double start = scene.simulation.ledger().gravity;
    ASSERT_TRUE(scene.simulation.step(20).ok());
    const double fallen = (start - scene.simulation.ledger().gravity) / (1000 * 9.81);
    if (scene.warnings.empty()) {
      EXPECT_NEAR(fallen, 9.81 / 2 * 0.2 * 0.2, 1e-6) << young;
    }
    EXPECT_EQ(scene.warnings.empty(), young < 1e17) << young;
  }
}

TEST_F(SceneFile, SliversInsideOutAndTooSoftAreTold) {
  write("flat.obj", "");
  write("sliver.vtk",
        "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0\n1 0 0\n0.5 1 0\n0.5 "
        "0.4 "
        "0.01\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n");
  const std::string sliver = joined(load_body("", "{ file = 'sliver.vtk' }").warnings);
  EXPECT_NE(sliver.find("body0: 1 of 1 tets are slivers"), std::string::npos) << sliver;
  EXPECT_NE(sliver.find("--tetrahedralize"), std::string::npos) << sliver;

  const std::string mirror =
      "material = { name = 'stvk', mu = 1e4, lambda = 1e4 }\ndeform = [{ select = { vertex = 0 }, translate = [2, 2, "
      "2] }]";
  const std::string turned = joined(load_body(mirror).warnings);
  EXPECT_NE(turned.find("tets start inside out, the worst at -"), std::string::npos) << turned;
  EXPECT_EQ(joined(load_body("material = { name = 'corotated', mu = 1e4, lambda = 1e4 }\ndeform = [{ select = { all = "
                             "true }, scatter = 1 }]")
                       .warnings),
            "")
      << "scattered on purpose";

  const auto soft = [&](double young) {
    return joined(
        load_body(fmt::format("density = 1000\nmaterial = {{ name = 'stable-neo-hookean', young = {}, poisson = 0.3 }}",
                              young))
            .warnings);
  };
  EXPECT_NE(soft(1e3).find("is too soft for its size"), std::string::npos) << soft(1e3);
  EXPECT_EQ(soft(1e5), "");
  const std::string copies = joined(load_body("density = 1000\ncopies = [3, 1, 1]\nspacing = [2, 0, 0]\nmaterial = { "
                                              "name = 'stvk', young = 1e3, poisson = 0.3 }")
                                        .warnings);
  EXPECT_NE(copies.find("(and likewise 2 other bodies)"), std::string::npos) << copies;
}

TEST_F(SceneFile, SpringsThatCannotCarryThemselvesAreTold) {
  const auto wire = [&](double stiffness) {
    return joined(load("[time]\nh = 0.01\nframes = 2\n" + any_step +
                       fmt::format("[[body]]\nkind = 'wire'\nmesh = {{ generate = 'line', length = 1, segments "
                                   "= 4 }}\nradius = 0.02\nmass = 1\nstiffness = {}\nvolume = 1e-9\ntorsion = "
                                   "1e-9\n",
                                   stiffness))
                      .warnings);
  };
  EXPECT_NE(wire(1e-3).find("is too soft for its size: its own weight would stretch it by"), std::string::npos)
      << wire(1e-3);
  EXPECT_EQ(wire(1e3), "");
}

/// Its energy is unbounded below: sums of squares of strains hold, lambda/2 (J-1)^2 with lambda < 0 does not.
TEST_F(SceneFile, MaterialsWhoseEnergyFallsWithoutEndAreTold) {
  for (const MaterialEntry& entry : materials()) {
    if (std::ranges::count(entry.keys, "mu") == 0) continue;
    for (const double poisson : {-0.3, -0.05, 0.0, 0.45}) {
      const bool has_kappa = std::ranges::count(entry.keys, "kappa") > 0;
      const std::string text = joined(
          load(fmt::format("gravity = [0, 0, 0]\n[time]\nh = 0.01\n[[body]]\nmesh = {{ generate = 'cube', cells = "
                           "1 }}\nmaterial = {{ name = '{}', young = 1e4, poisson = {}{} }}\n",
                           entry.name, poisson, has_kappa ? ", kappa = 1e4" : ""))
              .warnings);
      const bool told = text.find("gives way where it is stretched") != std::string::npos;
      EXPECT_EQ(told, entry.name == "neo-hookean" && poisson < 0) << entry.name << ", " << poisson << ": " << text;
    }
  }
}

TEST_F(SceneFile, ContactThatAvfCannotAverageExactlyIsTold) {
  const auto told = [&](const std::string& integrator, const std::string& rest) {
    return joined(load("[time]\nh = 0.01\n[integrator]\nname = '" + integrator +
                       "'\n[[body]]\nposition = [0, 3, 0]\nmesh = { generate = 'cube', cells = 1 }\nmaterial = { name "
                       "= 'stvk', mu = 1e4, lambda = 1e4 }\n" +
                       rest)
                      .warnings);
  };
  EXPECT_EQ(told("avf", plane + springs), "");
  for (const std::string shape : {"shape = 'box'", "shape = 'sphere'", "shape = 'capsule'"}) {
    EXPECT_NE(told("avf", "[[collider]]\n" + springs + shape).find("with a collider that is no plane"),
              std::string::npos)
        << shape;
    EXPECT_EQ(told("avf", "[[collider]]\n" + shape), "") << shape << ": a barrier has a discrete gradient";
    EXPECT_EQ(told("stabilized", "[[collider]]\n" + shape), "") << shape;
  }
  EXPECT_EQ(told("avf", "[contact]\nfriction = 0.3\n"), "");
  EXPECT_NE(told("avf'\nquadrature = 'gauss3", "[contact]\n").find("avf averages forces of contact (self-contact)"),
            std::string::npos);
  EXPECT_EQ(told("backward-euler", "[contact]\n"), "");
  for (const std::string integrator : {"avf", "stabilized", "backward-euler", "verlet"})
    EXPECT_NE(told(integrator, plane + "law = 'held-spring'\n").find("keeps no energy"), std::string::npos)
        << integrator;
  EXPECT_EQ(told("stabilized", plane + "law = 'spring'\n"), "");
  EXPECT_NE(told("stabilized", "[[collider]]\nshape = 'sphere'\nlaw = 'spring'\n").find("keeps no energy"),
            std::string::npos);
}

}  // namespace brio
