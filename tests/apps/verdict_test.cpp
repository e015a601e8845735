/// What a run did not keep is told by the terminal, run.json and the report alike.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "brio/integrators.h"
#include "command_test.h"

namespace {

class Verdict : public CommandTest {
 protected:
  void SetUp() override {
    write("stiff.toml",
          "gravity = [0, 0, 0]\n[time]\nh = 0.05\nframes = 40\n[[body]]\nmesh = { generate = 'cube', cells = 2 }\n"
          "spin = [0, 0, 2]\n");
    write(
        "thrown.toml",
        "[time]\nh = 0.02\nframes = 25\n[[body]]\nname = 'cube'\nmesh = { generate = 'cube', size = 0.4, cells = 1 }\n"
        "material = { name = 'stvk', young = 2e4, poisson = 0.3 }\nposition = [0.75, 1.2, 0.1]\n"
        "[[collider]]\nshape = 'box'\nsize = [1.4, 1, 1]\nstiffness = 3000\n[[collider]]\nshape = 'plane'\npoint = [0, "
        "-1, 0]\nstiffness = 3000\n");
  }
  /// In all three places.
  void expect_told(const std::string& part) const {
    EXPECT_TRUE(says("stderr", part)) << read("stderr");
    EXPECT_NE(json("x/run.json")["warnings"].dump().find(part), std::string::npos) << json("x/run.json")["warnings"];
    EXPECT_TRUE(says("x/report.html", part));
  }
};

}  // namespace

TEST_F(Verdict, AnExplosionIsAStatusAndAnExitCode) {
  EXPECT_EQ(brio("run stiff.toml --integrator symplectic-euler --formats none -o x").code, 2);
  EXPECT_EQ(json("x/run.json")["status"], "exploded");
  const std::string frame = std::to_string(json("x/run.json")["exploded_frame"].get<long>());
  EXPECT_TRUE(says("stderr", "exploded at frame " + frame)) << read("stderr");
  EXPECT_TRUE(says("x/report.html", "The motion exploded at frame " + frame));
  EXPECT_EQ(brio("run stiff.toml --integrator backward-euler --formats none -o y").code, 0) << read("stderr");
  EXPECT_EQ(json("y/run.json")["status"], "ok");
}

TEST_F(Verdict, AnExplosionThatEndsTheRunIsToldOnceWithBothFrames) {
  EXPECT_EQ(brio("run stiff.toml --integrator explicit-euler --frames 2000 --formats none -o x").code, 2);
  const auto summary = json("x/run.json");
  ASSERT_TRUE(summary.contains("message")) << "it was to end early";
  const long since = summary["exploded_frame"];
  const std::string ended = summary["message"];
  ASSERT_FALSE(ended.starts_with(fmt::format("frame {}: ", since))) << "it was to explode before it ended";
  EXPECT_TRUE(says("stderr", fmt::format("brio: exploded at frame {}: more energy appeared than was in play", since)))
      << read("stderr");
  EXPECT_TRUE(says("stderr", "; it ended at " + ended)) << read("stderr");
}

/// By loop over the registry: whoever promises is held to it, by figures of the ledger.
TEST_F(Verdict, WhatAMethodPromisesOfTheEnergyIsHeldAgainstTheLedger) {
  int promises_broken = 0, promises_kept = 0;
  for (const brio::Method& method : brio::integrators())
    for (const std::string scene : {"thrown", "stiff"}) {
      const bool tracked = method.energy == brio::EnergyBehavior::tracked;
      if (method.energy != brio::EnergyBehavior::kept && !tracked) continue;
      const Result result =
          brio(fmt::format("run {}.toml --integrator {} --formats none --force -o x", scene, method.name));
      if (result.code != 0) continue;
      const auto summary = json("x/run.json");
      const double error = summary["energy"]["max_relative_error"];
      const bool told =
          summary["warnings"].dump().find(method.name + " promises to keep the energy") != std::string::npos;
      if (tracked) {
        EXPECT_EQ(told, error > 0.02) << method.name << " " << scene << " " << error;
      } else {
        EXPECT_EQ(told, error > 1e-9 + 1e-10 * (scene == "thrown" ? 25 : 40))
            << method.name << " " << scene << " " << error;
      }
      if (told) expect_told(method.name + " promises to keep the energy");
      ++(told ? promises_broken : promises_kept);
    }
  EXPECT_GT(promises_broken, 0);
  EXPECT_GT(promises_kept, 0);
}

TEST_F(Verdict, InvertedElementsAreCountedAndTheWorstFrameNamed) {
  write("crushed.toml",
        "[time]\nh = 0.01\nframes = 30\n[integrator]\nname = 'backward-euler'\n[[body]]\nname = 'jelly'\nmesh = { "
        "generate "
        "= 'cube', cells = 2 }\nmaterial = { name = 'corotated', young = 2e3, poisson = 0.3 }\nposition = [0, 0.6, "
        "0]\nvelocity = [0, -20, 0]\n[[collider]]\nshape = 'plane'\nstiffness = 1e7\n");
  ASSERT_EQ(brio("run crushed.toml --formats none -o x").code, 0) << read("stderr");
  expect_told("tets are inside out");
  EXPECT_NE(json("x/run.json")["warnings"].dump().find("at worst in frame "), std::string::npos)
      << json("x/run.json")["warnings"];
}

