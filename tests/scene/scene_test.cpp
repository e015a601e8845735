/// Scenes that are understood: every key does what it says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <fstream>
#include <numbers>
#include <regex>
#include <sstream>

#include "scene/testing.h"

namespace brio {

using testing::SceneFile;

namespace {

std::filesystem::path shipped_scenes() { return std::filesystem::path(BRIO_SOURCE_DIR) / "scenes"; }

Vec3 middle(const Simulation& simulation) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < simulation.model().vertices(); ++i) sum += simulation.state().x[i];
  return sum / static_cast<double>(simulation.model().vertices());
}

int count_pinned(const Model& model) {
  return static_cast<int>(std::count(model.pinned().begin(), model.pinned().end(), 1));
}

bool needs_a_model(const std::filesystem::path& scene) {
  std::stringstream text;
  text << std::ifstream(scene).rdbuf();
  return text.str().find("model = ") != std::string::npos;
}

/// The options named in the comments of a scene: "--set KEY=VALUE" and "--integrator NAME".
std::vector<Override> suggestions(const std::filesystem::path& scene) {
  std::stringstream text;
  text << std::ifstream(scene).rdbuf();
  const std::string all = text.str();
  std::vector<Override> list;
  const std::regex option(R"(--(set ([^ =]+)=(\[[^\]]*\]|[^ ,\n]+)|integrator ([a-z0-9-]+)))");
  for (std::sregex_iterator found(all.begin(), all.end(), option), end; found != end; ++found) {
    const std::smatch& match = *found;
    if (match[4].matched) {
      list.push_back({"integrator.name", match[4], "--integrator"});
    } else {
      list.push_back({match[2], match[3], "--set"});
    }
  }
  return list;
}

}  // namespace

TEST_F(SceneFile, EveryShippedSceneIsUnderstood) {
  int scenes = 0;
  std::string missing;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_scenes())) {
    if (entry.path().extension() != ".toml") continue;
    ++scenes;
    try {
      EXPECT_EQ(load_scene(entry.path()).title, scene_title(entry.path()));
    } catch (const InputError& error) {
      if (std::string(error.what()).find("npm") == std::string::npos) throw;
      missing += fmt::format("\n{}", error.what());
    }
  }
  EXPECT_GE(scenes, 20);
  if (!missing.empty()) GTEST_SKIP() << "models that are neither cached nor to be fetched:" << missing;
}

TEST_F(SceneFile, WhatShippedScenesSuggestIsUnderstood) {
  int suggested = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_scenes())) {
    if (entry.path().extension() != ".toml" || needs_a_model(entry.path())) continue;
    for (const Override& option : suggestions(entry.path())) {
      ++suggested;
      EXPECT_NO_THROW(load_scene(entry.path(), {option})) << entry << ": " << option.path << " = " << option.value;
    }
  }
  EXPECT_GE(suggested, 20);
}

TEST_F(SceneFile, HeadTimeAndIntegratorAreRead) {
  const Scene scene = load(
      "title = 'T'\ngravity = [0, 0, -2]\n[time]\nh = 0.002\nframes = 7\n"
      "[integrator]\nname = 'cromer'\n[[body]]\nmesh = { generate = 'cube', cells = 1 }\n");
  EXPECT_EQ(scene.title, "T");
  EXPECT_EQ(scene.frames, 7);
  EXPECT_EQ(scene.steps_per_frame, 1);
  EXPECT_EQ(scene.simulation.h(), 0.002);
  EXPECT_EQ(scene.simulation.method().name, "symplectic-euler");
  EXPECT_EQ(scene.simulation.model().gravity(), Vec3(0, 0, -2));
}

TEST_F(SceneFile, GravityPointsDownAlongYUnlessGiven) {
  EXPECT_EQ(load_body("").simulation.model().gravity(), Vec3(0, -9.81, 0));
}

TEST_F(SceneFile, FramesPerSecondAndSubstepsDecideTheSteps) {
  const auto time = [&](const std::string& keys) {
    return load("[time]\n" + keys + "\n[[body]]\nmesh = { generate = 'cube', cells = 1 }\n");
  };
  EXPECT_EQ(time("h = 0.1\nsubsteps = 3").steps_per_frame, 3);
  EXPECT_EQ(time("h = 0.01\nfps = 25").steps_per_frame, 4);
  const Scene both = time("fps = 50\nsubsteps = 4");
  EXPECT_EQ(both.steps_per_frame, 4);
  EXPECT_DOUBLE_EQ(both.simulation.h(), 0.005);
}

