/// Names and titles never command the terminal, and fetching never holds a run up in silence or leaves anything.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "command_test.h"

namespace {

namespace fs = std::filesystem;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What a terminal would obey, ends of lines apart: ESC and other controls, also of eight bits, and turned writing.
std::string controls(const std::string& text) {
  std::string found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\n') || c == 0x7F) found += fmt::format("{:02x} ", c);
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) found += "C1 ";
    if (text.compare(i, 3, "\xe2\x80\xae") == 0) found += "RLO ";
  }
  return found;
}

class Terminal : public CommandTest {};

/// An npm that hangs, and a cache that is empty.
class Fetching : public CommandTest {
 protected:
  void SetUp() override {
    write("s.toml", "[time]\nh = 1e-3\nframes = 2\n[[body]]\nmesh = { generate = 'cube', cells = 1 }\n");
    write("bunny.toml", "[time]\nh = 1e-3\nframes = 2\n[[body]]\nmesh = { model = 'bunny' }\n");
    fs::create_directories(folder / "bin");
    fs::create_directories(folder / "cache");
    set_npm("sleep 1000");  // a child of the child
  }
  void set_npm(const std::string& last) const {
    write("bin/npm",
          fmt::format("#!/bin/sh\necho $$ >> {0}/pids\necho \"$@\" >> {0}/calls\n{1}\n", folder.string(), last));
    fs::permissions(folder / "bin/npm", fs::perms::owner_all);
  }
  std::string environment(double timeout) const {
    return fmt::format("BRIO_CACHE={0}/cache PATH={0}/bin:$PATH BRIO_FETCH_TIMEOUT={1} ", folder.string(), timeout);
  }
  Result brio_with(double timeout, const std::string& arguments) const {
    return run_program("cd " + folder.string() + " && " + environment(timeout) + BRIO_PROGRAM " " + arguments +
                       " 2>stderr");
  }
  long lines_of(const fs::path& name) const {
    const std::string text = read(name);
    return std::count(text.begin(), text.end(), '\n');
  }
  /// Whether npm or what it started is still there: all of it is in the process group of the first.
  bool npm_lives() const {
    std::istringstream in(read("pids"));
    for (pid_t group = 0; in >> group;)
      if (kill(-group, 0) == 0) return true;
    return false;
  }
  std::size_t in_cache() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder / "cache"), fs::directory_iterator()));
  }
  template <class Condition>
  static bool soon(Condition condition) {
    for (int i = 0; i < 1000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
};

}  // namespace

TEST_F(Terminal, ShowsWhatItWouldObeyInNamesTitlesAndPaths) {
  const std::string evil =
      "\x1b]0;owned\x07\x1b[2J\xc2\x9b"
      "31m\xe2\x80\xae";
  const std::string toml = R"(\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\r\n)";
  write("s.toml", "title = \"" + toml +
                      "Würfel\"\n[time]\nh = 0.05\nframes = 2\n[integrator]\nname = 'backward-euler'\n"
                      "[[body]]\nname = \"" +
                      toml +
                      "\"\nmesh = { generate = 'cube', cells = 1 }\nposition = [0, 0.3, 0]\n"
                      "[[collider]]\nname = \"" +
                      toml + "\"\nshape = 'plane'\nstiffness = 10\n");
  fs::copy_file(folder / "s.toml", folder / (evil + ".toml"));
  const auto check = [&](const std::string& command, int code) {
    const Result result = brio(command);
    EXPECT_EQ(result.code, code) << command << read("stderr");
    EXPECT_EQ(controls(result.output), "") << command << "\n" << result.output;
    EXPECT_EQ(controls(read("stderr")), "") << command << "\n" << read("stderr");
    return result.output + read("stderr");
  };
  EXPECT_NE(check("scene check s.toml", 0).find("Würfel: understood"), std::string::npos) << "what can be read stays";
  EXPECT_NE(check("run s.toml -o x", 0).find("\\x1b"), std::string::npos) << "a warning names the body";
  check("run s.toml -o y --json", 0);
  check("export x --formats usda", 0);
  check("compare s.toml --integrators verlet,bdf2 -o c --json", 0);
  EXPECT_EQ(controls(read("x/run.log")), "") << read("x/run.log");
  EXPECT_NE(read("x/run.log").find("Würfel"), std::string::npos);
  const std::string path = "'" + evil + ".toml'";
  check("scene check " + path, 0);
  check("run " + path, 0);
  check("run " + path + " -o '" + evil + "'", 0);
  check("run " + path + " -o '" + evil + "'", 1);
  check("report '" + evil + "'", 0);
  check("plot '" + evil + "' -o '" + evil + ".svg'", 0);
  check("mesh --generate cube '" + evil + ".msh'", 0);
  check("mesh '" + evil + ".obj'", 1);
  check("run '" + evil + "'", 1);
  check("run s.toml --integrator '" + evil + "'", 1);
  check("run s.toml --set '" + evil + "=1'", 1);
  check("run s.toml --threads '" + evil + "'", 1);
  check("run s.toml '--" + evil + "'", 1);
  check("'" + evil + "'", 1);
  check("scene explain '" + evil + "'", 1);
  for (const std::string& change :
       {std::string("body[0].name=[1]"), std::string("body[0].mesh.file='x'"), "time.h='" + evil + "'"})
    check("run s.toml --set \"" + change + "\"", 1);
}

