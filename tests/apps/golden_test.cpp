/// Six short scenes whose final bits are committed, for every number of threads. docs/development.md says for which
/// builds they hold and how to write them again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "command_test.h"

namespace {

using Json = nlohmann::ordered_json;

/// Large enough that loops are cut into several chunks, short enough for every test.
const std::vector<std::pair<std::string, std::string>> golden_scenes{{"explicit", R"(
[time]
h = 1e-4
frames = 4
substeps = 5
[integrator]
name = "verlet"
[[body]]
mesh = { generate = "bar", size = [2, 0.5, 0.5], cells = [40, 10, 10] }
material = { name = "neo-hookean", young = 5e4, poisson = 0.3 }
spin = [3, 1, 2]
pin = [{ select = { plane = [[-0.99, 0, 0], [-1, 0, 0]] } }]
)"},
                                                                     {"newton", R"(
[time]
h = 0.01
frames = 2
[integrator]
name = "avf"
[[body]]
mesh = { generate = "bar", size = [2, 0.5, 0.5], cells = [30, 9, 9] }
material = { name = "stable-neo-hookean", young = 5e4, poisson = 0.3 }
spin = [3, 1, 2]
pin = [{ select = { plane = [[-0.99, 0, 0], [-1, 0, 0]] } }]
)"},
                                                                     {"local-global", R"(
[time]
h = 0.02
frames = 6
[integrator]
name = "stabilized"
[solver]
name = "local-global"
[[body]]
mesh = { generate = "sheet", size = [1, 1], cells = [50, 50] }
pin = [{ select = { vertices = [0, 50] } }]
wind = { velocity = [1, 0, 3], gust = 0.5 }
)"},
                                                                     {"contact", R"(
[time]
h = 0.005
frames = 16
[integrator]
name = "backward-euler"
[[body]]
name = "cube"
mesh = { generate = "cube", size = 0.2, cells = 3 }
material = { name = "stvk", young = 2e4, poisson = 0.3 }
position = [0, 0.12, 0]
velocity = [1, -1, 0]
copies = [2, 2, 1]
spacing = [0.23, 0.22, 1]
spin = [0, 2, 3]
[[collider]]
shape = "plane"
stiffness = 3000
friction = 0.4
[contact]
thickness = 0.02
friction = 0.3
)"},
                                                                     {"wire", R"(
[time]
h = 5e-5
frames = 4
substeps = 10
[integrator]
name = "symplectic-midpoint"
[[body]]
kind = "wire"
mesh = { generate = "helix", radius = 0.1, pitch = 0.05, turns = 12, segments = 750 }
radius = 0.008
stiffness = 300
pin = [{ select = { vertex = 0 } }]
[[damping]]
name = "momentum-preserving"
rate = 2
)"},
                                                                     {"driven", R"(
[time]
h = 0.01
frames = 8
[integrator]
name = "implicit-midpoint"
[[body]]
mesh = { generate = "bar", size = [2, 0.5, 0.5], cells = [24, 5, 5] }
material = { name = "stvk", young = 5e4, poisson = 0.3 }
pin = [{ select = { plane = [[-0.99, 0, 0], [-1, 0, 0]] }, path = [[0, [-1, 0, 0]], [0.06, [-1, 0.2, 0]]], turn = [[0, 0], [0.1, 20]], axis = [1, 0, 0] }]
attach = [{ select = { plane = [[0.99, 0, 0], [1, 0, 0]] }, stiffness = 200, path = [[0, [1, 0, 0]], [0.1, [1.2, 0, 0]]], release = 0.05 }]
)"}};

class Golden : public CommandTest {
 protected:
  static constexpr const char* table = BRIO_SOURCE_DIR "/tests/apps/golden_hashes.json";

  /// Kernels of BLAS that every machine has for which the default build is made, whatever it would choose.
  nlohmann::json run(const std::string& name, int threads) const {
    const Result result = run_program(fmt::format("cd {} && OPENBLAS_CORETYPE=Haswell " BRIO_PROGRAM
                                                  " run {}.toml --formats none --threads {} -o {}-{} 2>&1",
                                                  folder.string(), name, threads, name, threads));
    EXPECT_EQ(result.code, 0) << result.output;
    return json(fmt::format("{}-{}/run.json", name, threads));
  }

  /// What bits may depend on, in words.
  static std::string row_of(const nlohmann::json& versions) {
    std::string row;
    for (const char* part : {"march", "compiler", "libc", "blas"})
      row += (row.empty() ? "" : ", ") + versions[part].get<std::string>();
    return row;
  }
};

}  // namespace

TEST_F(Golden, SixScenesHaveTheirCommittedBitsForEveryNumberOfThreads) {
  for (const auto& [name, text] : golden_scenes) write(name + ".toml", text);
  Json golden = Json::parse(std::ifstream(table));
  const bool regenerate = std::getenv("BRIO_REGENERATE") != nullptr;
  std::string row;
  for (const auto& [name, text] : golden_scenes) {
    const nlohmann::json alone = run(name, 1);
    row = row_of(alone["versions"]);
    for (const int threads : {2, 3, 7}) EXPECT_EQ(run(name, threads)["hash"], alone["hash"]) << name << ": " << threads;
    if (regenerate) {
      golden[row][name] = alone["hash"];
    } else if (golden.contains(row)) {
      EXPECT_EQ(alone["hash"], golden[row][name])
          << name << ": not the bits that are committed; if that is meant, say so in CHANGES.md and write them again: "
          << "BRIO_REGENERATE=1 build/release/tests/test_apps --gtest_filter='Golden.*'";
    }
  }
  if (regenerate) std::ofstream(table) << golden.dump(2) << "\n";
  if (!regenerate && !golden.contains(row))
    GTEST_SKIP() << "no hashes are committed for this build (" << row
                 << "): that they do not depend on threads was checked, that they are those of before was not";
}
