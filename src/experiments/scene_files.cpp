/// Where the papers' scenes are: beside an installed program, else among the sources that it was built from.
#include <fmt/format.h>

#include "experiments/follow.h"

namespace brio {

namespace {

namespace fs = std::filesystem;

fs::path installed_papers() {
  std::error_code error;
  return (fs::read_symlink("/proc/self/exe", error).parent_path() / "../share/brio/scenes/papers").lexically_normal();
}

}  // namespace

bool is_installed() {
  std::error_code error;
  return fs::is_directory(installed_papers(), error);
}

fs::path papers_folder() { return is_installed() ? installed_papers() : fs::path(BRIO_SCENES_DIR) / "papers"; }

Scene paper_scene(const std::string& name, const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<Override> overrides;
  for (const auto& [path, value] : changes) overrides.push_back({path, value, "experiment"});
  return load_scene(papers_folder() / (name + ".toml"), overrides);
}

}  // namespace brio
