/// Scenes in which something is done to bodies from outside.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scene/testing.h"

namespace brio {

using testing::SceneFile;

TEST_F(SceneFile, PinsFollowTheirPathAndTurn) {
  Scene scene = load_body(
      "pin = { select = { plane = [[0, 0.49, 0], [0, 1, 0]] }, path = [[0, [0, 0.5, 0]], [0.01, [0, 0.6, 0]]], turn = "
      "[[0, 0], [0.01, 90]], axis = [0, 2, 0], interpolate = 'smooth' }");
  ASSERT_TRUE(scene.simulation.step(20).ok());
  const Model& model = scene.simulation.model();
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    if (model.pinned()[i] == 0) continue;
    const Vec3 p = model.rest()[i];
    EXPECT_LT((scene.simulation.state().x[i] - Vec3(p[2], 0.6, -p[0])).norm(), 1e-12);
  }
  EXPECT_GT(scene.simulation.ledger().user_work, 0);
}

/// Wherever the selection starts, deformed or copied, the path says where its middle is.
TEST_F(SceneFile, APinsPathSaysWhereItsMiddleIs) {
  for (const std::string deform : {"", "deform = [{ select = { all = true }, translate = [0, 2, 0] }]\n"}) {
    const double top = deform.empty() ? 3.5 : 5.5;
    Scene scene =
        load_body(fmt::format("position = [1, 3, 0]\ncopies = [2, 1, 1]\nspacing = [4, 0, 0]\n{}"
                              "pin = {{ select = {{ plane = [[0, 3.49, 0], [0, 1, 0]] }}, path = [[0, [1, {}, "
                              "0]], [0.01, [1, 7, 2]]] }}",
                              deform, top));
    ASSERT_TRUE(scene.simulation.step(15).ok());
    const Model& model = scene.simulation.model();
    for (const Body& body : model.bodies()) {
      Vec3 middle = Vec3::Zero();
      int count = 0;
      for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i)
        if (const std::size_t v = body.first_vertex + i; model.pinned()[v] != 0) {
          middle += scene.simulation.state().x[v];
          ++count;
        }
      ASSERT_EQ(count, 4);
      EXPECT_LT((middle / count - Vec3(body.first_vertex == 0 ? 1 : 5, 7, 2)).norm(), 1e-12) << body.name;
    }
  }
}

TEST_F(SceneFile, APathThatBeginsElsewhereThanThePinIsRefusedWithWhatToAdd) {
  const std::string pin = "position = [0, 2, 0]\npin = { select = { plane = [[0, 2.49, 0], [0, 1, 0]] }, ";
  EXPECT_EQ(
      body_complaint(pin + "path = [[0, [0, 0, 0]], [1, [0, 1, 0]]] }"),
      "s.toml:6: body[0].pin.path = [[0, [0, 0, 0]], [1, [0, 1, 0]]]: begins at [0, 0, 0], but the middle of what "
      "it moves is at [0, 2.5, 0]; a path says where the middle is: add [0, 2.5, 0] to every place");
  EXPECT_EQ(body_complaint(pin + "path = [[0, [0, 2.5, 0]], [1, [0, 3.5, 0]]] }"), "no complaint");
  EXPECT_EQ(body_complaint(pin + "path = [[2, [0, 2.5, 0]], [3, [0, 3.5, 0]]] }"), "no complaint") << "held before";
  EXPECT_EQ(body_complaint(pin + "path = [[-1, [0, 1.5, 0]], [1, [0, 3.5, 0]]] }"), "no complaint") << "there at 0 s";
  EXPECT_EQ(body_complaint(pin + "turn = [[0, 30], [1, 60]] }"),
            "s.toml:6: body[0].pin.turn = [[0, 30], [1, 60]]: is 30 degrees at the start, where nothing is turned; "
            "begin with 0: subtract the first angle from all");
}

