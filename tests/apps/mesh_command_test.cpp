/// Runs the built program, as a user would.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "command_test.h"

namespace {

class MeshCommand : public brio::testing::InFolder {
 protected:
  Result brio_mesh(const std::string& arguments) const {
    const std::string command = "cd " + folder.string() + " && " BRIO_PROGRAM " mesh " + arguments + " 2>&1";
    return run_program(command);
  }
  std::string output(const std::string& arguments) const {
    const Result result = brio_mesh(arguments);
    EXPECT_EQ(result.code, 0) << arguments << "\n" << result.output;
    return result.output;
  }
  std::string refusal(const std::string& arguments) const {
    const Result result = brio_mesh(arguments);
    EXPECT_EQ(result.code, 1) << arguments << "\n" << result.output;
    return result.output;
  }
};

}  // namespace

TEST_F(MeshCommand, GeneratesConvertsAndExtractsSurfaces) {
  EXPECT_EQ(output("--generate bar --set size=[4,1,1] --set cells=[4,1,1] bar.msh"), "bar.msh: 20 vertices, 20 tets\n");
  EXPECT_EQ(output("bar.msh bar.vtu"), "bar.vtu: 20 vertices, 20 tets\n");
  EXPECT_EQ(output("bar.vtu bar.obj --surface"), "bar.obj: 20 vertices, 36 triangles\n");
}

TEST_F(MeshCommand, InspectsWithBarsForPeopleAndJsonForPrograms) {
  output("--generate cube --set cells=1 cube.msh");
  const std::string text = output("cube.msh --scale 2");
  EXPECT_NE(text.find("  volume     8 m^3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  surface    closed, manifold\n"), std::string::npos);
  EXPECT_NE(text.find("    0.9-1.0 |##########                              | 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  problems   none\n"), std::string::npos);
  EXPECT_NE(output("cube.msh --json").find("\"tets\":5,"), std::string::npos);
}

TEST_F(MeshCommand, WeldsAndFillsASoupOfTriangles) {
  output("--generate sphere --set rings=3 ball.stl --surface");
  const Result filled = brio_mesh("ball.stl solid.msh --weld 1e-6 --tetrahedralize --quality 1.6");
#ifdef BRIO_WITH_GPL
  EXPECT_EQ(filled.code, 0) << filled.output;
  EXPECT_NE(output("solid.msh").find("surface    closed, manifold"), std::string::npos);
#else
  EXPECT_EQ(filled.code, 1);
  EXPECT_NE(filled.output.find("built without TetGen"), std::string::npos) << filled.output;
#endif
}

TEST_F(MeshCommand, ReordersWithoutChangingTheShape) {
  output("--generate bar --set size=[4,1,1] --set cells=[4,1,1] bar.msh");
  const std::string before = output("bar.msh");
  EXPECT_EQ(output("bar.msh near.msh --reorder"), "near.msh: 20 vertices, 20 tets\n");
  EXPECT_EQ(output("near.msh"), before);
}

TEST_F(MeshCommand, TellsSlivers) {
  output("--generate cube --set cells=1 cube.msh");
  EXPECT_EQ(output("cube.msh").find("sliver"), std::string::npos);
  EXPECT_NE(output("cube.msh --json").find("\"slivers\":0"), std::string::npos);
  write("flat.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.3 0.3 0.01\n");
  write("flat.ele", "1 4 0\n1 1 2 3 4\n");
  const std::string text = output("flat.node");
  EXPECT_NE(text.find("1 of 1 tets are slivers (3 inradius / circumradius below 0.05)"), std::string::npos) << text;
  EXPECT_NE(output("flat.node flat.msh").find("are slivers"), std::string::npos);
  EXPECT_NE(output("flat.node --json").find("\"slivers\":1"), std::string::npos);
}

TEST_F(MeshCommand, RefusesBadInputWithOneLineAndExitCodeOne) {
  EXPECT_EQ(refusal("--generate baar"), "brio: generate = \"baar\": unknown generator; did you mean 'bar'?\n");
  EXPECT_EQ(refusal("--generate bar --set cells=4"), "brio: cells = 4: must be a list of 3 numbers\n");
  EXPECT_EQ(refusal("--generate bar --set cells"),
            "brio: --set = cells: must look like key=value; for example --set cells=[16,4,4]\n");
  EXPECT_EQ(refusal("--model bunni"), "brio: model = \"bunni\": unknown model; did you mean 'bunny'?\n");
  EXPECT_NE(refusal("missing.msh").find("missing.msh"), std::string::npos);
  EXPECT_NE(refusal("").find("there is nothing to read"), std::string::npos);
  EXPECT_NE(refusal("--generate line --scale -1").find("--scale = -1: must be > 0"), std::string::npos);
  output("--generate cube --set cells=2 skin.obj --surface");
  for (const char* volume : {"0", "-1"})
    EXPECT_NE(refusal(std::string("skin.obj solid.msh --tetrahedralize --max-volume ") + volume).find("--max-volume"),
              std::string::npos);
}

TEST_F(MeshCommand, HelpListsEveryGeneratorAndItsOptions) {
  const std::string help = output("--help");
  for (const char* word : {"overhand-knot", "torus", "tube=0.2", "bunny, dragon", ".vtu"})
    EXPECT_NE(help.find(word), std::string::npos) << word;
}
