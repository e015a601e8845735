/// Scenes that begin where their bodies hang or lie still.
#include <gtest/gtest.h>

#include "scene/testing.h"

namespace brio {
namespace {

class EquilibriumStart : public testing::SceneFile {
 protected:
  static std::string hanging(const std::string& start, const std::string& more = "") {
    return "[time]\nh = 0.01\n" + start + "\n[integrator]\nname = 'avf'\n[solver]\ntolerance = 1e-12\n" +
           "[[body]]\nmesh = { generate = 'bar', size = [0.2, 1, 0.2], cells = [1, 4, 1] }\n"
           "material = { name = 'neo-hookean', young = 1e5, poisson = 0.3 }\nvelocity = [0.5, 0, 0]\n" +
           more;
  }
  static constexpr const char* held = "pin = [ { select = { plane = [[0, 0.499, 0], [0, 1, 0]] } } ]\n";
  static constexpr const char* still = "start = 'equilibrium'";
};

}  // namespace

TEST_F(EquilibriumStart, HangsStillFromFrameZeroOn) {
  Scene given = load(hanging("", held));
  EXPECT_GT(given.simulation.ledger().kinetic, 0);
  Scene scene = load(hanging(still, held));
  EXPECT_EQ(scene.simulation.ledger().kinetic, 0);
  EXPECT_EQ(scene.simulation.state().step, 0);
  EXPECT_EQ(scene.simulation.ledger().residual, 0);
  EXPECT_GT(scene.simulation.ledger().elastic, 0);
  const double exchange = given.simulation.ledger().gravity - scene.simulation.ledger().gravity;
  EXPECT_GT(exchange, 0);
  ASSERT_TRUE(scene.simulation.step(50).ok());
  EXPECT_LE(scene.simulation.ledger().kinetic, 1e-16 * exchange);
}

TEST_F(EquilibriumStart, IsTheSameToTheBitEveryTimeAndGoesOnAsIfNotInterrupted) {
  Scene first = load(hanging(still, held)), second = load(hanging(still, held));
  EXPECT_EQ(first.simulation.hash(), second.simulation.hash());
  EXPECT_EQ(first.digest, second.digest);
  EXPECT_NE(first.digest, load(hanging("", held)).digest);
  ASSERT_TRUE(first.simulation.step(3).ok());
  const Snapshot moment = first.simulation.snapshot();
  ASSERT_TRUE(first.simulation.step(3).ok());
  Snapshot resumed = second.simulation.snapshot();  // as a run that is resumed takes it: state and ledger of a file
  resumed.state = moment.state;
  resumed.ledger = moment.ledger;
  second.simulation.restore(resumed);
  ASSERT_TRUE(second.simulation.step(3).ok());
  EXPECT_EQ(first.simulation.hash(), second.simulation.hash());
  EXPECT_EQ(first.simulation.ledger().residual, second.simulation.ledger().residual);
}

TEST_F(EquilibriumStart, IsRefusedWhereNothingHoldsABody) {
  const std::string message = complaint(hanging(still));
  EXPECT_NE(message.find("s.toml:3: time.start"), std::string::npos) << message;
  EXPECT_NE(message.find("there is no equilibrium: nothing holds \""), std::string::npos) << message;
  // What a collider misses is only found out by looking for it.
  const std::string missed = hanging(still, "[[collider]]\nshape = 'sphere'\ncenter = [50, 0, 0]\n");
  EXPECT_NE(complaint(missed).find("there is no equilibrium"), std::string::npos) << complaint(missed);
  std::string start;
  write("s.toml", missed);
  EXPECT_THROW(check_scene(folder / "s.toml", {}, start), InputError);
  write("s.toml", hanging(still));
  EXPECT_THROW(check_scene(folder / "s.toml", {}, start), InputError);
}

TEST_F(EquilibriumStart, IsLookedForByACheckWhichTellsHowThatWent) {
  std::string start;
  write("s.toml", hanging(still, held));
  EXPECT_EQ(check_scene(folder / "s.toml", {}, start).simulation.ledger().kinetic, 0);
  EXPECT_TRUE(start.starts_with("found in ")) << start;
  write("s.toml", hanging("", held));
  check_scene(folder / "s.toml", {}, start);
  EXPECT_EQ(start, "") << "nothing to look for";
}

TEST_F(EquilibriumStart, OfWhatSlidesAwayNamesTheBody) {
  const std::string message = complaint(hanging(still,
                                                "name = 'sledge'\n[[collider]]\nshape = 'plane'\nlaw = "
                                                "'potential'\npoint = [0, -0.5, 0]\nnormal = [0.5, 1, 0]\n"));
  EXPECT_NE(message.find("nothing holds \"sledge\""), std::string::npos) << message;
}

TEST_F(EquilibriumStart, OfConstrainedBodiesIsRefusedForWhatItIs) {
  const auto rod = [](const std::string& constraints) {
    return "[time]\nh = 0.01\nstart = 'equilibrium'\n[integrator]\nname = 'variational'\n[[body]]\nname = 'rod'\n"
           "kind = 'particles'\nmesh = { generate = 'line', length = 1, segments = 1 }\nconstrain = [" +
           constraints + "]\n";
  };
  const std::string held_by_one = complaint(rod("{ kind = 'point', vertex = 0 }"));
  EXPECT_NE(held_by_one.find("models with constraints are not looked for"), std::string::npos) << held_by_one;
  const std::string loose = complaint(rod("{ kind = 'distance', vertex = 0, other = 1 }"));
  EXPECT_NE(loose.find("nothing holds \"rod\""), std::string::npos) << loose;
}

TEST_F(EquilibriumStart, AmongInvertedTetsTellsTheRightRemedy) {
  const Scene scene = load(
      "[time]\nh = 0.02\nstart = 'equilibrium'\n[integrator]\nname = 'avf'\n[[body]]\nname = 'jelly'\n"
      "mesh = { generate = 'bar', size = [1.2, 0.3, 0.3], cells = [8, 2, 2] }\n"
      "material = { name = 'stvk', young = 2e4, poisson = 0.4 }\n"
      "pin = [ { select = { box = [[-0.61, -1, -1], [-0.59, 1, 1]] } } ]\n");
  std::string all;
  for (const std::string& warning : scene.warnings) all += warning + "\n";
  EXPECT_NE(all.find("inside out in the equilibrium"), std::string::npos) << all;
  EXPECT_NE(all.find("stable-neo-hookean"), std::string::npos) << all;
  EXPECT_EQ(all.find("deform it less"), std::string::npos) << all;
}

/// Sheets in wind of which there is no equilibrium, or none that is found: refused after a bounded amount of work.
TEST_F(EquilibriumStart, ThatIsNotThereIsRefusedInBoundedTime) {
  const std::string message = complaint(
      "[time]\nh = 0.01\nstart = 'equilibrium'\n[integrator]\nname = 'stabilized'\n[[body]]\nname = 'flag'\n"
      "mesh = { generate = 'sheet', size = [1.5, 1], cells = [12, 8] }\nrotate = { axis = [1, 0, 0], degrees = 90 }\n"
      "mass = 0.3\nstretch = 400\nshear = 150\nbend = 2\n"
      "pin = [{ select = { box = [[-0.76, -1, -1], [-0.74, 1, 1]] } }]\n"
      "wind = { velocity = [7, 0, 1.5] }\n");
  EXPECT_NE(message.find("no equilibrium in "), std::string::npos) << message;
}

TEST_F(EquilibriumStart, UnknownStartsAndSolversAreNamedWithTheirPlace) {
  EXPECT_NE(complaint(hanging("start = 'equilibrum'", held)).find("equilibrium"), std::string::npos);
  write("s.toml", hanging("", held));
  const std::string solver = complaint(hanging("", held), {{"solver.name", "newtom", "--set"}});
  EXPECT_EQ(solver, "--set: solver.name = \"newtom\": not available in this version; did you mean 'newton'?");
}

}  // namespace brio