TEST_F(SceneFile, BodiesArePlacedScaledAndTurned) {
  const Scene scene = load_body("position = [1, 2, 3]\nscale = 2\nrotate = { axis = [0, 0, 1], degrees = 90 }",
                                "{ generate = 'bar', size = [4, 1, 1], cells = [2, 1, 1] }");
  EXPECT_LT((middle(scene.simulation) - Vec3(1, 2, 3)).norm(), 1e-12);
  const MeshReport report = check_mesh(scene.simulation.model().bodies()[0].mesh);
  EXPECT_LT((report.high - report.low - Vec3(2, 8, 2)).norm(), 1e-12);
}

TEST_F(SceneFile, VelocityAndSpinSetTheStart) {
  const Scene scene = load_body("mass = 3\nposition = [5, 0, 0]\nvelocity = [1, 2, 0]\nspin = [0, 0, 4]");
  const LedgerRow& row = scene.simulation.ledger();
  EXPECT_LT((row.linear - Vec3(3, 6, 0)).norm(), 1e-12);
  const State& state = scene.simulation.state();
  const Vec3 arm = state.x[0] - Vec3(5, 0, 0);
  EXPECT_LT((Vec3(state.v[0]) - Vec3(1, 2, 0) - Vec3(0, 0, 4).cross(arm)).norm(), 1e-12);
}

TEST_F(SceneFile, MassAndDensityGiveTheWeight) {
  const auto weight = [&](const std::string& keys) {
    const Scene scene = load_body(keys + "\nvelocity = [1, 0, 0]");
    return scene.simulation.ledger().linear[0];
  };
  EXPECT_NEAR(weight("mass = 3"), 3, 1e-12);
  EXPECT_NEAR(weight("density = 20"), 20, 1e-12);
  EXPECT_NEAR(weight(""), 1000, 1e-9);
}

TEST_F(SceneFile, MaterialsMatterToTheEnergyOfADeformedBody) {
  const auto energy = [&](const std::string& material) {
    return load_body("deform = [{ select = { boundary = true }, scale = 1.1 }]\nmaterial = " + material)
        .simulation.ledger()
        .elastic;
  };
  const double soft = energy("{ name = 'stvk', mu = 500, lambda = 10 }");
  EXPECT_GT(soft, 0);
  EXPECT_NEAR(energy("{ name = 'stvk', mu = 1000, lambda = 20 }"), 2 * soft, 1e-9 * soft);
}

TEST_F(SceneFile, DeformMovesTurnsAndScalesTheSelectedVerticesOnly) {
  const Scene scene = load_body(
      "deform = [{ select = { plane = [[0, 0.4, 0], [0, 1, 0]] }, translate = [0, 0.5, 0], scale = 2,"
      " rotate = { axis = [0, 1, 0], degrees = 180 } }]");
  const Model& model = scene.simulation.model();
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    const Vec3 rest = model.rest()[i];
    const Vec3 expected = rest[1] > 0 ? Vec3(-2 * rest[0], 1, -2 * rest[2]) : rest;
    EXPECT_LT((Vec3(scene.simulation.state().x[i]) - expected).norm(), 1e-12);
  }
}

TEST_F(SceneFile, AGradedDeformationGrowsFromOnePointToAnother) {
  const Scene scene = load_body(
      "deform = [{ select = { all = true }, translate = [0, 1, 0], scale = 2, rotate = { axis = [1, 0, 0], degrees = "
      "720 }, grade = [[-1, 0, 0], [1, 0, 0]] }]",
      "{ generate = 'bar', size = [4, 1, 1], cells = [16, 2, 2] }");
  const Model& model = scene.simulation.model();
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    const Vec3 rest = model.rest()[i];
    const double part = std::clamp((rest[0] + 1) / 2, 0.0, 1.0);
    const Eigen::AngleAxisd turn(part * 4 * std::numbers::pi, Vec3::UnitX());  // twice around
    const Vec3 expected = turn * ((1 + part) * rest) + part * Vec3::UnitY();
    EXPECT_LT((Vec3(scene.simulation.state().x[i]) - expected).norm(), 1e-12);
  }
  EXPECT_NE(complaint(minimal("deform = [{ select = { all = true }, grade = [[1, 0, 0], [1, 0, 0]] }]"))
                .find("two different points"),
            std::string::npos);
}