TEST_F(SceneFile, PinsThatMoveOneVertexDifferentlyAreRefused) {
  const auto two = [&](const std::string& one, const std::string& other) {
    return body_complaint("pin = [{ select = { plane = [[0, 0.49, 0], [0, 1, 0]] }" + one +
                          " }, { select = { plane = [[0.49, 0, 0], [1, 0, 0]] }" + other + " }]");
  };
  const std::string up = ", path = [[0, [0, 0.5, 0]], [1, [0, 1.5, 0]]]";
  EXPECT_NE(two("", ", path = [[0, [0.5, 0, 0]], [1, [1, 0, 0]]]").find("at 1 s, where body[0].pin[0] has it at"),
            std::string::npos);
  EXPECT_NE(two(up, "").find("body[0].pin[1]"), std::string::npos) << "moved and still";
  EXPECT_NE(two(up, ", path = [[0, [0.5, 0, 0]], [1, [1, 0, 0]]]").find("select each vertex in one of them only"),
            std::string::npos);
  EXPECT_NE(two(up, ", turn = [[0, 0], [1, 90]]").find("at 1 s"), std::string::npos);
  EXPECT_EQ(two("", ""), "no complaint");
  EXPECT_EQ(two(up, ", path = [[0, [0.5, 0, 0]], [1, [0.5, 1, 0]]]"), "no complaint") << "both lift it by 1 m";
  EXPECT_EQ(
      body_complaint("attach = [{ select = { all = true }, stiffness = 10 }, { select = { vertex = 0 }, stiffness "
                     "= 10, path = [[0, [0, 0, 0]], [1, [1, 0, 0]]] }]"),
      "no complaint")
      << "springs may pull both ways";
}

/// Nothing depends on the length of an axis or normal, from the smallest numbers to the largest.
TEST_F(SceneFile, DirectionsMayHaveAnyLength) {
  const auto moved = [&](double length) {
    const std::string along = fmt::format("[0, {}, {}]", 0.6 * length, 0.8 * length);
    Scene scene = load(
        fmt::format("[time]\nh = 0.001\n[integrator]\nname = 'variational'\n[[body]]\nmesh = {{ generate = 'cube', "
                    "cells = 1 }}\nposition = [0, 1, 0]\nrotate = {{ axis = {0}, degrees = 30 }}\n"
                    "deform = [{{ select = {{ vertex = 2 }}, rotate = {{ axis = {0}, degrees = 10 }} }}]\n"
                    "constrain = [{{ kind = 'plane', vertex = 0, direction = {0} }}, {{ kind = 'line', vertex = 3, "
                    "direction = {0} }}]\npin = {{ select = {{ vertex = 5 }}, turn = [[0, 0], [1, 90]], axis = {0} }}\n"
                    "[[collider]]\nshape = 'plane'\nlaw = 'potential'\nnormal = {0}\n[[collider]]\nshape = 'box'\n"
                    "law = 'potential'\nrotate = {{ axis = {0}, degrees = 20 }}\nturn = [[0, 0], [1, 90]]\naxis = "
                    "{0}\ncenter = [0, -3, 0]\n",
                    along));
    EXPECT_TRUE(scene.simulation.step(3).ok()) << length;
    return scene;
  };
  const Scene usual = moved(1);
  for (const double length : {1e-300, 1e-160, 1e-12, 1e12, 1e160, 1e300}) {
    const Scene scene = moved(length);
    for (std::size_t i = 0; i < usual.simulation.model().vertices(); ++i)
      EXPECT_LT((scene.simulation.state().x[i] - usual.simulation.state().x[i]).norm(), 1e-9) << length;
  }
}

TEST_F(SceneFile, AttachmentsPullAlongTheirPath) {
  Scene scene =
      load_body("attach = { select = { vertex = 0 }, stiffness = 100, path = [[0, [0, 0, 0]], [1, [1, 0, 0]]] }");
  ASSERT_TRUE(scene.simulation.step(5).ok());
  EXPECT_NE(scene.simulation.ledger().user_work, 0);
}

