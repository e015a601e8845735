/// What a scene shows: colors of bodies, colliders where contact feels them.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "brio/contact.h"
#include "scene/testing.h"

namespace brio {

using testing::SceneFile;

namespace {

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;
};

Box box_at(const Obstacle& obstacle, double time) {
  Box box;
  for (const Vec3& p : obstacle.vertices) {
    box.low = box.low.cwiseMin(obstacle.at(time).apply(p));
    box.high = box.high.cwiseMax(obstacle.at(time).apply(p));
  }
  return box;
}

/// Volume by the divergence theorem: positive when triangles are counter-clockwise seen from outside.
double volume(const Obstacle& obstacle) {
  double six = 0;
  for (const auto& [a, b, c] : obstacle.triangles)
    six += obstacle.vertices[a].dot(obstacle.vertices[b].cross(obstacle.vertices[c]));
  return six / 6;
}

void expect_near(const Vec3& have, const Vec3& want, double tolerance) {
  EXPECT_LE((have - want).norm(), tolerance) << have.transpose() << " instead of " << want.transpose();
}

}  // namespace

TEST_F(SceneFile, ColorsAreGivenAsOnAScreenAndKeptAsLight) {
  const Scene scene = load_body("color = [1, 0.5, 0]\ncopies = [2, 1, 1]\nspacing = [3, 0, 0]");
  ASSERT_EQ(scene.scenery.surfaces.size(), 2u);
  for (const Surface& surface : scene.scenery.surfaces) {
    EXPECT_TRUE(surface.painted);
    EXPECT_EQ(surface.color[0], 1);
    EXPECT_NEAR(surface.color[1], 0.2140411f, 1e-6);
    EXPECT_EQ(surface.color[2], 0);
  }
  EXPECT_FALSE(load_body("").scenery.surfaces[0].painted);
}

TEST_F(SceneFile, ColorsDoNotChangeWhatASceneIs) {
  EXPECT_EQ(load_body("color = [1, 0, 0]").digest, load_body("").digest);
}

TEST_F(SceneFile, ColorsOutOfRangeAreRefused) {
  EXPECT_EQ(body_complaint("color = [1, 0]"),
            "s.toml:5: body[0].color = [1, 0]: must be three numbers: red, green and blue");
  EXPECT_EQ(body_complaint("color = [255, 0, 0]"),
            "s.toml:5: body[0].color = [255, 0, 0]: each component must be in [0, 1]");
}

TEST_F(SceneFile, CollidersAreSeenWhereContactFeelsThem) {
  const Scene scene = load(minimal("position = [0, 9, 0]") + R"(
[[collider]]
law = 'potential'
shape = 'plane'
point = [0, 1, 0]
normal = [2, 0, 0]
[[collider]]
law = 'potential'
shape = 'sphere'
center = [1, 2, 3]
radius = 0.5
[[collider]]
law = 'potential'
shape = 'box'
center = [1, 0, 0]
size = [2, 4, 6]
rotate = { axis = [0, 0, 1], degrees = 90 }
[[collider]]
law = 'potential'
shape = 'capsule'
from = [0, 0, 0]
to = [2, 0, 0]
radius = 0.25
[[collider]]
law = 'potential'
shape = 'mesh'
mesh = { generate = 'cube', cells = 2 }
position = [0, -3, 0]
)");
  const std::vector<Obstacle>& seen = scene.scenery.obstacles;
  ASSERT_EQ(seen.size(), 5u);
  EXPECT_TRUE(seen[0].endless);
  expect_near(seen[0].at(0).rotation * Vec3::UnitY(), Vec3::UnitX(), 1e-12);
  expect_near(seen[0].at(0).translation, Vec3(0, 1, 0), 0);
  expect_near(box_at(seen[1], 0).low, Vec3(0.5, 1.5, 2.5), 1e-12);
  expect_near(box_at(seen[1], 0).high, Vec3(1.5, 2.5, 3.5), 1e-12);
  expect_near(box_at(seen[2], 0).low, Vec3(-1, -1, -3), 1e-12);
  expect_near(box_at(seen[3], 0).low, Vec3(-0.25, -0.25, -0.25), 1e-12);
  expect_near(box_at(seen[3], 0).high, Vec3(2.25, 0.25, 0.25), 1e-12);
  expect_near(box_at(seen[4], 0).low, Vec3(-0.5, -3.5, -0.5), 1e-12);
  EXPECT_NEAR(volume(seen[1]), 4.0 / 3 * M_PI * 0.125, 0.02);
  EXPECT_NEAR(volume(seen[2]), 48, 1e-9);
  EXPECT_NEAR(volume(seen[3]), M_PI * 0.0625 * (2 + 4.0 / 3 * 0.25), 0.02);
  EXPECT_NEAR(volume(seen[4]), 1, 1e-9);
}

