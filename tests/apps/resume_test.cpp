/// Runs that are interrupted, killed or out of room, and what can be saved of them.
#include "resume_testing.h"

namespace {

namespace fs = std::filesystem;

using Resume = brio::testing::ResumeTest;

}  // namespace

TEST_F(Resume, EveryIntegratorGoesOnBitForBit) {
  const auto list = nlohmann::json::parse(brio("list integrators --json").output);
  ASSERT_GT(list.size(), 20u);
  for (const auto& method : list) {
    const std::string name = method["name"];
    write_scene(name, 12);
    if (!method["dynamic"]) write_held_scene(name, 12);
    ASSERT_EQ(brio("run s.toml -o " + name + "-straight").code, 0) << name << read("stderr");
    ASSERT_EQ(brio("run s.toml --frames 5 -o " + name).code, 0) << name << read("stderr");
    ASSERT_EQ(brio("run s.toml --resume -o " + name).code, 0) << name << read("stderr");
    SCOPED_TRACE(name);
    expect_same(name, name + "-straight");
  }
}

TEST_F(Resume, AKilledRunIsReadableAndGoesOnBitForBit) {
  write_scene("bdf2", 1500);
  ASSERT_EQ(brio("run s.toml -o straight").code, 0) << read("stderr");
  const std::vector<std::string> command{"run", "s.toml", "-o", "killed", "--resume"};
  int kills = 0;
  for (const double fraction : {0.0, 0.2, 0.5, 0.8}) {
    const auto wanted = static_cast<std::uintmax_t>(fraction * static_cast<double>(size("straight/frames.bin"))) + 1;
    const int status = signaled(command, SIGKILL, [&] { return size("killed/frames.bin") >= wanted; });
    kills += WIFSIGNALED(status) ? 1 : 0;
    if (!fs::exists(folder / "killed/checkpoint.brio")) continue;
    EXPECT_EQ(brio("export killed --formats pc2").code, 0) << read("stderr");
    EXPECT_TRUE(read("killed/ledger.csv").starts_with("frame,time,"));
  }
  EXPECT_GE(kills, 2) << "the program was to be killed in the middle";
  ASSERT_EQ(brio("run s.toml -o killed --resume").code, 0) << read("stderr");
  expect_same("killed", "straight");
}

TEST_F(Resume, CtrlCSavesAllFinishedFramesAndTellsHowToGoOn) {
  write_scene("stabilized", 4000);
  for (const int number : {SIGINT, SIGTERM}) {
    fs::remove_all(folder / "x");  // its frames would be taken for those of the next run
    const int status = signaled({"run", "s.toml", "-o", "x", "--force", "--h", "0.002"}, number,
                                [&] { return size("x/frames.bin") > 20000; });
    ASSERT_TRUE(WIFEXITED(status)) << read("stderr");
    EXPECT_EQ(WEXITSTATUS(status), 130);
    EXPECT_NE(read("stderr").find("go on with\n  brio run s.toml -o x --resume --h 0.002"), std::string::npos)
        << read("stderr");
    EXPECT_EQ(json("x/run.json")["status"], "interrupted");
    EXPECT_GT(size("x/pc2/body0.pc2"), 32u);
  }
  const int frames = json("x/run.json")["frames"];
  ASSERT_LT(frames, 4000);
  const std::string more = " --h 0.002 --frames " + std::to_string(frames + 20);
  ASSERT_EQ(brio("run s.toml -o x --resume" + more).code, 0) << read("stderr");
  ASSERT_EQ(brio("run s.toml -o straight" + more).code, 0) << read("stderr");
  expect_same("x", "straight");
}

