/// Where the papers' scenes are: beside an installed program, else among the sources that it was built from.
#include <fmt/format.h>

#include "experiments/follow.h"

namespace brio {

std::filesystem::path papers_folder() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path installed = fs::read_symlink("/proc/self/exe", error).parent_path() / "../share/brio/scenes/papers";
  return fs::is_directory(installed, error) ? installed.lexically_normal() : fs::path(BRIO_SCENES_DIR) / "papers";
}

Scene paper_scene(const std::string& name, const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<Override> overrides;
  for (const auto& [path, value] : changes) overrides.push_back({path, value, "experiment"});
  return load_scene(papers_folder() / (name + ".toml"), overrides);
}

}  // namespace brio
