/// brio compare: one scene with many integrators, in one page. Every run has a folder of its own, as from `brio run`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "interrupt.h"
#include "progress.h"
#include "record/recorder.h"
#include "record/safe_file.h"
#include "report/comparison.h"
#include "run_folder.h"
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
};

/// Never one that holds an earlier comparison, unless forced or resumed.
fs::path output_folder(const CompareOptions& options, const std::vector<ComparedRun>& runs) {
  const fs::path standard = fs::path("out") / (fs::path(options.scene).stem().string() + "-compare");
  fs::path folder = options.folder.empty() ? standard : fs::path(options.folder);
  if (options.force) return folder;
  if (options.folder.empty()) {
    fs::path last = folder;
    for (int i = 2; fs::exists(folder); ++i) {
      last = folder;
      folder = fmt::format("{}-{}", standard.string(), i);
    }
    return options.resume ? last : folder;
  }
  if (!options.resume && fs::exists(folder / "compare.html"))
    throw InputError({.file = folder.string(),
                      .problem = "already holds a comparison",
                      .advice = "choose another folder, --resume to go on with it, or --force to overwrite it"});
  for (const ComparedRun& run : runs)
    choose_folder({.scene = options.scene, .named = (folder / run.integrator).string(), .resume = options.resume});
  return folder;
}

/// The scene with another integrator; its own keeps the options that the scene gives it.
std::vector<Override> overrides(const CompareOptions& options, const std::string& integrator, const std::string& own) {
  std::vector<Override> list = options.changes.overrides();
  if (integrator != own) list.push_back({"integrator", fmt::format("{{ name = '{}' }}", integrator), "--integrators"});
  return list;
}

/// A run that fails is a result as well.
void simulate(const CompareOptions& options, const std::string& own, const fs::path& folder,
              const PlaybackLimits& limits, ComparedRun& run) {
  const Stopwatch watch;
  Scene scene = load_scene(options.scene, overrides(options, run.integrator, own));
  scene.formats.clear();  // `brio export` makes them of any of the runs
  Progress events;
  const RunSummary summary =
      run_scene(scene, {.folder = folder, .resume = options.resume, .load_seconds = watch.seconds()}, events);
  run.ending = {summary.status(), summary.message};
  run.ledger = read_ledger(folder / RunFiles::ledger);
  const Recording recording =
      read_recording(FrameCache(folder / RunFiles::frames), scene.scenery, limits, scene.frames + 1L);
  run.playback = playback_json(recording, run.integrator, run.ending.status == "ok" ? "" : outcome(run));
  run.playback_note = recording.note();
}

std::string resume_command(const CompareOptions& options, const fs::path& folder) {
  return fmt::format("brio compare {} --integrators {} -o {}{} --resume", options.scene,
                     fmt::join(options.integrators, ","), folder.string(), options.changes.arguments());
}

void write(const CompareOptions& options, const Scene& scene, const fs::path& folder,
           const std::vector<ComparedRun>& runs) {
  write_safely(folder / "compare.html", comparison_html(scene.title, scene.resolved, runs));
  const std::string json = comparison_json(runs).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  write_safely(folder / "compare.json", json);
  if (options.json) {
    fmt::print("{}", json);
  } else {
    fmt::print("wrote {}\n", (folder / "compare.html").string());
  }
}

void compare(const CompareOptions& options) {
  set_threads(options.threads);
  std::vector<ComparedRun> runs;
  for (const std::string& name : options.integrators) {
    const Method& method = find_integrator(name);
    if (std::ranges::count(runs, method.name, &ComparedRun::integrator) > 0) continue;
    runs.push_back({.integrator = method.name, .order = method.order});
  }
  const Scene scene = load_scene(options.scene, overrides(options, "", ""));
  const fs::path folder = output_folder(options, runs);
  PlaybackLimits limits;
  limits.bytes /= runs.size();  // one page holds them all
  const Interrupt interrupt;
  for (ComparedRun& run : runs) {
    if (Interrupt::requested()) {
      run.ending = {"skipped", "not run"};
      continue;
    }
    fmt::print(stderr, "{}\n", run.integrator);
    try {
      simulate(options, scene.simulation.method().name, folder / run.integrator, limits, run);
    } catch (const WriteError&) {
      throw;  // the disk refuses all
    } catch (const InputError& error) {
      run.ending = {"refused", error.what()};
    }
    fmt::print(stderr, "{}: {}\n", run.integrator, outcome(run));
  }
  write(options, scene, folder, runs);
  if (Interrupt::requested())
    throw Interrupted(fmt::format("interrupted; what was done is in {}; go on with\n  {}",
                                  (folder / "compare.html").string(), resume_command(options, folder)));
}

}  // namespace

void add_compare(CLI::App& program) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = program.add_subcommand("compare", "Run one scene with many integrators; write one page");
  command->add_option("scene", options->scene, "Scene file (TOML)")->required();
  command->add_option("--integrators", options->integrators, "Any of `brio list integrators`, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("-o,--output", options->folder, "Folder for results; else out/SCENE-compare, numbered");
  options->changes.add_to(*command);
  command->add_option("--threads", options->threads, "Number of threads; 0: all cores. Results do not depend on it");
  command->add_flag("--force", options->force, "Overwrite an earlier comparison");
  command->add_flag("--resume", options->resume, "Go on with an interrupted or killed comparison")->excludes("--force");
  command->add_flag("--json", options->json, "Print compare.json to standard output");
  command->callback([options] { compare(*options); });
}

}  // namespace brio::app
