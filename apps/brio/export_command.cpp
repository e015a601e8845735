/// brio export: animation files from the frames of a finished, interrupted or killed run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "commands.h"
#include "core/printable.h"
#include "exporting.h"
#include "progress.h"
#include "record/recorder.h"
#include "recorded_scene.h"

namespace brio::app {
namespace {

struct ExportOptions {
  std::string folder;
  std::vector<std::string> formats;
};

void run(const ExportOptions& options) {
  for (const std::string& name : options.formats) find_export_format(name);
  const std::filesystem::path folder = options.folder;
  const Scene scene = load_recorded_scene(folder);
  HeldFolder held(folder);
  ExportPlan plan{
      .folder = &held, .formats = options.formats, .title = scene.title, .surfaces = &scene.scenery.surfaces};
  if (plan.formats.empty()) plan.formats = scene.formats;
  const FrameCache cache(folder / RunFiles::frames);
  Progress events;
  held.check(export_outputs(plan, cache.frames()), scene.inputs);
  announce(plan, scene.simulation.model(), cache.frames(), 0, events);
  write_exports(plan, scene.simulation.model());
  fmt::print("{} frames; wrote {} to {}\n", cache.frames(), fmt::join(plan.formats, ", "), printable(folder.string()));
}

}  // namespace

void add_export(CLI::App& program) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command = program.add_subcommand(
      "export",
      "Make animation files of a run that has ended, also of an interrupted one. Replaces those that brio made");
  command->add_option("folder", options->folder, "Folder of the run")->required();
  std::string help = "Separated by commas; else those of the scene:";
  for (const ExportFormat& format : export_formats()) help += fmt::format("\n{}: {}", format.name, format.sentence);
  command->add_option("--formats", options->formats, help)->delimiter(',');
  command->callback([options] { run(*options); });
}

}  // namespace brio::app
