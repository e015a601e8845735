/// Runs of the built program that are signaled or have no room, compared with those that went well.
#pragma once

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "command_test.h"

namespace brio::testing {

namespace fs = std::filesystem;

class ResumeTest : public CommandTest {
 protected:
  void write_scene(const std::string& integrator, int frames) const {
    std::ofstream(folder / "s.toml")
        << "[time]\nh = 2e-3\nframes = " << frames << "\n[integrator]\nname = '" << integrator
        << "'\n[[body]]\nmesh = { generate = 'bar', cells = [3, 1, 1] }\nmaterial = { name = 'stvk', mu = 2e3, lambda "
           "= "
           "2e3 }\nspin = [0, 1, 2]\npin = [{ select = { vertex = 0 } }]\n"
           "[[body]]\nmesh = { generate = 'sheet', cells = [2, 2] }\nvelocity = [0, 1, 0]\n";
  }

  /// For methods that know no motion of their own.
  void write_held_scene(const std::string& integrator, int frames) const {
    std::ofstream(folder / "s.toml") << "[time]\nh = 0.05\nframes = " << frames << "\n[integrator]\nname = '"
                                     << integrator << R"('
[[body]]
mesh = { generate = "bar", size = [1, 0.25, 0.25], cells = [6, 2, 2] }
material = { young = 1e5, poisson = 0.3 }
pin = [{ select = { plane = [[-0.499, 0, 0], [-1, 0, 0]] }, path = [[0, [-0.5, 0, 0]], [1, [-0.5, 0.4, 0]]] }]
)";
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
  int signaled(const std::vector<std::string>& arguments, int number, Condition condition, rlim_t largest_file = 0) {
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
    if (!fs::exists(folder / straight / "pc2")) return;
    for (const auto& entry : fs::directory_iterator(folder / straight / "pc2"))
      EXPECT_TRUE(read(run / "pc2" / entry.path().filename()) == read(entry.path())) << entry;
  }
};

}  // namespace brio::testing
