/// brio compare: one scene with many integrators, in one page. Every run has a folder of its own, as from `brio run`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "commands.h"
#include "core/printable.h"
#include "core/safe_file.h"
#include "model/energy_in_play.h"
#include "program/interrupt.h"
#include "program/say.h"
#include "progress.h"
#include "record/recorder.h"
#include "report/comparison.h"
#include "run/run_folder.h"
#include "run_scene.h"
#include "scene_changes.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  std::string scene;
  std::vector<std::string> integrators{"symplectic-euler", "backward-euler", "bdf2", "implicit-midpoint", "avf",
                                       "stabilized"};
  std::string folder;
  SceneChanges changes;
  int threads = 0;
  bool force = false;
  bool resume = false;
  bool json = false;
  int modes = 0;
};

Outputs comparison_outputs() { return {.files = comparison_files()}; }

/// The folder of the comparison and those of its runs, all of them fit to be written to before anything is done.
struct Folders {
  std::unique_ptr<HeldFolder> whole;
  std::vector<std::unique_ptr<HeldFolder>> runs;
};

Folders hold_folders(const CompareOptions& options, const std::vector<ComparedRun>& runs, const Scene& scene) {
  const FolderWish wish{.scene = options.scene,
                        .named = options.folder,
                        .suffix = "-compare",
                        .force = options.force,
                        .resume = options.resume};
  Folders folders{.whole = std::make_unique<HeldFolder>(choose_folder(wish)), .runs = {}};
  const fs::path& folder = folders.whole->path();
  if (!options.force && !options.resume && folders.whole->holds_any())
    throw InputError({.file = folder.string(),
                      .problem = "already holds a comparison",
                      .advice = "choose another folder, --resume to go on with it, or --force to replace it"});
  folders.whole->check(comparison_outputs(), scene.inputs);
  for (const ComparedRun& run : runs) {
    const fs::path place = folder / run.integrator;
    if (fs::is_symlink(place))
      throw InputError({.file = place.string(),
                        .problem = "is a link, which brio does not follow",
                        .advice = "remove it, or choose another folder"});
    folders.runs.push_back(hold_run_folder(place, wish));
    folders.runs.back()->check(run_outputs(), scene.inputs);
  }
  folders.whole->claim(comparison_outputs());
  return folders;
}

/// The scene with another integrator; its own keeps the options that the scene gives it.
std::vector<Override> overrides(const CompareOptions& options, const std::string& integrator, const std::string& own) {
  std::vector<Override> list = options.changes.overrides();
  if (integrator != own) list.push_back({"integrator", fmt::format("{{ name = '{}' }}", integrator), "--integrators"});
  return list;
}

std::string resume_command(const CompareOptions& options, const fs::path& folder) {
  return fmt::format(
      "brio compare {} --integrators {} -o {}{} --resume", shell_word(options.scene),
      fmt::join(options.integrators, ","), shell_word(folder.string()),
      options.changes.arguments() + (options.modes > 0 ? fmt::format(" --modes {}", options.modes) : ""));
}

/// A run that fails is a result as well.
void simulate(const CompareOptions& options, const std::string& own, HeldFolder& held, const PlaybackLimits& limits,
              const std::optional<Modes>& modes, ComparedRun& run) {
  const Stopwatch watch;
  Scene scene = load_scene(options.scene, overrides(options, run.integrator, own));
  const CancelScope whole(nullptr);  // what there is of a run is shown
  scene.formats.clear();             // `brio export` makes them of any of the runs
  Progress events;
  const fs::path& folder = held.path();
  const RunSummary summary = run_scene(scene,
                                       {.folder = held,
                                        .resume = options.resume,
                                        .load_seconds = watch.seconds(),
                                        .resume_command = resume_command(options, folder.parent_path())},
                                       events);
  run.ending = {summary.status(), summary.message, rounding_of_energy(scene.simulation.model())};
  run.ledger = read_ledger(folder / RunFiles::ledger);
  const FrameCache frames(folder / RunFiles::frames);
  run.recording = read_recording(frames, scene.scenery, limits, scene.frames + 1L);
  if (modes) run.fine = energy_above(*modes, frames);
  run.playback = playback_json(run.recording, run.integrator, run.ending.status == "ok" ? "" : outcome(run));
}