TEST_F(SceneFile, AttachmentsLetGoWhenToldAndTheirEnergyIsBooked) {
  const std::string scene_text =
      "gravity = [0, 0, 0]\nintegrator.name = 'avf'\n[time]\nh = 0.01\n[[body]]\n"
      "mesh = { generate = 'cube', cells = 1 }\nmass = 1\nmaterial = { name = 'stvk', mu = 1e3, lambda = 1e3 }\n"
      "attach = { select = { all = true }, stiffness = 100, path = [[0, [0, 0, 0]], [0.2, [1, 0, 0]]], release = 0.1 "
      "}\n";
  Scene scene = load(scene_text);
  ASSERT_TRUE(scene.simulation.step(9).ok());
  const Snapshot held = scene.simulation.snapshot();
  EXPECT_GT(scene.simulation.ledger().elastic, 0.01);
  ASSERT_TRUE(scene.simulation.step(6).ok());
  const LedgerRow free = scene.simulation.ledger();
  EXPECT_GT(free.linear[0], 0.1);
  ASSERT_TRUE(scene.simulation.step(20).ok());
  const LedgerRow& later = scene.simulation.ledger();
  EXPECT_LT((later.linear - free.linear).norm(), 1e-9) << "nothing holds it any longer";
  EXPECT_EQ(later.user_work, free.user_work);
  EXPECT_LT(std::abs(later.residual), 1e-8 * later.total);
  const auto end = scene.simulation.hash();
  scene.simulation.restore(held);
  ASSERT_TRUE(scene.simulation.step(26).ok());
  EXPECT_EQ(scene.simulation.hash(), end) << "a return to before the release holds again";
}

TEST_F(SceneFile, PushesAreSharedByWhatIsSelected) {
  Scene scene =
      load("gravity = [0, 0, 0]\nintegrator.name = 'avf'\n" +
           minimal("mass = 2\npush = { select = { boundary = true }, force = [[0, [0, 0, 3]], [1, [0, 0, 3]]] }"));
  ASSERT_TRUE(scene.simulation.step(100).ok());
  EXPECT_NEAR(scene.simulation.ledger().linear[2], 0.3, 1e-9);
}

TEST_F(SceneFile, WindBlowsAndDampingDamps) {
  Scene scene = load("gravity = [0, 0, 0]\n" + minimal("wind = { velocity = [3, 0, 0] }") +
                     "[[damping]]\nname = 'rayleigh'\nstiffness = 1e-4\nmass = 0.5\n"
                     "[[damping]]\nname = 'drag'\ncoefficient = 0.25\n");
  const Damping& damping = scene.simulation.model().damping();
  EXPECT_EQ(damping.strain, 1e-4);
  EXPECT_EQ(damping.relative, 0.5);
  EXPECT_EQ(damping.drag, 0.25);
  ASSERT_TRUE(scene.simulation.step(10).ok());
  EXPECT_GT(scene.simulation.ledger().linear[0], 0);
  EXPECT_GT(scene.simulation.ledger().damping_loss, 0);
}

TEST_F(SceneFile, RayleighDampingAsRojasHasItIsKnownByName) {
  const std::string damping = "[[damping]]\nname = 'rayleigh-s0'\nstiffness = 0.01\nmass = 0.5\n";
  Scene scene = load("integrator.name = 'avf'\n" + minimal("mass = 2") + damping);
  EXPECT_EQ(scene.simulation.model().damping().s0_stiffness, 0.01);
  EXPECT_EQ(scene.simulation.model().damping().s0_mass, 0.5);
  EXPECT_EQ(scene.simulation.model().damping().strain, 0);
  ASSERT_TRUE(scene.simulation.step(10).ok());
  EXPECT_GT(scene.simulation.ledger().damping_loss, 0);
  EXPECT_THROW(load("integrator.name = 'verlet'\n" + minimal("mass = 2") + damping), InputError);
}

TEST_F(SceneFile, ConstraintsHoldAPendulum) {
  Scene scene = load(
      "[time]\nh = 0.01\n[integrator]\nname = 'variational'\n[[body]]\nkind = 'particles'\nstiffness = 1\n"
      "mesh = { generate = 'line', segments = 1 }\nconstrain = [{ kind = 'point', vertex = 0 }, { kind = 'distance', "
      "vertex = 0, other = 1 }]\n");
  ASSERT_EQ(scene.simulation.model().constraints().size(), 2U);
  const Vec3 held = scene.simulation.state().x[0];
  ASSERT_TRUE(scene.simulation.step(100).ok());
  const State& state = scene.simulation.state();
  EXPECT_LT((state.x[0] - held).norm(), 1e-9);
  EXPECT_NEAR((state.x[1] - state.x[0]).norm(), 1, 1e-9);
  EXPECT_GT(scene.simulation.ledger().kinetic, 0.1);
}

}  // namespace brio