TEST_F(SceneFile, ParticlesAreInTheFieldThatIsAskedFor) {
  const auto energy_at = [&](const std::string& potential, double x) {
    return load_body("potential = '" + potential + "'\nstrength = 3\nposition = [" + std::to_string(x) + ", 0, 0]",
                     "{ generate = 'points', count = 2, spacing = 1 }")
        .simulation.ledger()
        .elastic;
  };
  // Two particles, half a metre to the left and to the right of x.
  const auto both = [](double x, auto f) { return 3 * (f(x - 0.5) + f(x + 0.5)); };
  EXPECT_NEAR(energy_at("quartic", 1), both(1, [](double x) { return x * x * x * x; }), 1e-12);
  EXPECT_NEAR(energy_at("double-well", 1), both(1, [](double x) { return (x * x - 1) * (x * x - 1); }), 1e-12);
  EXPECT_NEAR(energy_at("pendulum", 1), both(1, [](double x) { return 1 - std::cos(x); }), 1e-12);
  EXPECT_NEAR(energy_at("kepler", 1), both(1, [](double x) { return -1 / x; }), 1e-12);
}

TEST_F(SceneFile, EveryWayToSelectFindsItsVertices) {
  const auto pinned = [&](const std::string& select) {
    return count_pinned(
        load_body("pin = [{ select = " + select + " }]", "{ generate = 'cube', cells = 2 }").simulation.model());
  };
  EXPECT_EQ(pinned("{ box = [[-1, -1, -1], [1, -0.4, 1]] }"), 9);
  EXPECT_EQ(pinned("{ sphere = [[0, 0, 0], 0.5] }"), 7);
  EXPECT_EQ(pinned("{ plane = [[0, 0, 0], [0, 1, 0]] }"), 18);
  EXPECT_EQ(pinned("{ vertex = 4 }"), 1);
  EXPECT_EQ(pinned("{ vertices = [4, 5, 5] }"), 2);
  EXPECT_EQ(pinned("{ boundary = true }"), 26);
}

TEST_F(SceneFile, AttachmentsPullDeformedVerticesBack) {
  const Scene scene = load_body(
      "attach = [{ select = { vertex = 0 }, stiffness = 50 }]\n"
      "deform = [{ select = { vertices = [0, 1, 2, 3, 4, 5, 6, 7] }, translate = [0.2, 0, 0] }]");
  EXPECT_NEAR(scene.simulation.ledger().elastic, 0.5 * 50 * 0.04, 1e-9);
}

TEST_F(SceneFile, EmptyListsAskForNothing) {
  const Scene scene = load(minimal("pin = []\nattach = []\ndeform = []") + "[output]\nformats = []\n");
  EXPECT_EQ(count_pinned(scene.simulation.model()), 0);
  EXPECT_EQ(scene.simulation.ledger().elastic, load_body("").simulation.ledger().elastic);
}

TEST_F(SceneFile, KindFollowsFromTheMesh) {
  const auto kind = [&](const std::string& mesh, const std::string& keys = "") {
    return load_body(keys, mesh).simulation.model().bodies()[0].kind;
  };
  EXPECT_EQ(kind("{ generate = 'sphere', rings = 2 }"), BodyKind::solid);
  EXPECT_EQ(kind("{ generate = 'sheet' }", "law = 'stvk'\nstretch = 5\nshear = 4\nbend = 3\nmass = 2"),
            BodyKind::cloth);
  EXPECT_EQ(kind("{ generate = 'line' }",
                 "radius = 0.02\nstiffness = 9\nvolume = 1e-4\ntorsion = 2\nimproved = false\nlaw = 'stvk'\nmass = 1"),
            BodyKind::wire);
  EXPECT_EQ(kind("{ generate = 'line' }", "kind = 'particles'\nstiffness = 3\nmass = 2\nlaw = 'stvk'"),
            BodyKind::particles);
  EXPECT_EQ(kind("{ generate = 'points' }"), BodyKind::particles);
}

