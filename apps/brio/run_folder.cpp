#include "run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "brio/core.h"
#include "record/recorder.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

constexpr std::array run_files{RunFiles::checkpoint, RunFiles::summary, RunFiles::ledger, RunFiles::frames,
                               RunFiles::scene,      RunFiles::log,     "animation.usda", "animation.glb",
                               "animation.pvd",      "report.html"};

bool holds_run(const fs::path& folder) {
  return std::ranges::any_of(run_files, [&](const char* name) { return fs::exists(folder / name); });
}

void remove_sequence(const fs::path& folder, std::error_code& error) {
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (std::ranges::count(std::array{".pc2", ".obj", ".vtu", ".ply", ".part"}, extension) > 0)
      fs::remove(entry.path(), error);
  }
}

}  // namespace

fs::path choose_folder(const FolderWish& wish) {
  if (!wish.named.empty()) {
    if (!wish.force && !wish.resume && holds_run(wish.named))
      throw InputError({.file = wish.named,
                        .problem = "already holds a run",
                        .advice = "choose another folder, --resume to go on with it, or --force to overwrite it"});
    return wish.named;
  }
  fs::path wanted = fs::path("out") / fs::path(wish.scene).stem();
  if (wish.force) return wanted;
  fs::path last = wanted;
  fs::path folder = wanted;
  for (int i = 2; fs::exists(folder); ++i) {
    last = folder;
    folder = fmt::format("{}-{}", wanted.string(), i);
  }
  return wish.resume ? last : folder;
}

void clear_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  for (const char* name : run_files) {
    if (!error) fs::remove(folder / name, error);
    if (!error) fs::remove(folder / (std::string(name) + ".part"), error);
  }
  for (const char* name : {"pc2", "obj", "vtu", "ply"})
    if (!error) remove_sequence(folder / name, error);
  if (error) throw InputError({.file = folder.string(), .problem = "cannot be made: " + error.message()});
}

}  // namespace brio::app