TEST_F(Resume, SignalsAreAnsweredWithinASecondWhateverAStepIsDoing) {
  struct Slow {
    const char* what;
    std::string scene;
  };
  const std::string solid = "[[body]]\nmesh = { generate = 'bar', cells = [40, 20, 20] }\nspin = [0, 1, 0]\n";
  const std::vector<Slow> slow{
      {"a million steps per frame", "[time]\nh = 1e-7\nframes = 9\nsubsteps = 1000000\n" + solid},
      {"conjugate gradients",
       "[time]\nh = 100\nframes = 9\nsubsteps = 1000000\n[integrator]\nname = 'backward-euler'\n[solver]\nlinear = "
       "'pcg'\n" +
           solid},
      {"a factorization, which cannot be canceled",
       "[time]\nh = 0.1\nframes = 9\nsubsteps = 1000000\n[integrator]\nname = 'backward-euler'\n[solver]\nlinear = "
       "'direct'\n" +
           solid},
      {"the search for contacts",
       "[time]\nh = 0.01\nframes = 9\nsubsteps = 1000000\n[integrator]\nname = 'backward-euler'\n[contact]\n"
       "thickness = 0.005\n[[body]]\nmesh = { generate = 'sheet', cells = [60, 60] }\nspin = [0, 50, 0]\n"}};
  for (const Slow& one : slow) {
    SCOPED_TRACE(one.what);
    fs::remove_all(folder / "x");
    std::ofstream(folder / "s.toml") << one.scene;
    std::chrono::steady_clock::time_point at;
    int waited = 0;
    const int status = signaled({"run", "s.toml", "-o", "x"}, SIGTERM, [&] {
      if (size("x/frames.bin") == 0 || ++waited < 400) return false;  // ms into the first frame
      at = std::chrono::steady_clock::now();
      return true;
    });
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - at;
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130) << read("stderr");
    EXPECT_LT(taken.count(), 2);
    EXPECT_NE(read("stderr").find("go on with\n  brio run s.toml -o x --resume"), std::string::npos) << read("stderr");
    EXPECT_EQ(json("x/run.json")["status"], "interrupted");
    EXPECT_EQ(json("x/run.json")["frames"], 0);
  }
}

TEST_F(Resume, HistoriesOfContactFrictionAndDampingGoOnBitForBitAfterCtrlCAndKills) {
  for (const std::string integrator : {"bdf2", "backward-euler", "symplectic-euler"}) {
    SCOPED_TRACE(integrator);
    const int frames = integrator == "symplectic-euler" ? 600 : 120;
    write_scene_with_histories(integrator, frames);
    const std::string finer = integrator == "symplectic-euler" ? " --h 2e-4" : "";
    ASSERT_EQ(brio(fmt::format("run s.toml -o {}-straight{}", integrator, finer)).code, 0) << read("stderr");
    const std::string last = [&] {
      const std::string text = read(integrator + "-straight/ledger.csv");
      return text.substr(text.rfind('\n', text.size() - 2) + 1);
    }();
    std::vector<std::string> columns;
    std::istringstream in(last);
    for (std::string column; std::getline(in, column, ',');) columns.push_back(column);
    for (const std::size_t column : {5u, 7u, 8u, 9u})  // contact, user_work, damping_loss, friction_loss
      EXPECT_NE(std::stod(columns[column]), 0) << "column " << column << ": the scene must put it to the test";

    std::vector<std::string> command{"run", "s.toml", "-o", integrator, "--resume"};
    if (!finer.empty()) command.insert(command.end(), {"--h", "2e-4"});
    int stopped = 0;
    for (const auto& [number, fraction] : {std::pair(SIGINT, 0.3), std::pair(SIGKILL, 0.6), std::pair(SIGKILL, 0.8)}) {
      const auto wanted =
          static_cast<std::uintmax_t>(fraction * static_cast<double>(size(integrator + "-straight/frames.bin")));
      const int status = signaled(command, number, [&] { return size(integrator + "/frames.bin") >= wanted; });
      stopped += WIFSIGNALED(status) || WEXITSTATUS(status) == 130 ? 1 : 0;
    }
    EXPECT_GE(stopped, 2) << "the program was to be stopped in the middle";
    ASSERT_EQ(brio(fmt::format("run s.toml --resume -o {}{}", integrator, finer)).code, 0) << read("stderr");
    expect_same(integrator, integrator + "-straight");
  }
}

