/// brio run: one scene, from file to ledger.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "progress.h"
#include "record/ledger_csv.h"
#include "record/run_summary.h"
#include "report/run_report.h"
#include "run_log.h"
#include "scene/scene.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string scene;
  std::string folder;
  std::string integrator;
  std::string h;
  std::string frames;
  std::vector<std::string> set;
  int threads = 0;
  bool force = false;
  bool json = false;
};

std::vector<Override> overrides(const RunOptions& options) {
  std::vector<Override> list;
  for (const std::string& text : options.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw InputError({.file = "--set", .value = text, .problem = "must be of the form a.b=c"});
    list.push_back({text.substr(0, equals), text.substr(equals + 1), "--set"});
  }
  if (!options.integrator.empty()) list.push_back({"integrator.name", options.integrator, "--integrator"});
  if (!options.h.empty()) list.push_back({"time.h", options.h, "--h"});
  if (!options.frames.empty()) list.push_back({"time.frames", options.frames, "--frames"});
  return list;
}

/// Where results go; never over those of an earlier run unless forced.
fs::path output_folder(const RunOptions& options) {
  if (!options.folder.empty()) {
    if (!options.force && fs::exists(fs::path(options.folder) / "run.json"))
      throw InputError({.file = options.folder,
                        .problem = "already holds a run",
                        .advice = "choose another folder, or --force to overwrite it"});
    return options.folder;
  }
  const fs::path wanted = fs::path("out") / fs::path(options.scene).stem();
  fs::path folder = wanted;
  for (int i = 2; fs::exists(folder) && !options.force; ++i) folder = fmt::format("{}-{}", wanted.string(), i);
  return folder;
}

/// An overwritten run's summary goes first: a folder never holds that of another run than its ledger.
void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) fs::remove(folder / "run.json", error);
  if (error) throw InputError({.file = folder.string(), .problem = "cannot be made: " + error.message()});
}

std::string seconds_text(double seconds) {
  return seconds < 10 ? fmt::format("{:.2g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

void run(const RunOptions& options) {
  const Stopwatch watch;
  set_threads(options.threads);
  Scene scene = load_scene(options.scene, overrides(options));
  Simulation& simulation = scene.simulation;
  RunSummary summary;
  summary.title = scene.title;
  summary.integrator = simulation.method().name;
  summary.h = simulation.h();
  summary.load_seconds = watch.seconds();

  const fs::path folder = output_folder(options);
  make_folder(folder);
  write_safely(folder / "scene.toml", scene.resolved);
  LedgerCsv ledger(folder / "ledger.csv");
  ledger.add(simulation.ledger());
  summary.add(simulation.ledger());
  Recording recording(drawn_bodies(simulation.model()), static_cast<std::size_t>(scene.frames) + 1);
  recording.add(simulation.state());
  RunLog log(folder / "run.log");
  log.started(scene.title, simulation, scene.frames);
  Progress progress(scene.frames);
  for (int frame = 1; frame <= scene.frames; ++frame) {
    const StepReport report = simulation.step(scene.steps_per_frame);
    ledger.add(simulation.ledger());
    if (!report.ok()) {
      summary.message = fmt::format("frame {}: {}", frame, report.message);
      log.failed(summary.message);
      break;
    }
    summary.add(simulation.ledger());
    recording.add(simulation.state());
    progress.show(frame, simulation.ledger().total);
    log.finished_frame(frame, simulation.ledger());
  }
  progress.finish();
  ledger.finish();
  summary.hash = simulation.hash();
  const SolveTimes& times = simulation.times();
  summary.solver_ms = {{"assembly", times.assembly},
                       {"factor", times.factor},
                       {"solve", times.solve},
                       {"search", times.search},
                       {"blend", times.blend}};
  summary.total_seconds = watch.seconds();
  summary.run_seconds = summary.total_seconds - summary.load_seconds;
  const std::string json = summary.json().dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  write_safely(folder / "run.json", json);
  write_run_report(folder, &recording);

  const std::string outcome = fmt::format("{} frames in {}; energy kept to {:.1e}", summary.frames(),
                                          seconds_text(summary.total_seconds), summary.max_relative_error());
  log.finished(outcome);
  if (options.json) fmt::print("{}", json);
  if (!summary.message.empty())
    throw SimulationFailed(fmt::format("{}; wrote the frames before to {}", summary.message, folder.string()));
  if (!options.json) fmt::print("{}; wrote {}\n", outcome, folder.string());
}

}  // namespace

void add_run(CLI::App& program) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = program.add_subcommand("run", "Simulate a scene; write its ledger and a summary");
  command->add_option("scene", options->scene, "Scene file (TOML)")->required();
  command->add_option("-o,--output", options->folder, "Folder for results; else out/SCENE, numbered");
  command->add_option("--integrator", options->integrator, "Any of `brio list integrators`");
  command->add_option("--h", options->h, "Integration step [s]");
  command->add_option("--frames", options->frames, "Number of frames");
  command->add_option("--set", options->set, "Set a key of the scene, for example body[0].material.mu=500")
      ->allow_extra_args(false);
  command->add_option("--threads", options->threads, "Number of threads; 0: all cores. Results do not depend on it");
  command->add_flag("--force", options->force, "Overwrite an earlier run");
  command->add_flag("--json", options->json, "Print run.json to standard output");
  command->callback([options] { run(*options); });
}

}  // namespace brio::app
