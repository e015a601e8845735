/// Ctrl-C and SIGTERM, wherever they find the program: it answers soon, in words, with 130, and leaves nothing torn.
#include <sys/stat.h>

#include <functional>
#include <optional>

#include "core/timer.h"
#include "resume_testing.h"

namespace {

namespace fs = std::filesystem;
using brio::Stopwatch;

class Interrupting : public brio::testing::ResumeTest {
 protected:
  /// Runs the command, sends the signal when `ready`, and expects words, 130, and no temporary file.
  void expect_answer(const std::vector<std::string>& command, int number, const std::function<bool()>& ready,
                     const std::string& words) {
    constexpr double soon = 2;  // s: a second, on a busy machine
    Stopwatch since;
    bool sent = false;
    const int status = signaled(command, number, [&] {
      if (!ready()) return false;
      since = {};
      return sent = true;
    });
    ASSERT_TRUE(sent) << "it was to be interrupted before its end\n" << read("stderr");
    EXPECT_LT(since.seconds(), soon);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status) << "\n" << read("stderr");
    EXPECT_EQ(WEXITSTATUS(status), 130) << read("stderr");
    EXPECT_NE(read("stderr").find(words), std::string::npos) << read("stderr");
    EXPECT_EQ(unfinished(), "");
  }
  std::string unfinished() const {
    std::string names;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".part") names += entry.path().string() + "\n";
    return names;
  }
  bool writes(const fs::path& name) const {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator((folder / name).parent_path(), none))
      if (entry.path().filename().string().starts_with(name.filename().string()) &&
          entry.path().extension() == ".part" && fs::file_size(entry.path(), none) > 0)
        return true;
    return false;
  }
  /// Ready so many milliseconds after it was asked first.
  static std::function<bool()> after(double ms) {
    return [since = Stopwatch(), ms] { return since.milliseconds() > ms; };
  }
  /// Ready so many milliseconds after the run has written its first frame.
  std::function<bool()> after_first_frame(const fs::path& run, double ms) const {
    return [this, run, ms, begun = std::optional<Stopwatch>()]() mutable {
      if (!begun && size(run / "frames.bin") > 0) begun.emplace();
      return begun && begun->milliseconds() > ms;
    };
  }
  /// A body whose animation takes long to write and not long to compute.
  void write_long_scene() const {
    write("s.toml",
          "[time]\nh = 1e-4\nframes = 800\n[output]\nformats = []\n[[body]]\nmesh = { generate = 'bar', cells = [40, "
          "12, 12] }\nspin = [0, 1, 0]\n");
  }
};

}  // namespace

TEST_F(Interrupting, AnExplodedRunSaysHowToGoOnToo) {
  write("s.toml",
        "gravity = [0, 0, 0]\n[time]\nh = 0.004\nframes = 1000000\n[integrator]\nname = 'explicit-euler'\n[output]\n"
        "formats = []\n[[body]]\nkind = 'particles'\nmesh = { generate = 'line', length = 1, segments = 1 }\n"
        "stiffness = 100\nvelocity = [0, 1, 0]\npin = [{ select = { vertex = 0 } }]\n");
  // It explodes at frame 2,897, and ends by itself at frame 114,689; a row takes some 200 bytes.
  const auto has_exploded = [this] { return size("x/ledger.csv") > 1000000; };
  const int status = signaled({"run", "s.toml", "-o", "x"}, SIGINT, has_exploded);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2) << read("stderr");
  EXPECT_EQ(json("x/run.json")["status"], "exploded");
  EXPECT_FALSE(json("x/run.json").contains("message")) << "it ended before it was stopped";
  EXPECT_NE(read("stderr").find("; interrupted after frame "), std::string::npos) << read("stderr");
  EXPECT_NE(read("stderr").find("go on with\n  brio run s.toml -o x --resume"), std::string::npos) << read("stderr");
}

TEST_F(Interrupting, ARunOutlivesWhoeverReadsItsWords) {
  write("s.toml", "[time]\nh = 1e-3\nframes = 300\n[output]\nformats = []\n[[body]]\nmesh = { generate = 'cube' }\n");
  run_program("cd " + folder.string() +
              " && (" BRIO_PROGRAM " run s.toml --json -o x 2>stderr; echo $? > code) | head -1");
  EXPECT_EQ(json("x/run.json")["status"], "ok");
  EXPECT_EQ(json("x/run.json")["frames"], 300);
  EXPECT_EQ(read("code"), "1\n") << "what was to be printed is lost";
  EXPECT_NE(read("stderr").find("standard output cannot be written"), std::string::npos) << read("stderr");
  // Standard error likewise.
  run_program("cd " + folder.string() + " && (" BRIO_PROGRAM " run s.toml -o y 2>&1; echo $? > code) | true");
  EXPECT_EQ(json("y/run.json")["status"], "ok");
}