TEST_F(Resume, CtrlCEndsAComparisonWithAPageOfWhatWasDone) {
  write_scene("verlet", 500);
  const std::string integrators = "verlet,bdf2,avf";
  const int status = signaled({"compare", "s.toml", "--integrators", integrators, "-o", "c", "--json"}, SIGINT,
                              [&] { return size("c/bdf2/frames.bin") > 20000; });
  ASSERT_TRUE(WIFEXITED(status)) << read("stderr");
  EXPECT_EQ(WEXITSTATUS(status), 130) << read("stderr");
  const std::string more = "compare s.toml --integrators " + integrators + " -o c --resume";
  EXPECT_NE(read("stderr").find("what was done is in c/compare.html; go on with\n  brio " + more), std::string::npos)
      << read("stderr");
  const auto statuses = [&](const char* file) {
    std::vector<std::string> list;
    for (const auto& row : json(file)) list.push_back(row["status"]);
    return list;
  };
  EXPECT_EQ(statuses("stdout"), (std::vector<std::string>{"ok", "interrupted", "skipped"}));
  EXPECT_NE(read("c/compare.html").find("interrupted after frame "), std::string::npos);
  ASSERT_EQ(brio(more).code, 0) << read("stderr");
  EXPECT_EQ(statuses("c/compare.json"), (std::vector<std::string>{"ok", "ok", "ok"}));
  ASSERT_EQ(brio("run s.toml --set integrator=\"{name='bdf2'}\" -o straight --formats none").code, 0) << read("stderr");
  EXPECT_EQ(json("c/bdf2/run.json")["hash"], json("straight/run.json")["hash"]);
}

TEST_F(Resume, AFullDiskNamesTheFileAndLosesOnlyTheFrameInFlight) {
  write_scene("symplectic-euler", 400);
  const int status = signaled(
      {"run", "s.toml", "-o", "x"}, 0, [] { return false; }, 60000);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const std::string told = read("stderr");
  EXPECT_NE(
      told.find("brio: x/frames.bin: cannot be written: File too large; allow larger files (ulimit -f), or write to a "
                "disk that can hold them, then go on with --resume; frame "),
      std::string::npos)
      << told;
  EXPECT_NE(told.find(" is lost, frames 0 to "), std::string::npos) << told;
  EXPECT_EQ(brio("export x").code, 0) << read("stderr");
  ASSERT_EQ(brio("run s.toml -o x --resume").code, 0) << read("stderr");
  ASSERT_EQ(brio("run s.toml -o straight").code, 0) << read("stderr");
  expect_same("x", "straight");
}

TEST_F(Resume, ADamagedOrForeignCheckpointIsRefusedInWords) {
  write_scene("verlet", 5);
  ASSERT_EQ(brio("run s.toml -o x").code, 0) << read("stderr");
  EXPECT_EQ(brio("run s.toml -o x --resume --h 0.001").code, 1);
  EXPECT_NE(read("stderr").find("x/checkpoint.brio: belongs to another scene; resume with the scene and options"),
            std::string::npos)
      << read("stderr");
  EXPECT_EQ(brio("run s.toml -o x --resume --frames 3").code, 1);
  EXPECT_NE(read("stderr").find("is at frame 5, the scene ends with 3"), std::string::npos) << read("stderr");
  EXPECT_EQ(json("x/run.json")["frames"], 5) << "nothing was touched";
  std::string bytes = read("x/checkpoint.brio");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(folder / "x/checkpoint.brio", std::ios::binary) << bytes;
  EXPECT_EQ(brio("run s.toml -o x --resume --frames 9").code, 1);
  EXPECT_NE(read("stderr").find("x/checkpoint.brio: is damaged; start the run again with --force"), std::string::npos)
      << read("stderr");
  EXPECT_EQ(brio("run s.toml -o x --force --frames 9").code, 0) << read("stderr");
}

