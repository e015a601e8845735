#include "studio/take.h"

#include <fmt/format.h>

#include "record/recorder.h"
#include "run/exporting.h"

namespace brio::studio {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<HeldFolder> new_folder(const SceneText& scene, const fs::path& out) {
  const std::string stem = fs::path(scene.name).stem().string();
  std::error_code error;
  fs::create_directories(out, error);
  for (int i = 1; !error; ++i) {
    const fs::path folder = out / fmt::format("{}-take{}", stem, i == 1 ? "" : fmt::format("-{}", i));
    if (!fs::create_directory(folder, error)) continue;
    auto held = std::make_unique<HeldFolder>(folder);
    held->claim({.files = {RunFiles::frames}});
    return held;
  }
  throw InputError({.file = out.string(), .problem = "cannot be written to: " + error.message()});
}

}  // namespace

TakeOnDisk::TakeOnDisk(const SceneText& scene, const Pane& pane, double frames_per_second, const fs::path& out)
    : folder_(new_folder(scene, out)),
      writer_(folder_->path() / RunFiles::frames,
              {.vertices = pane.simulation().model().vertices(), .frames_per_second = frames_per_second}) {
  writer_.add(pane.simulation().state().x, pane.simulation().state().v);
}

void TakeOnDisk::add(const State& state) { writer_.add(state.x, state.v); }

fs::path TakeOnDisk::finish(const std::vector<std::string>& formats, const Pane& pane) {
  writer_.sync();
  const ExportPlan plan{.folder = folder_.get(),
                        .formats = formats,
                        .title = pane.scene().title,
                        .surfaces = &pane.scene().scenery.surfaces};
  write_exports(plan, pane.simulation().model());
  return folder_->path();
}

}  // namespace brio::studio