TEST_F(Interrupting, WhileASceneIsReadNothingIsWritten) {
  write("s.toml", "[time]\nh = 1e-4\nframes = 3\n[[body]]\nmesh = { generate = 'bar', cells = [300, 60, 60] }\n");
  for (const int number : {SIGTERM, SIGINT})
    for (const double ms : {100.0, 700.0, 1500.0}) {
      SCOPED_TRACE(fmt::format("signal {} after {} ms", number, ms));
      expect_answer({"run", "s.toml", "-o", "x"}, number, after(ms),
                    "brio: interrupted while s.toml was read; nothing was written\n");
      EXPECT_FALSE(fs::exists(folder / "x"));
    }
  expect_answer({"scene", "check", "s.toml"}, SIGTERM, after(700), "brio: interrupted");
  expect_answer({"compare", "s.toml", "-o", "c"}, SIGTERM, after(700), "brio: interrupted while s.toml was read");
  EXPECT_FALSE(fs::exists(folder / "c"));
  expect_answer({"mesh", "--generate", "bar", "--set", "cells=[300,60,60]", "x.vtu"}, SIGINT, after(700),
                "brio: interrupted");
  EXPECT_FALSE(fs::exists(folder / "x.vtu"));
}

TEST_F(Interrupting, WhileAnimationFilesAreWrittenTheRecordIsWholeAndTheRestCanBeMade) {
  write_long_scene();
  expect_answer(
      {"run", "s.toml", "-o", "x", "--formats", "usda"}, SIGTERM, [&] { return writes("x/animation.usda"); },
      "interrupted while report and animation files were written; 800 of 800 frames are in x: `brio report x` "
      "and `brio export x` make the rest\n");
  EXPECT_EQ(json("x/run.json")["status"], "ok");
  EXPECT_FALSE(fs::exists(folder / "x/animation.usda"));
  for (const int number : {SIGTERM, SIGINT})
    expect_answer(
        {"export", "x", "--formats", "usda"}, number, [&] { return writes("x/animation.usda"); },
        "brio: interrupted; files that were not finished are removed\n");
  EXPECT_FALSE(fs::exists(folder / "x/animation.usda"));
  EXPECT_EQ(brio("export x --formats pc2").code, 0) << read("stderr");
  EXPECT_EQ(brio("report x").code, 0) << read("stderr");
}

/// The first step finds an order of elimination for 275,000 vertices, which takes seconds.
TEST_F(Interrupting, WhileALargeMeshIsOrdered) {
  write("s.toml",
        "[time]\nh = 0.01\nframes = 9\n[integrator]\nname = 'backward-euler'\n[solver]\nname = 'local-global'\n"
        "[output]\nformats = []\n[[body]]\nmesh = { generate = 'cube', cells = 64 }\nspin = [0, 1, 0]\n");
  for (const double ms : {300.0, 1000.0}) {
    fs::remove_all(folder / "x");
    expect_answer({"run", "s.toml", "-o", "x"}, SIGTERM, after_first_frame("x", ms),
                  "go on with\n  brio run s.toml -o x --resume\n");
    EXPECT_EQ(json("x/run.json")["status"], "interrupted");
  }
}

/// Factorizations of CHOLMOD and Eigen cannot be canceled: the program gives the frame up, and keeps those before.
TEST_F(Interrupting, AFactorizationThatDoesNotAnswerIsGivenUp) {
  write("s.toml",
        "[time]\nh = 0.1\nframes = 9\n[integrator]\nname = 'backward-euler'\n[solver]\nlinear = 'direct'\n"
        "[[body]]\nmesh = { generate = 'cube', cells = 34 }\nspin = [0, 1, 0]\n");
  const std::string given_up =
      "brio: interrupted in frame 1 of 9, which was given up; wrote x; go on with\n  brio run "
      "s.toml -o x --resume --formats none\n";
  bool seen = false;
  for (const double ms : {1000.0, 2000.0, 4000.0, 8000.0, 16000.0}) {  // slow machines come to it later
    fs::remove_all(folder / "x");
    expect_answer({"run", "s.toml", "-o", "x", "--formats", "none"}, SIGTERM, after_first_frame("x", ms),
                  "go on with\n  brio run s.toml -o x --resume --formats none\n");
    if (HasFatalFailure()) return;
    EXPECT_EQ(json("x/run.json")["status"], "interrupted");
    seen = read("stderr").find(given_up) != std::string::npos;
    if (seen) break;
  }
  EXPECT_TRUE(seen) << "no factorization took longer than its answer is waited for\n" << read("stderr");
}
