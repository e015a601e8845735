/// brio export: animation files from the frames of a finished, interrupted or killed run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "commands.h"
#include "core/printable.h"
#include "progress.h"
#include "record/exports/formats.h"

namespace brio::app {
namespace {

struct ExportOptions {
  std::string folder;
  std::vector<std::string> formats;
};

void run(const ExportOptions& options) {
  const std::filesystem::path folder = options.folder;
  Progress progress;
  const std::vector<std::string> made = export_run(folder, options.formats, &progress);
  const long frames = FrameCache(folder / RunFiles::frames).frames();
  fmt::print("{} frames; wrote {} to {}\n", frames, fmt::join(made, ", "), printable(folder.string()));
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
