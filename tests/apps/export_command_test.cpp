/// `brio export` and `--formats` as a user meets them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command_test.h"

namespace {

namespace fs = std::filesystem;

class ExportCommand : public CommandTest {
 protected:
  void SetUp() override {
    std::ofstream(folder / "s.toml") << "title = 'two'\n[time]\nh = 1e-3\nframes = 4\n"
                                        "[[body]]\nname = 'cube'\nmesh = { generate = 'cube', cells = 2 }\n"
                                        "[[body]]\nname = 'sheet'\nmesh = { generate = 'sheet', cells = [2, 2] }\n";
  }
};

}  // namespace

TEST_F(ExportCommand, MakesLaterWhatTheRunWouldHaveMade) {
  ASSERT_EQ(brio("run s.toml -o all --formats usda,pc2,vtu,gltf,obj,ply").code, 0) << read("stderr");
  ASSERT_EQ(brio("run s.toml -o later --formats none").code, 0) << read("stderr");
  EXPECT_FALSE(fs::exists(folder / "later/pc2"));
  const Result result = brio("export later --formats usda,pc2,vtu,gltf,obj,ply");
  ASSERT_EQ(result.code, 0) << read("stderr");
  EXPECT_EQ(result.output, "5 frames; wrote usda, pc2, vtu, gltf, obj, ply to later\n");
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "all")) {
    const fs::path name = fs::relative(entry.path(), folder / "all");
    if (!entry.is_regular_file() || name == "run.json" || name == "run.log" || name == "ledger.csv" ||
        name == "scene.toml" || name == "checkpoint.brio" || name == "report.html" || name == "brio-files.txt")
      continue;
    ++files;
    EXPECT_TRUE(read("all" / name) == read("later" / name)) << name;
  }
  EXPECT_EQ(files, 1 + 1 + 4 + 6 + 1 + 5 + 5)
      << "frames.bin, usda, pc2 and obj of two bodies, vtu and pvd, glb, obj, ply";
}

TEST_F(ExportCommand, WritesThePointCachesUnlessTheSceneSaysOtherwise) {
  ASSERT_EQ(brio("run s.toml -o x").code, 0) << read("stderr");
  EXPECT_TRUE(fs::exists(folder / "x/pc2/cube.pc2"));
  EXPECT_TRUE(fs::exists(folder / "x/pc2/sheet.obj"));
  EXPECT_FALSE(fs::exists(folder / "x/animation.usda"));
  std::ofstream(folder / "s.toml", std::ios::app) << "[output]\nformats = ['gltf']\n";
  ASSERT_EQ(brio("run s.toml -o y").code, 0) << read("stderr");
  EXPECT_TRUE(fs::exists(folder / "y/animation.glb"));
  EXPECT_FALSE(fs::exists(folder / "y/pc2"));
}

TEST_F(ExportCommand, BadFormatsAndFoldersAreNamedBeforeAnythingIsDone) {
  EXPECT_EQ(brio("run s.toml -o x --formats usda,pc3").code, 1);
  EXPECT_EQ(read("stderr"), "brio: --formats: output.formats[1] = \"pc3\": unknown format; did you mean 'pc2'?\n");
  EXPECT_FALSE(fs::exists(folder / "x"));
  ASSERT_EQ(brio("run s.toml -o x").code, 0) << read("stderr");
  EXPECT_EQ(brio("export x --formats glft").code, 1);
  EXPECT_NE(read("stderr").find("did you mean 'gltf'?"), std::string::npos) << read("stderr");
  EXPECT_EQ(brio("export nowhere").code, 1);
  EXPECT_NE(read("stderr").find("nowhere: holds no run"), std::string::npos) << read("stderr");
  ASSERT_EQ(brio("run s.toml -o y --h 2e-3").code, 0) << read("stderr");
  fs::copy_file(folder / "y/frames.bin", folder / "x/frames.bin", fs::copy_options::overwrite_existing);
  EXPECT_EQ(brio("export x").code, 1);
  EXPECT_NE(read("stderr").find("is not of the scene beside it"), std::string::npos) << read("stderr");
}

TEST_F(ExportCommand, GigabytesAreAnnouncedBeforehand) {
  const Result result = brio("run s.toml -o x --json --formats usda --frames 3");
  ASSERT_EQ(result.code, 0) << read("stderr");
  EXPECT_EQ(result.output.find("\"warning\""), std::string::npos) << "small runs are silent";
  // A run of a million frames is announced, then stopped at once.
  const Result large = run_program("cd " + folder.string() +
                                   " && timeout -s INT 20 " BRIO_PROGRAM
                                   " run s.toml -o large --json --formats usda --frames 1000000 2>stderr | head -n 3");
  EXPECT_NE(large.output.find("will need about "), std::string::npos) << large.output;
  EXPECT_NE(large.output.find("frames.bin 872 MB, usda "), std::string::npos) << large.output;
}