void write(const CompareOptions& options, const Scene& scene, const fs::path& folder,
           const std::vector<ComparedRun>& runs) {
  write_safely(folder / "compare.html", comparison_html(scene.title, scene.resolved, runs));
  const std::string json = comparison_json(runs).dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  write_safely(folder / "compare.json", json);
  if (options.json) {
    fmt::print("{}", json);
  } else {
    fmt::print("wrote {}\n", printable((folder / "compare.html").string()));
  }
}

void compare(const CompareOptions& options) {
  outlive_readers();
  set_threads(options.threads);
  std::vector<ComparedRun> runs;
  for (const std::string& name : options.integrators) {
    const Method& method = find_integrator(name);
    if (std::ranges::count(runs, method.name, &ComparedRun::integrator) > 0) continue;
    runs.push_back({.integrator = method.name, .order = method.order});
  }
  const Scene scene =
      stoppable(fmt::format("interrupted while {} was read; nothing was written", printable(options.scene)),
                [&] { return load_scene(options.scene, overrides(options, "", "")); });
  const Folders folders = hold_folders(options, runs, scene);
  const fs::path& folder = folders.whole->path();
  std::optional<Modes> modes;
  if (options.modes > 0) {
    modes = Modes::of_patterns(scene.simulation.model(), options.modes);
    if (modes->count() == 0)
      throw InputError({.key = "--modes", .problem = "nothing in the scene can move", .advice = "leave it out"});
    say("modes up to {:.3g} Hz\n", modes->frequencies().back() / (2 * std::numbers::pi));
  }
  PlaybackLimits limits;
  limits.bytes /= runs.size();  // one page holds them all
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ComparedRun& run = runs[i];
    if (Interrupt::requested()) {
      run.ending = {"skipped", "not run"};
      continue;
    }
    say("{}\n", run.integrator);
    try {
      simulate(options, scene.simulation.method().name, *folders.runs[i], limits, modes, run);
    } catch (const WriteError&) {
      throw;  // the disk refuses all
    } catch (const InputError& error) {
      run.ending = {"refused", error.what()};
    } catch (const Canceled&) {
      run.ending = {"skipped", "not run"};
    } catch (const Interrupted& error) {
      run.ending = {"interrupted", error.what()};
    }
    say("{}: {}\n", run.integrator, printable(outcome(run)));
  }
  const std::string go_on = "go on with\n  " + resume_command(options, folder);
  {
    const CancelScope whole(nullptr);
    const Patience patience([&] {
      say_interrupted("interrupted; the page was left out; " + go_on);
      return true;
    });
    write(options, scene, folder, runs);
  }
  if (Interrupt::requested())
    throw Interrupted(
        fmt::format("interrupted; what was done is in {}; {}", printable((folder / "compare.html").string()), go_on));
}

}  // namespace

void add_compare(CLI::App& program) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = program.add_subcommand("compare", "Run one scene with many integrators; write one page");
  command->footer(
      "A run that explodes or fails is a result like any other: its status is in the page and in compare.json, and the "
      "command ends with 0 when the comparison was made.");
  command->add_option("scene", options->scene, "Scene file (TOML)")->required();
  command->add_option("--integrators", options->integrators, "Any of `brio list integrators`, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("-o,--output", options->folder,
                      "Folder for results; else out/SCENE-compare, numbered. Files of yours in it stay as they are");
  options->changes.add_to(*command);
  command->add_option("--threads", options->threads, "Number of threads; 0: all cores. Results do not depend on it");
  command->add_flag("--force", options->force, "Replace what brio wrote to the folder before, and no other files");
  command->add_flag("--resume", options->resume, "Go on with an interrupted or killed comparison")->excludes("--force");
  command
      ->add_option("--modes", options->modes,
                   "Also tell the kinetic energy of what is finer than so many modes, the slowest that the bodies have")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", options->json, "Print compare.json to standard output");
  command->callback([options] { compare(*options); });
}

}  // namespace brio::app
