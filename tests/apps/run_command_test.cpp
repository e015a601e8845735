/// Runs `brio run` and `brio list` as a user would.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "command_test.h"

namespace {

namespace fs = std::filesystem;

class RunCommand : public CommandTest {
 protected:
  void SetUp() override {
    std::ofstream(folder / "s.toml") << "[time]\nh = 1e-3\nframes = 12\n[[body]]\n"
                                        "mesh = { generate = 'cube', cells = 2 }\nvelocity = [1, 0, 0]\n";
  }
};

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

TEST_F(RunCommand, WritesLedgerSummaryAndResolvedSceneAndSaysSo) {
  const Result result = brio("run s.toml");
  EXPECT_EQ(result.code, 0) << read("stderr");
  EXPECT_TRUE(result.output.starts_with("12 frames in ")) << result.output;
  EXPECT_TRUE(result.output.ends_with("wrote out/s\n")) << result.output;
  const std::string told = read("stderr");
  long tenths = 0;
  for (std::size_t at = 0; (at = told.find("frame ", at)) != std::string::npos; ++at) ++tenths;
  EXPECT_EQ(tenths, 10) << "one line of progress for every tenth: " << told;
  EXPECT_EQ(lines(read("out/s/ledger.csv")), 1 + 13);
  EXPECT_EQ(json("out/s/run.json")["frames"], 12);
  EXPECT_EQ(json("out/s/run.json")["status"], "ok");
  EXPECT_NE(read("out/s/run.log").find("frame 12/12: energy "), std::string::npos) << read("out/s/run.log");
  EXPECT_EQ(brio("run out/s/scene.toml -o again").code, 0);
  EXPECT_EQ(json("again/run.json")["hash"], json("out/s/run.json")["hash"]);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) EXPECT_NE(entry.path().extension(), ".part");
}

TEST_F(RunCommand, NeverOverwritesUnlessForced) {
  EXPECT_EQ(brio("run s.toml --frames 1").code, 0);
  EXPECT_EQ(brio("run s.toml --frames 2").code, 0);
  EXPECT_EQ(json("out/s/run.json")["frames"], 1);
  EXPECT_EQ(json("out/s-2/run.json")["frames"], 2);
  EXPECT_EQ(brio("run s.toml --frames 3 --force").code, 0);
  EXPECT_EQ(json("out/s/run.json")["frames"], 3);
  EXPECT_EQ(brio("run s.toml -o out/s").code, 1);
  EXPECT_NE(read("stderr").find("already holds a run"), std::string::npos);
  EXPECT_EQ(json("out/s/run.json")["frames"], 3);
  fs::remove(folder / "out/s/run.json");
  EXPECT_EQ(brio("run s.toml -o out/s").code, 1) << "a killed run is a run too";
}

TEST_F(RunCommand, OptionsReachTheScene) {
  const Result result = brio("run s.toml --json --h 2e-3 --frames 5 --integrator cromer --set gravity=[0,0,0] -o x");
  ASSERT_EQ(result.code, 0) << read("stderr");
  std::vector<nlohmann::json> events;
  std::istringstream in(result.output);
  for (std::string line; std::getline(in, line);) events.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(events.size(), 1 + 5 + 1u) << result.output;
  EXPECT_EQ(events[0]["event"], "started");
  EXPECT_EQ(events[0]["integrator"], "symplectic-euler");
  EXPECT_EQ(events[3]["event"], "frame");
  EXPECT_EQ(events[3]["frame"], 3);
  EXPECT_EQ(events[6]["event"], "finished");
  EXPECT_EQ(events[6]["hash"], json("x/run.json")["hash"]);
  EXPECT_EQ(json("x/run.json")["h"], 2e-3);
  EXPECT_EQ(json("x/run.json")["frames"], 5);
  EXPECT_LT(json("x/run.json")["momentum"]["linear"]["max_change"].get<double>(), 1e-10 * 1000);
}

TEST_F(RunCommand, ThreadsDoNotChangeTheHash) {
  EXPECT_EQ(brio("run s.toml --threads 1 -o one").code, 0);
  EXPECT_EQ(brio("run s.toml --threads 2 -o two").code, 0);
  EXPECT_EQ(json("one/run.json")["hash"], json("two/run.json")["hash"]);
}

