#include "run/run_folder.h"

#include <fmt/format.h>

#include "brio/core.h"
#include "record/recorder.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

/// "...toml" would lead out of the folder.
std::string name_of(const fs::path& scene) {
  const std::string stem = scene.stem().string();
  return stem.find_first_not_of('.') == std::string::npos ? "scene" : stem;
}

}  // namespace

fs::path choose_folder(const FolderWish& wish) {
  if (!wish.named.empty()) return wish.named;
  const fs::path wanted = fs::path("out") / (name_of(wish.scene) + wish.suffix);
  if (wish.force) return wanted;
  const auto numbered = [&](int i) { return i == 1 ? wanted : fs::path(fmt::format("{}-{}", wanted.string(), i)); };
  int next = 1;
  if (wish.resume) {
    while (fs::exists(numbered(next + 1))) ++next;
    return numbered(next);
  }
  // The first that we make ourselves: another process may look for one at the same time.
  std::error_code error;
  fs::create_directories(wanted.parent_path(), error);
  while (!error && !fs::create_directory(numbered(next), error)) ++next;
  if (error)
    throw InputError({.file = numbered(next).string(),
                      .problem = "cannot be made: " + error.message(),
                      .advice = "name a folder with -o"});
  return numbered(next);
}

std::unique_ptr<HeldFolder> hold_run_folder(const fs::path& folder, const FolderWish& wish) {
  auto held = std::make_unique<HeldFolder>(folder);
  if (!wish.force && !wish.resume && held->holds_any(comparison_files()))
    throw InputError({.file = folder.string(),
                      .problem = "already holds a run",
                      .advice = "choose another folder, --resume to go on with it, or --force to replace it"});
  return held;
}

const std::vector<std::string>& comparison_files() {
  static const std::vector<std::string> files{"compare.html", "compare.json"};
  return files;
}

Outputs run_outputs() {
  return {.files = {RunFiles::scene, RunFiles::log, RunFiles::frames, RunFiles::ledger, RunFiles::checkpoint,
                    RunFiles::summary, RunFiles::report}};
}

}  // namespace brio
