/// Which module may include which: the one table behind the test that includes go only with the flow of data.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace brio::architecture {

/// Arrows of the design. A module may include itself, the modules its arrows point to, and all that those may include.
inline const std::map<std::string, std::set<std::string>>& arrows() {
  static const std::map<std::string, std::set<std::string>> table = {
      {"core", {}},
      {"math", {"core"}},
      {"mesh", {"math"}},
      {"model", {"mesh"}},
      {"contact", {"model"}},
      {"objective", {"model", "contact"}},
      {"solvers", {"objective"}},
      {"integrators", {"solvers"}},
      {"sim", {"integrators"}},
      {"mesh/io", {"mesh"}},
      {"mesh/models", {"mesh/io"}},
      {"record", {"model", "mesh/io"}},
      {"report", {"record", "mesh/models"}},
      {"scene", {"sim", "record", "mesh/models"}},
      {"run", {"scene", "report"}},
      {"experiments", {"scene", "report"}},
      {"torture", {"run"}},
      {"studio", {"run"}},
      {"distributed", {"objective"}},
  };
  return table;
}

/// Modules of brio::engine, which must build without all that reads, fetches or packs files: nothing else may be
/// reached from them.
inline const std::set<std::string>& engine_modules() {
  static const std::set<std::string> modules{"core",      "math",    "mesh",        "model", "contact",
                                             "objective", "solvers", "integrators", "sim"};
  return modules;
}

inline bool may_include(const std::string& from, const std::string& to) {
  if (from == to) return true;
  const auto& next = arrows().at(from);
  return std::any_of(next.begin(), next.end(), [&](const std::string& module) { return may_include(module, to); });
}

inline bool is_module(const std::string& name) { return arrows().contains(name); }

/// Of a path below src: "mesh/io" where the folder in a folder is a module of its own, else the first folder.
inline std::string module_of(const std::filesystem::path& path) {
  const std::string outer = path.begin()->string();
  if (std::distance(path.begin(), path.end()) < 3) return outer;
  const std::string inner = outer + "/" + std::next(path.begin())->string();
  return is_module(inner) ? inner : outer;
}

/// Of a public header: brio/mesh_io.h is the face of src/mesh/io. Where others may add to a module, the means have a
/// header of their own.
inline std::string module_of_header(const std::filesystem::path& header) {
  static const std::map<std::string, std::string> extended{
      {"block_matrix", "math"}, {"energy", "model"}, {"force", "model"},
      {"interaction", "model"}, {"choices", "core"}, {"ids", "model"},
      {"material", "model"},    {"motion", "model"}, {"view", "sim"}};
  std::string name = header.stem().string();
  if (extended.contains(name)) return extended.at(name);
  std::replace(name.begin(), name.end(), '_', '/');
  return name;
}

/// Those that only list others.
inline bool is_umbrella(const std::filesystem::path& header) {
  return header.filename() == "brio.h" || header.filename() == "engine.h";
}

/// Lines of a source without what follows `//`, so that prose is not taken for code.
inline std::vector<std::string> code_lines(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line.substr(0, line.find("//")));
  return lines;
}

/// Sources under the folders given, sorted, as paths relative to `root`.
inline std::vector<std::filesystem::path> sources(const std::filesystem::path& root,
                                                  const std::vector<std::string>& folders) {
  std::vector<std::filesystem::path> found;
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".h" || extension == ".cpp") found.push_back(std::filesystem::relative(entry.path(), root));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// What is wrong with `file` (relative to `root`) including `target`, or nothing.
inline std::optional<std::string> objection(const std::filesystem::path& root, const std::filesystem::path& file,
                                            const std::string& target) {
  const auto part = [](const std::filesystem::path& path, int i) { return std::next(path.begin(), i)->string(); };
  const std::filesystem::path goal(target);
  const bool goal_is_public = part(goal, 0) == "brio";
  const bool in_src = part(file, 0) == "src";
  const bool in_public = part(file, 0) == "include";
  if (in_public && is_umbrella(file)) return {};
  if (goal_is_public && is_umbrella(goal)) return "the umbrella header is for programs outside";

  const std::string goal_module = goal_is_public ? module_of_header(goal) : module_of(goal);
  if (!in_src && !in_public) {  // programs may use every module, the benchmarks, what they share and their neighbors
    const bool neighbor = std::filesystem::exists(root / file.parent_path() / goal) ||
                          (part(goal, 0) == "program" && std::filesystem::exists(root / "apps" / goal)) ||
                          (part(goal, 0) == "bench" && std::filesystem::exists(root / goal));
    if (!neighbor && !is_module(goal_module)) return "names neither a module nor a neighbor";
    return {};
  }
  const std::string module = in_src ? module_of(file.lexically_relative("src")) : module_of_header(file);
  if (!is_module(module)) return "'" + module + "' is not a module of the design";
  if (in_public && !goal_is_public) return "public headers include only public headers";
  if (!is_module(goal_module)) return "does not start with the name of a module";
  if (!may_include(module, goal_module)) return module + " must not know " + goal_module;
  return {};
}

/// "src/mesh/a.cpp:3: includes model/b.h: mesh must not know model", one per include against the arrows. Includes in
/// angle brackets are of other libraries, except brio's own.
inline std::vector<std::string> include_violations(const std::filesystem::path& root) {
  static const std::regex include(R"(^\s*#\s*include\s*(?:"([^"]+)\"|<(brio/[^>]+)>))");
  std::vector<std::string> found;
  for (const auto& file : sources(root, {"src", "include/brio", "apps", "bench"})) {
    const auto lines = code_lines(root / file);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::smatch match;
      if (!std::regex_search(lines[i], match, include)) continue;
      const std::string target = match[1].matched ? match[1] : match[2];
      if (const auto why = objection(root, file, target))
        found.push_back(file.string() + ":" + std::to_string(i + 1) + ": includes " + target + ": " + *why);
    }
  }
  return found;
}

/// Calls in the library that would end the program that uses it.
inline std::vector<std::string> exit_calls(const std::filesystem::path& root) {
  static const std::regex call(R"((^|[^\w.>])(exit|abort|quick_exit|_Exit|terminate)\s*\()");
  std::vector<std::string> found;
  for (const auto& file : sources(root, {"src", "include/brio"})) {
    const auto lines = code_lines(root / file);
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (std::regex_search(lines[i], call)) found.push_back(file.string() + ":" + std::to_string(i + 1));
  }
  return found;
}

/// Files that are opened to write by other means than src/core's, which follow no links and leave nothing half done.
inline std::vector<std::string> unsafe_writes(const std::filesystem::path& root) {
  static const std::regex write(
      R"(\b(ofstream|basic_ofstream|fstream|fopen|freopen|O_CREAT|mkstemp|basic_file_sink\w*)\b[^>])");
  static const std::set<std::string> own{"src/core/append_file.cpp", "src/core/safe_file.cpp", "src/core/process.cpp"};
  std::vector<std::string> found;
  for (const auto& file : sources(root, {"src", "include/brio", "apps"})) {
    if (own.contains(file.string())) continue;
    const auto lines = code_lines(root / file);
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (std::regex_search(lines[i] + " ", write) && lines[i].find("open_plain(") == std::string::npos)
        found.push_back(file.string() + ":" + std::to_string(i + 1));
  }
  return found;
}

}  // namespace brio::architecture