TEST_F(Terminal, OutputThatIsLostIsAnErrorAndWordsThatNobodyReadsAreNot) {
  write("s.toml", "[time]\nh = 1e-3\nframes = 20\n[[body]]\nmesh = { generate = 'cube', cells = 1 }\n");
  const auto code = [&](const std::string& arguments) {
    const int status = std::system(fmt::format("cd {} && {} {}", folder.string(), BRIO_PROGRAM, arguments).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  for (const std::string command : {"list integrators", "scene reference", "list materials --json", "--help"}) {
    EXPECT_EQ(code(command + " >/dev/full 2>stderr"), 1) << command;
    EXPECT_TRUE(says("stderr", "brio: ") && !says("stderr", "terminate")) << command << read("stderr");
  }
  EXPECT_EQ(code("run s.toml -o x 2>/dev/full"), 0) << "progress and warnings are not the work";
  EXPECT_EQ(json("x/run.json")["status"], "ok");
  EXPECT_EQ(code("run nowhere.toml 2>/dev/full"), 1);
  EXPECT_EQ(code("rnu 2>/dev/full"), 1);
}

TEST_F(Fetching, ARunSaysWhatItWaitsForAndWaitsOnce) {
  const double start = seconds_now();
  const Result result = brio_with(1, "run s.toml -o x");
  EXPECT_EQ(result.code, 0) << read("stderr");
  EXPECT_LT(seconds_now() - start, 20);
  EXPECT_EQ(lines_of("calls"), 1) << "not once per package";
  EXPECT_TRUE(says("stderr", "brio: fetching uplot@")) << read("stderr");
  EXPECT_TRUE(says("stderr", "through npm, once (at most 1 s) ...\n")) << read("stderr");
  EXPECT_TRUE(says("stderr", "npm could not fetch it within 1 s; nothing more is fetched now\n")) << read("stderr");
  EXPECT_TRUE(says("x/report.html", "npm could not fetch it within 1 s"));
  EXPECT_TRUE(says("calls", "--fetch-retries=0 --fetch-timeout=1000")) << "npm does not wait longer either";
  EXPECT_TRUE(soon([&] { return !npm_lives(); }));
  EXPECT_EQ(in_cache(), 0u);
  ASSERT_EQ(brio_with(0.2, "compare s.toml --integrators verlet,bdf2,avf -o c").code, 0) << read("stderr");
  EXPECT_EQ(lines_of("calls"), 2) << "nor once per run";
}

TEST_F(Fetching, ASignalEndsNpmTooAndLeavesNothing) {
  for (const bool report : {true, false}) {  // at the end of a run, and while its scene is read
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
      SCOPED_TRACE(fmt::format("{} {}", report ? "report" : "model", number));
      fs::remove(folder / "pids");
      const std::string command =
          fmt::format("cd {} && exec env {} {} run {} -o x{}{} >/dev/null 2>stderr", folder.string(), environment(100),
                      BRIO_PROGRAM, report ? "s.toml" : "bunny.toml", report, number);
      const pid_t child = fork();
      if (child == 0) {
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(98);
      }
      ASSERT_TRUE(soon([&] { return lines_of("pids") == 1 && npm_lives(); })) << read("stderr");
      const double start = seconds_now();
      kill(child, number);
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_LT(seconds_now() - start, 5);
      if (number == SIGHUP) {
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
      } else {
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << status;
        EXPECT_TRUE(says("stderr", report ? "brio: interrupted while report and animation files were written"
                                          : "brio: interrupted while bunny.toml was read; nothing was written"))
            << read("stderr");
      }
      EXPECT_TRUE(soon([&] { return !npm_lives(); }));
      EXPECT_EQ(in_cache(), 0u);
    }
  }
}

TEST_F(Fetching, AKillEndsNpmTooAndTheNextFetchTidiesUp) {
  set_npm("exec sleep 1000");
  const std::string command = fmt::format("cd {} && exec env {} {} run s.toml -o x >/dev/null 2>stderr",
                                          folder.string(), environment(100), BRIO_PROGRAM);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(98);
  }
  ASSERT_TRUE(soon([&] { return lines_of("pids") == 1 && npm_lives(); })) << read("stderr");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(soon([&] { return !npm_lives(); }));
  EXPECT_EQ(in_cache(), 1u);
  brio_with(0.1, "run s.toml -o y");
  EXPECT_EQ(in_cache(), 0u);
}