TEST_F(RunCommand, BadInputIsExitCodeOneAndLeavesNothingBehind) {
  EXPECT_EQ(brio("run nowhere.toml").code, 1);
  EXPECT_EQ(brio("run s.toml --h 0").code, 1);
  EXPECT_EQ(read("stderr"), "brio: --h: time.h = 0: must be > 0\n");
  EXPECT_EQ(brio("run s.toml --set nonsense").code, 1);
  EXPECT_EQ(brio("run s.toml --threads -1").code, 1);
  EXPECT_EQ(brio("run s.toml --integrator afv").code, 1);
  EXPECT_EQ(brio("run").code, 1);
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(RunCommand, AFailedSimulationIsExitCodeTwoAndKeepsWhatWasGood) {
  const Result result = brio("run s.toml --h 100 --frames 1000 --set body[0].spin=[0,0,1] --json -o x");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(read("stderr").find("smaller h"), std::string::npos) << read("stderr");
  EXPECT_EQ(json("x/run.json")["status"], "exploded");
  const std::string ledger = read("x/ledger.csv");
  EXPECT_EQ(lines(ledger), 3 + json("x/run.json")["frames"].get<long>());
  EXPECT_NE(ledger.find(",failed,"), std::string::npos);
  EXPECT_EQ(ledger.find("nan"), std::string::npos);
  EXPECT_EQ(ledger.find("inf"), std::string::npos);
}

TEST_F(RunCommand, ListShowsEveryRegistry) {
  for (const std::string kind : {"integrators", "materials", "energies", "generators", "formats", "scenes"}) {
    const Result table = brio("list " + kind);
    const Result result = brio("list " + kind + " --json");
    ASSERT_EQ(table.code, 0) << kind;
    ASSERT_EQ(result.code, 0) << kind;
    const auto list = nlohmann::json::parse(result.output);
    const long expected = static_cast<long>(list.size());
    EXPECT_EQ(lines(table.output), kind == "integrators" ? 1 + 3 * expected : expected) << kind;
    std::set<std::string> names;
    for (const auto& entry : list) names.insert(entry["name"].get<std::string>());
    EXPECT_EQ(names.size(), list.size()) << kind;
    for (const auto& entry : list) EXPECT_FALSE(entry["sentence"].get<std::string>().empty()) << entry;
  }
  EXPECT_NE(brio("list scenes").output.find("hello"), std::string::npos);
  EXPECT_NE(brio("list energies").output.find("torsion"), std::string::npos);
  EXPECT_EQ(brio("list nonsense").code, 1);
}

TEST_F(RunCommand, WhatTheLedgerCannotHoldIsAFailedRunWithARemedy) {
  const std::vector<std::string> scenes{
      "[time]\nh = 0.01\nframes = 5\n[[body]]\nmesh = { generate = 'sheet', cells = [4, 4] }\nwind = { velocity = [0, "
      "1e200, 0] }\npin = [{ select = { vertex = 0 } }]\n",
      "[time]\nh = 0.01\nframes = 5\n[integrator]\nname = 'avf'\n[[body]]\nmesh = { generate = 'cube', cells = 1 }\n"
      "push = [{ select = { vertex = 3 }, force = [[0, [1e300, 0, 0]], [1, [1e300, 0, 0]]] }]\n"};
  for (const std::string& scene : scenes) {
    fs::remove_all(folder / "x");
    std::ofstream(folder / "s.toml") << scene;
    EXPECT_EQ(brio("run s.toml -o x").code, 2) << scene << read("stderr");
    EXPECT_EQ(json("x/run.json")["status"], "exploded");
    EXPECT_NE(read("stderr").find("choose "), std::string::npos) << read("stderr");
    EXPECT_EQ(json("x/run.json")["frames"], 0);
  }
}

TEST_F(RunCommand, AStartThatNoAnimationCanHoldIsRefusedBeforeAnythingIsWritten) {
  std::ofstream(folder / "s.toml")
      << "[time]\nh = 0.01\nframes = 5\n[[body]]\nmesh = { generate = 'cube', cells = 1 }\n"
         "velocity = [1e100, 0, 0]\n";
  EXPECT_EQ(brio("run s.toml -o x").code, 1);
  EXPECT_NE(read("stderr").find("vertex 0: 1e+100 is beyond what an animation can hold; choose"), std::string::npos)
      << read("stderr");
  EXPECT_FALSE(fs::exists(folder / "x"));
}

TEST_F(RunCommand, WhatTakesMoreMemoryThanMayBeUsedIsRefusedBeforeItIsMade) {
  std::ofstream(folder / "s.toml")
      << "[time]\nh = 1e-3\nframes = 1\n[[body]]\nmesh = { generate = 'cube', cells = 2 }\n"
         "copies = [1000, 1000, 1000]\n";
  EXPECT_EQ(brio("scene check s.toml --memory 4").code, 1);
  EXPECT_EQ(
      read("stderr"),
      "brio: s.toml:6: body[0].copies = [1000, 1000, 1000]: 1e+09 copies would take about 2 TB of memory, and 4 GB "
      "may be used; choose fewer of them, or a coarser mesh\n");
  EXPECT_EQ(brio("mesh --generate cube --set cells=150 x.msh --memory 1").code, 1);
  EXPECT_TRUE(says("stderr", "would take about")) << read("stderr");
}

TEST_F(RunCommand, LittleMemoryIsEnoughForLittleAndSaidInWordsForMore) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer has memory of its own";
#endif
  EXPECT_EQ(brio("mesh --generate cube --set cells=12 x.msh --memory 0.15").code, 0) << read("stderr");
  EXPECT_EQ(brio("mesh --generate cube --set cells=150 y.msh --memory 0.15").code, 1);
  EXPECT_TRUE(says("stderr", "150 MB may be used")) << read("stderr");
}
