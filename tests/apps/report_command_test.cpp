/// Runs `brio report`, `brio plot` and `brio compare` as a user would.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "command_test.h"

namespace {

namespace fs = std::filesystem;

class ReportCommand : public CommandTest {
 protected:
  void SetUp() override {
    std::ofstream(folder / "s.toml") << "title = 'A <cube>'\n[time]\nh = 1e-3\nframes = 12\n"
                                        "[integrator]\nname = 'stabilized'\nepsilon = 0.02\n"
                                        "[[body]]\nmesh = { generate = 'cube', cells = 2 }\nspin = [0, 0, 1]\n";
  }
};

}  // namespace

TEST_F(ReportCommand, ARunLeavesAReportThatCanBeMadeAgain) {
  ASSERT_EQ(brio("run s.toml -o run").code, 0) << read("stderr");
  EXPECT_TRUE(says("run/report.html", "<h1>A &lt;cube&gt;</h1>"));
  EXPECT_TRUE(says("run/report.html", "nothing exploded."));
  EXPECT_TRUE(says("run/report.html", "stabilized, steps of 0.001 s; 12 frames"));
  fs::remove(folder / "run/report.html");
  const Result again = brio("report run");
  EXPECT_EQ(again.code, 0) << read("stderr");
  EXPECT_EQ(again.output, "wrote run/report.html\n");
  EXPECT_TRUE(says("run/report.html", "nothing exploded."));
  EXPECT_EQ(brio("report nowhere").code, 1);
  EXPECT_TRUE(says("stderr", "nowhere: holds no run: scene.toml and frames.bin are needed")) << read("stderr");
}

TEST_F(ReportCommand, AFailedRunLeavesAReportThatSaysWhy) {
  std::ofstream(folder / "wild.toml") << "[time]\nh = 100\nframes = 1000\n[integrator]\nname = 'symplectic-euler'\n"
                                         "[[body]]\nmesh = { generate = 'cube', cells = 2 }\nspin = [0, 0, 1]\n";
  EXPECT_EQ(brio("run wild.toml -o run").code, 2) << read("stderr");
  EXPECT_TRUE(says("run/report.html", "The run stopped at frame "));
  EXPECT_TRUE(says("run/report.html", "verdict bad"));
}

TEST_F(ReportCommand, WarningsOfTheRunStandInItsSummaryAndReport) {
  const auto warnings = [&](const std::string& run) {
    return json(run + "/run.json")["warnings"].get<std::vector<std::string>>();
  };
  ASSERT_EQ(brio("run s.toml -o calm").code, 0) << read("stderr");
  EXPECT_EQ(warnings("calm"), std::vector<std::string>{});

  std::ofstream(folder / "soft.toml") << "[time]\nh = 0.01\nframes = 40\n[integrator]\nname = 'backward-euler'\n"
                                         "[[body]]\nmesh = { generate = 'cube', cells = 2 }\nposition = [0, 1, 0]\n"
                                         "[[collider]]\nname = 'mud'\nshape = 'plane'\nstiffness = 1\n";
  ASSERT_EQ(brio("run soft.toml -o deep").code, 0) << read("stderr");
  ASSERT_EQ(warnings("deep").size(), 1u);
  EXPECT_NE(warnings("deep")[0].find(" m inside mud, "), std::string::npos) << warnings("deep")[0];
  EXPECT_NE(warnings("deep")[0].find(" frames); at worst in frame 40: "), std::string::npos) << warnings("deep")[0];
  EXPECT_TRUE(says("deep/report.html", " m inside mud, "));
  ASSERT_EQ(brio("run soft.toml -o resumed --frames 39").code, 0) << read("stderr");
  ASSERT_EQ(brio("run soft.toml -o resumed --resume").code, 0) << read("stderr");
  EXPECT_EQ(warnings("resumed"), warnings("deep")) << "a resumed run remembers them";

  std::ofstream(folder / "hard.toml") << "[time]\nh = 0.05\nframes = 3\n[integrator]\nname = 'avf'\n"
                                         "[[body]]\nmesh = { generate = 'cube', cells = 2 }\nspin = [0, 0, 40]\n";
  ASSERT_EQ(brio("run hard.toml -o halved --set solver.iterations=5").code, 0) << read("stderr");
  ASSERT_EQ(warnings("halved").size(), 1u);
  EXPECT_NE(warnings("halved")[0].find("steps of 0.05 s failed and were halved"), std::string::npos);
  ASSERT_EQ(brio("run hard.toml -o accepted --set solver.iterations=5 --set solver.unconverged=accept").code, 0);
  ASSERT_EQ(warnings("accepted").size(), 2u);
  EXPECT_NE(warnings("accepted")[0].find("stopped short of its tolerance"), std::string::npos);
  EXPECT_NE(warnings("accepted")[1].find("avf promises to keep the energy"), std::string::npos);
}

