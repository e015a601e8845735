/// Runs `brio scene` as a user would.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "run_program.h"

namespace {

Result brio_scene(const std::string& arguments) {
  return run_program("cd " BRIO_SOURCE_DIR " && " BRIO_PROGRAM " scene " + arguments + " 2>&1");
}

}  // namespace

TEST(SceneCommand, ChecksAFileAndSaysWhatItHolds) {
  const Result result = brio_scene("check scenes/hello.toml");
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.output.find(": understood\n  solid "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("avf, h = "), std::string::npos) << result.output;
  EXPECT_EQ(brio_scene("check scenes/nowhere.toml").code, 1);
  const Result changed = brio_scene("check scenes/hello.toml --set integrator.name=bdf2 --frames 7");
  EXPECT_NE(changed.output.find("bdf2, h = "), std::string::npos) << changed.output;
  EXPECT_NE(changed.output.find(" 7 frames "), std::string::npos) << changed.output;
}

TEST(SceneCommand, TellsWhatACombinationCosts) {
  const std::string scene = testing::TempDir() + "costly.toml";
  std::ofstream(scene)
      << "[time]\nh = 0.01\n[integrator]\nname = 'avf'\nquadrature = 'simpson'\n[[body]]\n"
         "mesh = { generate = 'cube', cells = 1 }\nmaterial = { name = 'neo-hookean', young = 1e4, poisson = 0.3 }\n";
  const std::string warning = "\"simpson\" averages forces up to degree 3 exactly";
  const Result checked = brio_scene("check " + scene);
  EXPECT_EQ(checked.code, 0);
  EXPECT_NE(checked.output.find(warning), std::string::npos) << checked.output;
  const Result run =
      run_program(BRIO_PROGRAM " run " + scene + " --quick --force -o " + testing::TempDir() + "costly 2>&1");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find(warning), std::string::npos) << run.output;
}

TEST(SceneCommand, ExplainsKeysHoweverTheyAreWritten) {
  for (const char* key : {"body[0].mass", "mass", "time.h", "collider", "half_life", "body.pin.path"}) {
    const Result result = brio_scene("explain '" + std::string(key) + "'");
    EXPECT_EQ(result.code, 0) << key << result.output;
  }
  EXPECT_NE(brio_scene("explain time.h").output.find("number [s], must be > 0"), std::string::npos);
  const Result unknown = brio_scene("explain integrator.epsilom");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.output.find("did you mean 'integrator.epsilon'?"), std::string::npos) << unknown.output;
}

TEST(SceneCommand, ReferenceInTheDocumentationIsTheOneItPrints) {
  std::stringstream page;
  page << std::ifstream(BRIO_SOURCE_DIR "/docs/scene.md").rdbuf();
  EXPECT_EQ(brio_scene("reference").output, page.str())
      << "docs/scene.md is stale: ./brio scene reference > docs/scene.md";
}
