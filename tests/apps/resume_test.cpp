/// Runs that are interrupted, killed or out of room, and what can be saved of them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "command_test.h"

namespace {

namespace fs = std::filesystem;

class Resume : public CommandTest {
 protected:
  void write_scene(const std::string& integrator, int frames) const {
    std::ofstream(folder / "s.toml")
        << "[time]\nh = 2e-3\nframes = " << frames << "\n[integrator]\nname = '" << integrator
        << "'\n[[body]]\nmesh = { generate = 'bar', cells = [3, 1, 1] }\nmaterial = { name = 'stvk', mu = 2e3, lambda "
           "= "
           "2e3 }\nspin = [0, 1, 2]\npin = [{ select = { vertex = 0 } }]\n"
           "[[body]]\nmesh = { generate = 'sheet', cells = [2, 2] }\nvelocity = [0, 1, 0]\n";
  }

  /// All that remembers more than positions and velocities: cubes that slide and stick on a slope and on each other, a
  /// pusher on its way, damping of every kind, an integrator that knows its last steps.
  void write_scene_with_histories(const std::string& integrator, int frames) const {
    std::ofstream(folder / "s.toml") << "[time]\nh = 4e-3\nframes = " << frames << "\n[integrator]\nname = '"
                                     << integrator << R"('
[[body]]
name = "below"
mesh = { generate = "cube", size = 0.4, cells = 2 }
material = { name = "stvk", mu = 2e4, lambda = 2e4 }
position = [0, 0.21, 0]
velocity = [0.5, 0, 0]
[[body]]
name = "above"
mesh = { generate = "cube", size = 0.3, cells = 2 }
material = { name = "stvk", mu = 2e4, lambda = 2e4 }
position = [0.02, 0.58, 0.01]
velocity = [0, 0, 0.3]
[[collider]]
name = "slope"
shape = "plane"
normal = [0.2, 1, 0]
stiffness = 2e4
friction = 0.4
[[collider]]
name = "pusher"
shape = "sphere"
center = [0.7, 0.2, 0]
radius = 0.3
stiffness = 2e4
friction = 0.2
law = "spring"
path = [[0, [0.7, 0.2, 0]], [1, [-1, 0.2, 0]]]
[contact]
thickness = 0.01
friction = 0.3
[[damping]]
name = "rayleigh"
stiffness = 0.002
[[damping]]
name = "drag"
coefficient = 0.01
)";
  }

  /// Starts the program, and signals it when `condition` holds. Returns what waitpid says.
  template <class Condition>
  int signalled(const std::vector<std::string>& arguments, int number, Condition condition, rlim_t largest_file = 0) {
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder.c_str()) != 0 || freopen("stderr", "w", stderr) == nullptr ||
          freopen("stdout", "w", stdout) == nullptr)
        _exit(99);
      if (largest_file > 0) {
        const rlimit limit{largest_file, largest_file};
        setrlimit(RLIMIT_FSIZE, &limit);
      }
      std::vector<char*> words{const_cast<char*>(BRIO_PROGRAM)};
      for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
      words.push_back(nullptr);
      execv(BRIO_PROGRAM, words.data());
      _exit(98);
    }
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (number != 0 && condition()) {
        kill(child, number);
        waitpid(child, &status, 0);
        return status;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return status;
  }

  std::uintmax_t size(const std::string& name) const {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(folder / name, error);
    return error ? 0 : bytes;
  }
  /// The ledger without the times that the clock gave.
  std::string ledger(const fs::path& run) const {
    std::istringstream in(read(run / "ledger.csv"));
    std::string text;
    for (std::string line; std::getline(in, line);) text += line.substr(0, line.rfind(',')) + "\n";
    return text;
  }
  void expect_same(const fs::path& run, const std::string& straight) const {
    for (const char* fact : {"hash", "energy", "frames", "warnings"})
      EXPECT_EQ(json(run / "run.json")[fact], json(straight + "/run.json")[fact]) << fact;
    EXPECT_TRUE(read(run / "frames.bin") == read(straight + "/frames.bin"));
    EXPECT_EQ(ledger(run), ledger(straight));
    for (const auto& entry : fs::directory_iterator(folder / straight / "pc2"))
      EXPECT_TRUE(read(run / "pc2" / entry.path().filename()) == read(entry.path())) << entry;
  }
};

}  // namespace

TEST_F(Resume, EveryIntegratorGoesOnBitForBit) {
  const auto list = nlohmann::json::parse(brio("list integrators --json").output);
  ASSERT_GT(list.size(), 20u);
  for (const auto& method : list) {
    const std::string name = method["name"];
    write_scene(name, 12);
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
  for (const double share : {0.0, 0.2, 0.5, 0.8}) {
    const auto wanted = static_cast<std::uintmax_t>(share * static_cast<double>(size("straight/frames.bin"))) + 1;
    const int status = signalled(command, SIGKILL, [&] { return size("killed/frames.bin") >= wanted; });
    kills += WIFSIGNALED(status) ? 1 : 0;
    if (!fs::exists(folder / "killed/checkpoint.brio")) continue;
    EXPECT_EQ(brio("export killed --formats pc2").code, 0) << read("stderr");
    EXPECT_TRUE(read("killed/ledger.csv").starts_with("frame,time,"));
  }
  EXPECT_GE(kills, 2) << "the program was to be killed in the middle";
  ASSERT_EQ(brio("run s.toml -o killed --resume").code, 0) << read("stderr");
  expect_same("killed", "straight");
}

TEST_F(Resume, CtrlCFinishesTheFrameSavesAllAndTellsHowToGoOn) {
  write_scene("stabilized", 4000);
  for (const int number : {SIGINT, SIGTERM}) {
    fs::remove_all(folder / "x");  // its frames would be taken for those of the next run
    const int status = signalled({"run", "s.toml", "-o", "x", "--force", "--h", "0.002"}, number,
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
    for (const auto& [number, share] : {std::pair(SIGINT, 0.3), std::pair(SIGKILL, 0.6), std::pair(SIGKILL, 0.8)}) {
      const auto wanted =
          static_cast<std::uintmax_t>(share * static_cast<double>(size(integrator + "-straight/frames.bin")));
      const int status = signalled(command, number, [&] { return size(integrator + "/frames.bin") >= wanted; });
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
  const int status = signalled({"compare", "s.toml", "--integrators", integrators, "-o", "c", "--json"}, SIGINT,
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
  const int status = signalled(
      {"run", "s.toml", "-o", "x"}, 0, [] { return false; }, 60000);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const std::string told = read("stderr");
  EXPECT_NE(told.find("brio: x/frames.bin: cannot be written: File too large; make room on the disk, then go on with "
                      "--resume; frame "),
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

TEST_F(Resume, WithoutAFolderGoesOnWithTheLastRunAndStartsWhereThereIsNone) {
  write_scene("verlet", 3);
  EXPECT_EQ(brio("run s.toml --resume").code, 0) << read("stderr");
  EXPECT_EQ(brio("run s.toml --frames 2").code, 0) << read("stderr");
  EXPECT_EQ(brio("run s.toml --resume --frames 7").code, 0) << read("stderr");
  EXPECT_EQ(json("out/s/run.json")["frames"], 3);
  EXPECT_EQ(json("out/s-2/run.json")["frames"], 7);
  EXPECT_EQ(brio("run s.toml --resume --force").code, 1);
}