TEST_F(SceneFile, AGeneratedSheetIsAGridOfSprings) {
  const auto springs = [&](const std::string& mesh) {
    const Scene scene = load_body("deform = [{ select = { vertex = 0 }, translate = [0, 0, 0.01] }]", mesh);
    return scene.simulation.ledger().elastic;
  };
  const double grid = springs("{ generate = 'sheet', cells = [2, 2] }");
  write("sheet.obj",
        "v -0.5 0 -0.5\nv 0 0 -0.5\nv 0.5 0 -0.5\nv -0.5 0 0\nv 0 0 0\nv 0.5 0 0\nv -0.5 0 0.5\nv 0 0 0.5\n"
        "v 0.5 0 0.5\nf 1 4 5\nf 1 5 2\nf 2 5 6\nf 2 6 3\nf 4 7 8\nf 4 8 5\nf 5 8 9\nf 5 9 6\n");
  EXPECT_NE(grid, springs("{ file = 'sheet.obj' }"));
}

TEST_F(SceneFile, AWireIsSelectedByThePointsOfItsCurve) {
  const Scene ends = load_body("pin = [{ select = { boundary = true } }]", "{ generate = 'line', segments = 4 }");
  const std::vector<char>& pinned = ends.simulation.model().pinned();
  EXPECT_EQ(count_pinned(ends.simulation.model()), 6);
  EXPECT_TRUE(pinned[0] == 1 && pinned[2] == 1 && pinned[12] == 1 && pinned[14] == 1);
}

TEST_F(SceneFile, MeshFilesAreFoundFromTheFolderOfTheScene) {
  write("tet.msh",
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
        "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n");
  const Scene scene = load_body("", "{ file = 'tet.msh' }");
  EXPECT_EQ(scene.simulation.model().vertices(), 4);
  std::filesystem::create_directories(folder / "elsewhere");
  write("elsewhere/resolved.toml", scene.resolved);
  EXPECT_EQ(load_scene(folder / "elsewhere/resolved.toml").simulation.hash(), scene.simulation.hash());
}

TEST_F(SceneFile, OverridesReplaceAddAndReachIntoLists) {
  write("s.toml", minimal("material = { name = 'stvk', mu = 1, lambda = 2 }"));
  const Scene scene = load_scene(folder / "s.toml", {{"time.frames", "3", "--frames"},
                                                     {"title", "as told", "--set"},
                                                     {"body[0].position", "[0, 7, 0]", "--set"},
                                                     {"body[0].material.mu", "5", "--set"}});
  EXPECT_EQ(scene.frames, 3);
  EXPECT_EQ(scene.title, "as told");
  EXPECT_NEAR(middle(scene.simulation)[1], 7, 1e-12);
  EXPECT_NE(scene.resolved.find("mu = 5"), std::string::npos);
}

TEST_F(SceneFile, AnotherIntegratorDropsTheOptionsOfTheOneInTheFile) {
  write("s.toml", "[integrator]\nname = 'stabilized'\nhalf_life = 2\n" + minimal(""));
  const Override avf{"integrator.name", "avf", "--integrator"};
  const Scene scene = load_scene(folder / "s.toml", {avf});
  EXPECT_EQ(scene.simulation.method().name, "avf");
  EXPECT_EQ(scene.resolved.find("half_life"), std::string::npos) << scene.resolved;
  const std::string again = load_scene(folder / "s.toml", {{"integrator.name", "stabilized", "--integrator"}}).resolved;
  EXPECT_NE(again.find("half_life = 2"), std::string::npos) << again;
  EXPECT_THROW(load_scene(folder / "s.toml", {{"integrator.half_life", "3", "--set"}, avf}), InputError);
}

TEST_F(SceneFile, TheResolvedSceneRunsToTheSameBits) {
  write("s.toml", "title = \"quotes \\\" and \\\\ and\\ttabs\"\n" +
                      minimal("velocity = [0.1, 0.2, 1e-300]\nspin = [1, 0.3333333333333333, 0]\n"
                              "attach = [{ select = { sphere = [[0.5, 0.5, 0.5], 0.1] } }]"));
  Scene scene = load_scene(folder / "s.toml", {{"time.h", "0.0012345678901234567", "--h"}});
  std::filesystem::create_directories(folder / "elsewhere");
  write("elsewhere/resolved.toml", scene.resolved);
  Scene again = load_scene(folder / "elsewhere/resolved.toml");
  EXPECT_EQ(again.title, scene.title);
  EXPECT_EQ(again.resolved, scene.resolved);
  ASSERT_TRUE(scene.simulation.step(3).ok() && again.simulation.step(3).ok());
  EXPECT_EQ(again.simulation.hash(), scene.simulation.hash());
}

}  // namespace brio
