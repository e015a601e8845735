/// Scenes in which something is done to bodies from outside.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/testing.h"

namespace brio {

using testing::SceneFile;

TEST_F(SceneFile, PinsFollowTheirPathAndTurn) {
  Scene scene = load_body(
      "pin = { select = { plane = [[0, 0.49, 0], [0, 1, 0]] }, path = [[0, [0, 0.5, 0]], [0.01, [0, 0.6, 0]]], turn = "
      "[[0, 0], [0.01, 90]], axis = [0, 2, 0] }");
  ASSERT_TRUE(scene.simulation.step(20).ok());
  const Model& model = scene.simulation.model();
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    if (model.pinned()[i] == 0) continue;
    const Vec3 p = model.rest()[i];
    EXPECT_LT((scene.simulation.state().x[i] - Vec3(p[2], 0.6, -p[0])).norm(), 1e-12);
  }
  EXPECT_GT(scene.simulation.ledger().user_work, 0);
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
