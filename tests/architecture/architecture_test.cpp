#include <gtest/gtest.h>
#include <unistd.h>

#include "architecture/include_rules.h"

namespace brio::architecture {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path tree = BRIO_SOURCE_DIR;

/// A small source tree that lives as long as the test.
class PlantedTree {
 public:
  PlantedTree() : root_(fs::path(testing::TempDir()) / ("brio_planted_" + std::to_string(::getpid()))) {}
  PlantedTree(const PlantedTree&) = delete;
  PlantedTree& operator=(const PlantedTree&) = delete;
  ~PlantedTree() { fs::remove_all(root_); }

  void plant(const fs::path& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

}  // namespace

TEST(Architecture, IncludesFollowTheArrows) { EXPECT_EQ(include_violations(tree), Lines{}); }

TEST(Architecture, TheLibraryNeverEndsTheProgram) { EXPECT_EQ(exit_calls(tree), Lines{}); }

TEST(Architecture, FilesAreWrittenByOneFacilityAlone) { EXPECT_EQ(unsafe_writes(tree), Lines{}); }

TEST(Architecture, EveryModuleIsInTheTable) {
  for (const auto& entry : fs::directory_iterator(tree / "src"))
    EXPECT_TRUE(!entry.is_directory() || is_module(entry.path().filename().string())) << entry.path();
}

TEST(Architecture, ArrowsFormNoCircle) {
  for (const auto& [from, targets] : arrows())
    for (const std::string& to : targets) EXPECT_FALSE(may_include(to, from)) << from << " -> " << to;
}

TEST(Architecture, TheEngineKnowsNothingThatIsBuiltOnIt) {
  for (const std::string& module : engine_modules())
    for (const std::string& to : arrows().at(module)) EXPECT_TRUE(engine_modules().contains(to)) << module << to;
}

TEST(Architecture, TheEnginesSourcesIncludeNoLibraryForFiles) {
  const std::regex foreign("#include <(archive|nlohmann|openssl|OpenMesh|pugixml|tetgen|toml|zlib)");
  for (const auto& file : sources(tree, {"src"})) {
    if (!engine_modules().contains(module_of(file.lexically_relative("src")))) continue;
    for (const std::string& line : code_lines(tree / file))
      EXPECT_FALSE(std::regex_search(line, foreign)) << file << ": " << line;
  }
}

TEST(Architecture, TheUmbrellasHoldEveryPublicHeader) {
  for (const auto& header : sources(tree, {"include/brio"})) {
    if (is_umbrella(header)) continue;
    const bool engine = engine_modules().contains(module_of_header(header));
    const auto lines = code_lines(tree / "include/brio" / (engine ? "engine.h" : "brio.h"));
    const std::string wanted = "#include \"brio/" + header.filename().string() + "\"";
    EXPECT_EQ(std::count(lines.begin(), lines.end(), wanted), 1) << wanted;
  }
}

TEST(Architecture, WhatOthersAddTakesFewerThanSixtyLines) {
  for (const char* name : {"material", "energy", "integrator", "exporter"})
    EXPECT_LT(code_lines(tree / "tests/package" / (std::string(name) + ".cpp")).size(), 60u) << name;
}

TEST(Documentation, ExplainsEveryPackage) {
  std::ifstream packages(tree / "tools/packages.txt");
  std::ifstream document(tree / "docs/dependencies.md");
  const std::string explained{std::istreambuf_iterator<char>(document), {}};
  int seen = 0;
  for (std::string line; std::getline(packages, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::string name = line.substr(0, line.find(' '));
    ++seen;
    EXPECT_NE(explained.find(name), std::string::npos) << name << " is missing from docs/dependencies.md";
  }
  EXPECT_GT(seen, 10);
}

TEST(IncludeRules, CatchAnIncludeAgainstTheArrows) {
  const PlantedTree planted;
  planted.plant("src/mesh/a.cpp", "#include <vector>\n#include \"model/state.h\"\n#include \"core/hash.h\"\n");
  planted.plant("src/core/b.h", "#include \"brio/mesh.h\"\n");
  planted.plant("include/brio/math.h", "#include <brio/model.h>\n");
  planted.plant("src/model/c.cpp", "#include \"mesh/surface.h\"\n#include \"mesh/io/files.h\"\n");
  planted.plant("src/mesh/io/d.cpp", "#include \"mesh/io/files.h\"\n#include \"brio/mesh_models.h\"\n");
  EXPECT_EQ(include_violations(planted.root()),
            (Lines{"include/brio/math.h:1: includes brio/model.h: math must not know model",
                   "src/core/b.h:1: includes brio/mesh.h: core must not know mesh",
                   "src/mesh/a.cpp:2: includes model/state.h: mesh must not know model",
                   "src/mesh/io/d.cpp:2: includes brio/mesh_models.h: mesh/io must not know mesh/models",
                   "src/model/c.cpp:2: includes mesh/io/files.h: model must not know mesh/io"}));
}

TEST(IncludeRules, CatchUmbrellasUnrootedPathsAndUnknownModules) {
  const PlantedTree planted;
  planted.plant("include/brio/brio.h", "#include \"brio/core.h\"\n");
  planted.plant("include/brio/core.h", "#include \"core/hash.h\"\n");
  planted.plant("src/core/a.cpp", "#include \"hash.h\"\n");
  planted.plant("src/cellar/b.cpp", "#include \"core/hash.h\"\n");
  planted.plant("apps/brio/c.cpp", "#include \"brio/brio.h\"\n#include \"neighbor.h\"\n#include \"nobody.h\"\n");
  planted.plant("apps/brio/neighbor.h", "#include \"scene/scene.h\"\n");
  EXPECT_EQ(include_violations(planted.root()),
            (Lines{"apps/brio/c.cpp:1: includes brio/brio.h: the umbrella header is for programs outside",
                   "apps/brio/c.cpp:3: includes nobody.h: names neither a module nor a neighbor",
                   "include/brio/core.h:1: includes core/hash.h: public headers include only public headers",
                   "src/cellar/b.cpp:1: includes core/hash.h: 'cellar' is not a module of the design",
                   "src/core/a.cpp:1: includes hash.h: does not start with the name of a module"}));
}

TEST(IncludeRules, CatchExitsButNotTheirMention) {
  const PlantedTree planted;
  planted.plant("src/core/a.cpp",
                "// never exit()\nvoid f() { std::abort(); }\nvoid on_exit();\nint g = app.exit(1);\n");
  EXPECT_EQ(exit_calls(planted.root()), (Lines{"src/core/a.cpp:2"}));
}

TEST(IncludeRules, CatchFilesThatAreWrittenByOtherMeans) {
  const PlantedTree planted;
  planted.plant("src/core/a.cpp", "#include <fstream>\nstd::ofstream out(name);\nstd::ifstream in(name);\n");
  planted.plant("apps/brio/b.cpp", "auto f = fopen(name, \"w\");\nint d = open(name, O_WRONLY | O_CREAT, 0666);\n");
  EXPECT_EQ(unsafe_writes(planted.root()), (Lines{"apps/brio/b.cpp:1", "apps/brio/b.cpp:2", "src/core/a.cpp:2"}));
}

}  // namespace brio::architecture