/// A bat of 20 m/s is in front of the ball in one frame and behind it in the next.
TEST_F(Verdict, ABatThatPassesThroughABallIsTold) {
  write("bat.toml",
        "gravity = [0, 0, 0]\n[time]\nfps = 60\nframes = 5\n[[body]]\nname = 'ball'\nmesh = { generate = 'sphere', "
        "radius = 0.1, rings = 3 }\nmaterial = { young = 3e5, poisson = 0.4 }\nposition = [0.5, 0, 0]\n[[collider]]\n"
        "name = 'bat'\nlaw = 'potential'\nshape = 'box'\nsize = [0.03, 1, 1]\npath = [[0, [0, 0, 0]], [1, [20, 0, "
        "0]]]\n");
  for (const std::string integrator : {"avf", "backward-euler", "stabilized"}) {
    ASSERT_EQ(brio("run bat.toml --integrator " + integrator + " --formats none --force -o x").code, 0)
        << read("stderr");
    expect_told("passed through bat within a step");
    EXPECT_TRUE(says("stderr", "frame 2: ")) << read("stderr");
  }
}

/// What rounding makes of a body at rest is nothing, and not an explosion of nothing.
TEST_F(Verdict, ABodyAtRestDoesNotExplode) {
  write(
      "still.toml",
      "gravity = [0, 0, 0]\n[time]\nfps = 60\nframes = 30\n[[body]]\nmesh = { generate = 'sphere', radius = 0.1, "
      "rings = 4 }\nposition = [0.3, 7, 0]\nmaterial = { young = 3e9, poisson = 0.4, name = 'stable-neo-hookean' }\n");
  for (const std::string integrator : {"avf", "newmark", "stabilized"}) {
    EXPECT_EQ(brio("run still.toml --integrator " + integrator + " --formats none --force -o x").code, 0)
        << read("stderr");
    EXPECT_EQ(json("x/run.json")["status"], "ok") << integrator;
    EXPECT_TRUE(json("x/run.json")["warnings"].empty()) << json("x/run.json")["warnings"];
  }
}

TEST_F(Verdict, WhatFliesOutOfSightIsTold) {
  write("thrown.toml",
        "gravity = [0, 0, 0]\n[time]\nh = 0.1\nframes = 40\n[[body]]\nname = 'ball'\nmesh = { generate = "
        "'cube', cells = 1 }\nvelocity = [50, 0, 0]\n");
  ASSERT_EQ(brio("run thrown.toml --integrator avf --formats none -o x").code, 0) << read("stderr");
  expect_told("ball has flown or fallen ");
}

TEST_F(Verdict, AStepThatEndsOutsideEpsilonIsAlwaysTold) {
  // Torn by a start that no step of a thirtieth of a second follows.
  write("strays.toml",
        "gravity = [0, 0, 0]\n[time]\nh = 0.0333\nframes = 30\n[integrator]\nname = 'stabilized'\nepsilon = 0.5\n"
        "[[body]]\nmesh = { generate = 'bar', size = [1, 0.25, 0.25], cells = [8, 2, 2] }\nmaterial = { name = "
        "'neo-hookean', mu = 2e4, lambda = 3e4 }\nspin = [1, 4, 3]\ndeform = [{ select = { plane = [[0.2, 0, 0], [1, "
        "0, 0]] }, translate = [0.6, 0.1, 0], rotate = { axis = [1, 0, 0], degrees = 80 } }]\n");
  brio("run strays.toml --formats none -o x");
  expect_told("beyond integrator.epsilon = 0.5");
}

TEST_F(Verdict, SceneCheckTellsWhatARunWould) {
  write("inside.toml",
        "[time]\nh = 0.01\nframes = 2\n[[body]]\nname = 'a'\nmesh = { generate = 'cube', cells = 1 }\n"
        "[[collider]]\nshape = 'plane'\nlaw = 'potential'\n");
  const Result result = brio("scene check inside.toml");
  EXPECT_NE(result.output.find("warning: a starts 0.5 m inside collider"), std::string::npos) << result.output;
  ASSERT_EQ(brio("run inside.toml --integrator avf --formats none -o x").code, 0) << read("stderr");
  expect_told("a starts 0.5 m inside collider");
}

TEST_F(Verdict, TheProgressLineShowsTheEnergyInPlay) {
  write("falls.toml", "[time]\nh = 0.01\nframes = 10\n[[body]]\nmesh = { generate = 'cube', cells = 1 }\nmass = 2\n");
  ASSERT_EQ(brio("run falls.toml --integrator avf --formats none -o x").code, 0) << read("stderr");
  // m g² t² for a fall of t: half of it kinetic, half what gravity gave.
  EXPECT_TRUE(says("stderr", "1.925 J in play")) << read("stderr");
}

#ifdef BRIO_WITH_GPL
TEST_F(Verdict, TetsLargerThanAskedForAreTold) {
  ASSERT_EQ(brio("mesh --generate cube --set cells=2 c.msh").code, 0);
  ASSERT_EQ(brio("mesh c.msh c.obj --surface").code, 0);
  ASSERT_EQ(brio("mesh c.obj fine.msh --tetrahedralize --max-volume 1e-3").code, 0);
  EXPECT_TRUE(says("stderr", "tets are larger than --max-volume 0.001")) << read("stderr");
  EXPECT_TRUE(says("stderr", "--split-surface")) << read("stderr");
  ASSERT_EQ(brio("mesh c.obj split.msh --tetrahedralize --max-volume 1e-3 --split-surface").code, 0);
  EXPECT_EQ(read("stderr"), "");
}
#endif