/// Two meshes of the same size: where a body or a collider was read from does not matter, what it was does.
TEST_F(Resume, KnowsMeshesByWhatTheyHoldNotByWhereTheyAre) {
  fs::create_directories(folder / "old/meshes");
  const auto write_cube = [&](const std::string& name, double height) {
    write("old/meshes/" + name,
          fmt::format("v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 {} 0\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n", height));
  };
  write_cube("hill.obj", 0.5);
  write("old/meshes/sheet.obj", "v 0 1 0\nv 1 1 0\nv 0 1 1\nv 1 1 1\nf 1 2 3\nf 2 4 3\n");
  write("old/s.toml",
        "[time]\nh = 0.01\nframes = 9\n[integrator]\nname = 'backward-euler'\n[[body]]\nkind = 'cloth'\n"
        "mesh = { file = 'meshes/sheet.obj' }\n[[collider]]\nshape = 'mesh'\nmesh = { file = 'meshes/hill.obj' }\n"
        "stiffness = 100\n");
  ASSERT_EQ(brio("run old/s.toml -o straight").code, 0) << read("stderr");
  ASSERT_EQ(brio("run old/s.toml -o old/out --frames 4").code, 0) << read("stderr");
  fs::rename(folder / "old", folder / "new");
  EXPECT_EQ(brio("export new/out --formats obj").code, 0) << "a moved project: " << read("stderr");
  EXPECT_EQ(brio("run new/s.toml -o new/out --resume").code, 0) << "a moved project: " << read("stderr");
  expect_same("new/out", "straight");
  fs::rename(folder / "new/out", folder / "elsewhere");
  EXPECT_EQ(brio("export elsewhere --formats obj").code, 0) << "a moved run: " << read("stderr");
  fs::rename(folder / "new", folder / "old");
  fs::create_directories(folder / "x");
  for (const char* changed : {"hill.obj", "sheet.obj"}) {
    const std::string before = read(fs::path("old/meshes") / changed);
    ASSERT_EQ(brio("run old/s.toml -o x --force --frames 4").code, 0) << read("stderr");
    if (std::string(changed) == "hill.obj")
      write_cube("hill.obj", 0.25);
    else
      write("old/meshes/sheet.obj", "v 0 1 0\nv 1 1 0\nv 0 1 1\nv 1 1 1\nf 1 2 4\nf 1 4 3\n");
    EXPECT_EQ(brio("run old/s.toml -o x --resume").code, 1) << changed;
    EXPECT_NE(read("stderr").find("belongs to another scene"), std::string::npos) << read("stderr");
    EXPECT_EQ(brio("export x --formats obj").code, 1) << changed;
    write(fs::path("old/meshes") / changed, before);
  }
}

TEST_F(Resume, WithOtherKernelsOfBlasIsWarnedOfInTheTerminalTheSummaryAndTheReport) {
  write_scene("avf", 6);
  const auto with_kernels = [&](const std::string& core, const std::string& arguments) {
    const Result result = run_program("cd " + folder.string() + " && OPENBLAS_CORETYPE=" + core + " " BRIO_PROGRAM " " +
                                      arguments + " 2>stderr");
    EXPECT_EQ(result.code, 0) << read("stderr");
  };
  with_kernels("Haswell", "run s.toml -o x --frames 3");
  EXPECT_EQ(json("x/run.json")["warnings"].dump().find("another platform"), std::string::npos);
  const std::string blas = json("x/run.json")["versions"]["blas"];
  with_kernels("Nehalem", "run s.toml -o y");
  const std::string other = json("y/run.json")["versions"]["blas"];
  if (blas == other) GTEST_SKIP() << "kernels cannot be chosen in this build: " << blas;
  with_kernels("Nehalem", "run s.toml -o x --resume");
  const std::string warning = "from frame 4 on the run is on another platform (blas was " + blas + " and is " + other;
  EXPECT_NE(read("stderr").find(warning), std::string::npos) << read("stderr");
  EXPECT_NE(read("x/run.log").find(warning), std::string::npos);
  EXPECT_NE(read("x/report.html").find(warning), std::string::npos);
  EXPECT_TRUE(json("x/run.json")["warnings"].dump().find(warning) != std::string::npos);
}

TEST_F(Resume, WithoutAFolderGoesOnWithTheLastRunAndStartsWhereThereIsNone) {
  write_scene("verlet", 3);
  EXPECT_EQ(brio("run s.toml --resume").code, 0) << read("stderr");
  EXPECT_EQ(brio("run s.toml --frames 2").code, 0) << read("stderr");
  EXPECT_EQ(brio("run s.toml --resume --frames 7").code, 0) << read("stderr");
  EXPECT_EQ(json("out/s/run.json")["frames"], 3);
  EXPECT_EQ(json("out/s-2/run.json")["frames"], 7);
  EXPECT_EQ(brio("run s.toml --resume --force").code, 1);
}
