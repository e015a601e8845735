/// brio run: one scene, from file to animation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "commands.h"
#include "core/printable.h"
#include "core/timer.h"
#include "json_events.h"
#include "program/interrupt.h"
#include "progress.h"
#include "run/run_folder.h"
#include "run_scene.h"
#include "scene_changes.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

struct RunCommand {
  std::string scene;
  std::string folder;
  std::string integrator;
  SceneChanges changes;
  int threads = 0;
  std::string formats;
  bool force = false;
  bool resume = false;
  bool json = false;
};

/// "usda,pc2" as a list of TOML; "none" as the empty one.
std::string format_list(const std::string& text) {
  if (text == "none") return "[]";
  std::string list;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", text.substr(start, comma - start));
    start = comma + 1;
  }
  return "[" + list + "]";
}

std::vector<Override> overrides(const RunCommand& options) {
  std::vector<Override> list = options.changes.overrides();
  if (!options.integrator.empty()) list.push_back({"integrator.name", options.integrator, "--integrator"});
  if (!options.formats.empty()) list.push_back({"output.formats", format_list(options.formats), "--formats"});
  return list;
}

std::string resume_command(const RunCommand& options, const fs::path& folder) {
  return fmt::format("brio run {} -o {} --resume{}{}{}", shell_word(options.scene), shell_word(folder.string()),
                     options.integrator.empty() ? "" : " --integrator " + shell_word(options.integrator),
                     options.changes.arguments(),
                     options.formats.empty() ? "" : " --formats " + shell_word(options.formats));
}

/// What an exploded run says: since when, why it ended if it did, and how to go on if it was stopped.
std::string explosion_text(const RunSummary& summary, long frames, const std::string& folder,
                           const std::string& resume) {
  const std::string at = fmt::format("frame {}: ", *summary.exploded);
  std::string text = "exploded at " + at;
  if (summary.message.starts_with(at)) {
    text = "exploded at " + summary.message;
  } else {
    text += "more energy appeared than was in play; shorten time.h, or use another integrator";
    if (!summary.message.empty()) text += "; it ended at " + summary.message;
  }
  if (summary.message.empty() && summary.interrupted)
    return fmt::format("{}; interrupted after frame {} of {}; wrote {}; go on with\n  {}", printable(text),
                       summary.frames(), frames, printable(folder), resume);
  return printable(text + "; wrote " + folder);
}

void run(const RunCommand& options) {
  const Stopwatch watch;
  outlive_readers();
  set_threads(options.threads);
  Scene scene = stoppable(fmt::format("interrupted while {} was read; nothing was written", printable(options.scene)),
                          [&] { return load_scene(options.scene, overrides(options)); });
  const FolderWish wish{
      .scene = options.scene, .named = options.folder, .force = options.force, .resume = options.resume};
  const fs::path folder = choose_folder(wish);
  const std::unique_ptr<HeldFolder> held = hold_run_folder(folder, wish);
  const std::unique_ptr<RunObserver> events =
      options.json ? std::unique_ptr<RunObserver>(std::make_unique<JsonEvents>()) : std::make_unique<Progress>();
  const RunSummary summary = run_scene(scene,
                                       {.folder = *held,
                                        .resume = options.resume,
                                        .load_seconds = watch.seconds(),
                                        .resume_command = resume_command(options, folder)},
                                       *events);
  if (summary.exploded)
    throw SimulationFailed(explosion_text(summary, scene.frames, folder.string(), resume_command(options, folder)));
  if (!summary.message.empty())
    throw SimulationFailed(
        printable(fmt::format("{}; wrote the frames before to {}", summary.message, folder.string())));
  if (summary.interrupted)
    throw Interrupted(fmt::format("interrupted after frame {} of {}; wrote {}; go on with\n  {}", summary.frames(),
                                  scene.frames, printable(folder.string()), resume_command(options, folder)));
  if (!options.json)
    std::fputs(fmt::format("{}; wrote {}\n", summary.outcome(), printable(folder.string())).c_str(), stdout);
}

}  // namespace

void add_run(CLI::App& program) {
  const auto options = std::make_shared<RunCommand>();
  CLI::App* command =
      program.add_subcommand("run", "Simulate a scene; write its frames, ledger, animation files and a summary");
  command->add_option("scene", options->scene, "Scene file (TOML)")->required();
  command->add_option("-o,--output", options->folder,
                      "Folder for results; else out/SCENE, numbered. Files of yours in it stay as they are");
  command->add_option("--integrator", options->integrator, "Any of `brio list integrators`");
  options->changes.add_to(*command);
  command->add_option("--threads", options->threads, "Number of threads; 0: all cores. Results do not depend on it");
  command->add_flag("--force", options->force, "Replace what brio wrote to the folder before, and no other files");
  command
      ->add_flag("--resume", options->resume,
                 "Go on with an interrupted or killed run, bit for bit; start where there is none")
      ->excludes("--force");
  std::vector<std::string> names = export_names();
  command->add_option("--formats", options->formats,
                      fmt::format("Animation files: {}, separated by commas, or none", fmt::join(names, ", ")));
  command->add_flag("--json", options->json, "Print one JSON object per line: started, frame, warning, finished");
  command->callback([options] { run(*options); });
}

}  // namespace brio::app