TEST_F(ReportCommand, PlotsOverlayRunsAndNameWhatIsWrong) {
  ASSERT_EQ(brio("run s.toml -o one").code, 0);
  ASSERT_EQ(brio("run s.toml -o two --frames 6").code, 0);
  EXPECT_EQ(brio("plot one/ledger.csv two --columns kinetic -o p.svg --title 'a & b'").output, "wrote p.svg\n");
  for (const char* part : {"<svg", ">one</text>", ">two</text>", "kinetic [J]", "time [s]", "a &amp; b"})
    EXPECT_TRUE(says("p.svg", part)) << part;
  EXPECT_EQ(brio("plot one --columns kinetc -o q.svg").code, 1);
  EXPECT_TRUE(says("stderr", "did you mean 'kinetic'?")) << read("stderr");
  EXPECT_EQ(brio("plot one -o q.jpg").code, 1);
  EXPECT_TRUE(says("stderr", "neither .svg nor .png")) << read("stderr");
  std::ofstream(folder / "one/ledger.csv", std::ios::app) << "13,oops\n";
  EXPECT_EQ(brio("plot one -o q.svg").code, 1);
  EXPECT_TRUE(says("stderr", "one/ledger.csv:15: has 2 values")) << read("stderr");
  EXPECT_FALSE(fs::exists(folder / "q.svg"));
}

TEST_F(ReportCommand, PhaseSpaceOfAPendulumIsDrawnFromItsFrames) {
  const std::string run = "run " BRIO_SOURCE_DIR "/scenes/pendulum.toml --frames 90 ";
  ASSERT_EQ(brio(run + "-o second").code, 0) << read("stderr");
  ASSERT_EQ(brio(run + "--set integrator.order=4 -o fourth").code, 0) << read("stderr");
  EXPECT_EQ(brio("plot second fourth/frames.bin --phase angle -o p.svg").output, "wrote p.svg\n") << read("stderr");
  for (const char* part : {"<svg", ">second</text>", ">fourth</text>", "angle [rad]", "rate [rad/s]"})
    EXPECT_TRUE(says("p.svg", part)) << part;
  EXPECT_EQ(brio("plot second --phase angle --vertex 7 -o q.svg").code, 1);
  EXPECT_TRUE(says("stderr", "--vertex = 7: second/frames.bin has no such vertex; name one of 0 to 1"))
      << read("stderr");
  fs::remove(folder / "second/frames.bin");
  EXPECT_EQ(brio("plot second --phase angle -o q.svg").code, 1);
  EXPECT_TRUE(says("stderr", "second: holds no frames.bin; name the folder of a run, or its frames.bin"))
      << read("stderr");
  EXPECT_EQ(brio("plot nowhere --phase x -o q.svg").code, 1);
  EXPECT_TRUE(says("stderr", "nowhere: does not exist")) << read("stderr");
  EXPECT_EQ(brio("plot fourth --phase x --log -o q.svg").code, 1);
  EXPECT_EQ(brio("plot fourth --vertex 1 -o q.svg").code, 1);
  EXPECT_FALSE(fs::exists(folder / "q.svg"));
}

TEST_F(ReportCommand, PngNeedsAToolAndSaysWhich) {
  ASSERT_EQ(brio("run s.toml -o one --frames 2").code, 0);
  const Result result = brio("plot one -o p.png");
  if (result.code == 0) {
    EXPECT_TRUE(read("p.png").starts_with("\x89PNG"));
  } else {
    EXPECT_TRUE(says("stderr", "install Debian's librsvg2-bin")) << read("stderr");
  }
  EXPECT_FALSE(fs::exists(folder / "p.png.part.svg"));
}

TEST_F(ReportCommand, AnExplodingIntegratorDoesNotStopTheOthers) {
  std::ofstream(folder / "stiff.toml") << "gravity = [0, 0, 0]\n[time]\nh = 0.05\nframes = 40\n[integrator]\n"
                                          "name = 'stabilized'\nepsilon = 0.02\n[[body]]\n"
                                          "mesh = { generate = 'cube', cells = 2 }\nspin = [0, 0, 3]\n";
  const Result result = brio(
      "compare stiff.toml --integrators symplectic-euler,backward-euler,stabilized -o c --json --set 'body[0].spin=[0, "
      "0, 2]'");
  ASSERT_EQ(result.code, 0) << read("stderr");
  const auto rows = nlohmann::json::parse(result.output);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["status"], "exploded") << rows[0];
  EXPECT_EQ(rows[1]["status"], "ok") << rows[1];
  EXPECT_EQ(rows[2]["status"], "ok") << rows[2];
  EXPECT_EQ(rows[1]["frames"], 40);
  EXPECT_EQ(rows[1]["order"], 1);
  EXPECT_TRUE(says("c/compare.html", "exploded at frame " + std::to_string(rows[0]["exploded_frame"].get<int>())));
  EXPECT_TRUE(fs::exists(folder / "c/backward-euler/ledger.csv"));
  EXPECT_EQ(brio("compare stiff.toml -o c").code, 1) << "never over an earlier comparison";
  EXPECT_EQ(brio("compare stiff.toml --integrators afv -o d").code, 1);
  EXPECT_FALSE(fs::exists(folder / "d"));
}
