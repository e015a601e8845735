/// What can be made again of a run that is on the disk.
#include <fmt/format.h>

#include "brio/run.h"
#include "report/run_report.h"
#include "run/exporting.h"

namespace brio {

Scene load_recorded_scene(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / RunFiles::scene;
  if (!std::filesystem::exists(folder / RunFiles::frames) || !std::filesystem::exists(file))
    throw InputError({.file = folder.string(),
                      .problem = fmt::format("holds no run: {} and {} are needed", RunFiles::scene, RunFiles::frames)});
  Scene scene = load_scene(file, {}, MissingFiles::search);
  const FrameCache frames(folder / RunFiles::frames);
  if (frames.info().digest != scene.digest)
    throw InputError(
        {.file = frames.path().string(), .problem = "is not of the scene beside it", .advice = "run the scene again"});
  return scene;
}

std::vector<std::string> export_run(const std::filesystem::path& folder, const std::vector<std::string>& formats,
                                    RunObserver* observer) {
  for (const std::string& name : formats) find_export_format(name);
  const Scene scene = load_recorded_scene(folder);
  HeldFolder held(folder);
  const ExportPlan plan{.folder = &held,
                        .formats = formats.empty() ? scene.formats : formats,
                        .title = scene.title,
                        .surfaces = &scene.scenery.surfaces};
  const long frames = FrameCache(folder / RunFiles::frames).frames();
  held.check(export_outputs(plan, frames), scene.inputs);
  RunObserver nobody;
  announce(plan, scene.simulation.model(), frames, 0, observer != nullptr ? *observer : nobody);
  write_exports(plan, scene.simulation.model());
  return plan.formats;
}

void report_run(const std::filesystem::path& folder) {
  const Scene scene = load_recorded_scene(folder);
  HeldFolder held(folder);
  held.claim({.files = {RunFiles::report}}, scene.inputs);
  write_run_report(folder, scene.scenery);
}

}  // namespace brio