TEST_F(SceneFile, MovingCollidersAreSeenMoving) {
  const Scene scene = load(minimal("position = [0, 9, 0]") + R"(
[[collider]]
law = 'potential'
shape = 'sphere'
radius = 1
path = [[0, [0, 0, 0]], [2, [4, 0, 0]]]
)");
  ASSERT_EQ(scene.scenery.obstacles.size(), 1u);
  expect_near(scene.scenery.obstacles[0].at(0).translation, Vec3(0, 0, 0), 1e-12);
  expect_near(scene.scenery.obstacles[0].at(1).translation, Vec3(2, 0, 0), 1e-12);
  expect_near(scene.scenery.obstacles[0].at(9).translation, Vec3(4, 0, 0), 1e-12);
}

TEST_F(SceneFile, MeshesOfCollidersAreLookedForBesideTheScene) {
  write("tent.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Scene scene = load(minimal("position = [0, 9, 0]") +
                           "[[collider]]\nshape = 'mesh'\nmesh = { file = 'tent.obj' }\nstiffness = 10\n");
  EXPECT_EQ(scene.scenery.obstacles[0].triangles.size(), 4u);
  EXPECT_NE(scene.resolved.find((folder / "tent.obj").string()), std::string::npos) << scene.resolved;
}

TEST_F(SceneFile, MeshesThatDeformAreToldByFrames) {
  const auto sheet = [](double height) { return fmt::format("v -2 0 -2\nv 2 0 -2\nv 0 {} 2\nf 1 3 2\n", height); };
  write("flat.obj", sheet(0));
  write("raised.obj", sheet(1));
  write("other.obj", "v 0 0 0\n");
  const std::string collider = "[[collider]]\nname = 'flap'\nshape = 'mesh'\nmesh = { file = 'flat.obj' }\nscale = 2\n";
  Scene scene = load(minimal("position = [0, 9, 0]") + collider +
                     "frames = [ { time = 0.5, file = 'flat.obj' }, { time = 1, file = 'raised.obj' } ]\n");
  const Obstacle& flap = scene.scenery.obstacles[0];
  EXPECT_EQ(flap.vertices_at(0)[2].y(), 0);
  expect_near(flap.vertices_at(0.75)[2], Vec3(0, 1, 4), 1e-12);
  expect_near(flap.vertices_at(9)[2], Vec3(0, 2, 4), 1e-12);
  EXPECT_NE(scene.resolved.find((folder / "raised.obj").string()), std::string::npos) << scene.resolved;
  const auto complaint_of = [&](const std::string& frames) {
    return complaint(minimal("position = [0, 9, 0]") + collider + frames);
  };
  EXPECT_NE(complaint_of("frames = [ { time = 0, file = 'none.obj' } ]\n").find("no such file"), std::string::npos);
  EXPECT_NE(complaint_of("frames = [ { time = 0 } ]\n").find("needs a file"), std::string::npos);
  EXPECT_NE(complaint_of("frames = [ { time = 0, file = 'other.obj' } ]\n").find("as many as the mesh has"),
            std::string::npos);
  EXPECT_NE(complaint_of("law = 'potential'\nframes = [ { time = 0, file = 'flat.obj' } ]\n").find("barrier"),
            std::string::npos);
  const auto digest_with = [&](double height) {
    write("raised.obj", sheet(height));
    return load(minimal("position = [0, 9, 0]") + collider + "frames = [ { time = 0.5, file = 'raised.obj' } ]\n")
        .digest;
  };
  EXPECT_NE(digest_with(1), digest_with(0.5)) << "another motion";
}

}  // namespace brio
