/// brio compare: one scene with many integrators, in one page.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "record/ledger_csv.h"
#include "record/safe_file.h"
#include "report/comparison.h"
#include "scene/scene.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  std::string scene;
  std::vector<std::string> integrators{"symplectic-euler", "backward-euler", "bdf2", "implicit-midpoint", "avf",
                                       "stabilized"};
  std::string folder;
  std::string frames;
  int threads = 0;
  bool force = false;
  bool json = false;
};

fs::path output_folder(const CompareOptions& options) {
  const fs::path standard = fs::path("out") / (fs::path(options.scene).stem().string() + "-compare");
  const fs::path wanted = options.folder.empty() ? standard : fs::path(options.folder);
  fs::path folder = wanted;
  for (int i = 2; options.folder.empty() && !options.force && fs::exists(folder); ++i)
    folder = fmt::format("{}-{}", wanted.string(), i);
  if (!options.force && fs::exists(folder / "compare.html"))
    throw InputError({.file = folder.string(),
                      .problem = "already holds a comparison",
                      .advice = "choose another folder, or --force to overwrite it"});
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({.file = folder.string(), .problem = "cannot be made: " + error.message()});
  return folder;
}

/// The scene with another integrator; its own keeps the options that the scene gives it.
std::vector<Override> overrides(const CompareOptions& options, const std::string& integrator, const std::string& own) {
  std::vector<Override> list;
  if (!options.frames.empty()) list.push_back({"time.frames", options.frames, "--frames"});
  if (integrator != own) list.push_back({"integrator", fmt::format("{{ name = '{}' }}", integrator), "--integrators"});
  return list;
}

/// A run that fails is a result as well; its ledger goes to the folder.
void simulate(Scene& scene, const fs::path& folder, ComparedRun& run, std::string& note) {
  Simulation& simulation = scene.simulation;
  const fs::path file = folder / (run.integrator + ".csv");
  LedgerCsv ledger(file);
  ledger.add(simulation.ledger());
  Recording recording(drawn_bodies(simulation.model()), static_cast<std::size_t>(scene.frames) + 1);
  recording.add(simulation.state());
  for (int frame = 1; frame <= scene.frames && run.ending.status == "ok"; ++frame) {
    const StepReport report = simulation.step(scene.steps_per_frame);
    ledger.add(simulation.ledger());
    if (report.ok()) {
      recording.add(simulation.state());
    } else {
      run.ending = {"failed", fmt::format("frame {}: {}", frame, report.message)};
    }
  }
  run.ledger = read_ledger(file);
  const std::string what = outcome(run);
  run.playback = playback_json(recording, run.integrator, run.ending.status == "ok" ? "" : what);
  if (run.ending.status == "ok") note = recording.note();
}

void compare(const CompareOptions& options) {
  set_threads(options.threads);
  std::vector<ComparedRun> runs;
  for (const std::string& name : options.integrators) {
    const Method& method = find_integrator(name);
    runs.push_back({.integrator = method.name, .order = method.order});
  }
  const Scene scene = load_scene(options.scene, overrides(options, "", ""));
  const std::string own = scene.simulation.method().name;
  const fs::path folder = output_folder(options);
  std::string note;
  for (ComparedRun& run : runs) {
    try {
      Scene own_scene = load_scene(options.scene, overrides(options, run.integrator, own));
      simulate(own_scene, folder, run, note);
    } catch (const InputError& error) {
      run.ending = {"refused", error.what()};
    }
    fmt::print(stderr, "{}: {}\n", run.integrator, outcome(run));
  }
  write_safely(folder / "compare.html", comparison_html(scene.title, scene.resolved, note, runs));
  const std::string json = comparison_json(runs).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  write_safely(folder / "compare.json", json);
  if (options.json) {
    fmt::print("{}", json);
  } else {
    fmt::print("wrote {}\n", (folder / "compare.html").string());
  }
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
  command->add_option("--frames", options->frames, "Number of frames");
  command->add_option("--threads", options->threads, "Number of threads; 0: all cores. Results do not depend on it");
  command->add_flag("--force", options->force, "Overwrite an earlier comparison");
  command->add_flag("--json", options->json, "Print compare.json to standard output");
  command->callback([options] { compare(*options); });
}

}  // namespace brio::app
