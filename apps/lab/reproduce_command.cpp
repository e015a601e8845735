/// brio reproduce: figures and tables of the literature, run and compared with what the papers claim.
#include <fmt/format.h>

#include <ctime>
#include <memory>

#include "core/printable.h"
#include "core/safe_file.h"
#include "experiments/pages.h"
#include "experiments/put_down.h"
#include "lab_commands.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  std::vector<std::string> ids{};
  std::string folder = "out/reproduce";
  std::string kept = "";
  bool list = false, quick = false, json = false, markdown = false, resume = false;

  std::string command(const std::string& id) const {
    return fmt::format("{} reproduce {}{}", is_installed() ? "brio" : "./brio", id, quick ? " --quick" : "");
  }
};

constexpr const char* results = "results.jsonl";

std::vector<const Experiment*> chosen(const ReproduceOptions& options) {
  std::vector<const Experiment*> list;
  for (const std::string& id : options.ids) list.push_back(&find_experiment(id));
  if (list.empty())
    for (const Experiment& experiment : experiments()) list.push_back(&experiment);
  return list;
}

Finished run_one(const Experiment& experiment, const ReproduceOptions& options, const fs::path& folder) {
  Finished finished{.id = experiment.id, .form = options.quick ? Form::quick : Form::full};
  const std::clock_t start = std::clock();
  try {
    finished.outcome = experiment.run({.form = finished.form, .motion = true, .folder = folder});
    PutDown::clear(folder);
  } catch (const WriteError&) {
    throw;
  } catch (const std::exception& error) {
    finished.stopped = error.what();
  }
  finished.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return finished;
}

void print(const Finished& finished, bool json) {
  if (json) {
    fmt::print("{}\n", to_line(finished));
  } else {
    fmt::print("{:<18} {:<22} {:>7.1f} s  {}\n", finished.id, finished.verdict(), finished.seconds,
               printable(summary(finished)));
    for (const Check& check : finished.outcome.checks)
      if (!check.expected())
        fmt::print("  {}: {}: {}\n", check.passed() ? "holds, though it is said not to" : "does not come out",
                   check.what, check.text());
  }
  std::fflush(stdout);
}

void reproduce(const ReproduceOptions& options) {
  if (options.list) {
    for (const Experiment* experiment : chosen(options))
      fmt::print("{:<18} {:<22} {}\n", experiment->id, experiment->figure, experiment->claim);
    return;
  }
  if (options.markdown) {
    fmt::print("{}", reproduction_markdown(read_kept(options.kept.empty() ? "docs/reproduction.jsonl" : options.kept)));
    return;
  }
  const fs::path folder = options.folder;
  fs::create_directories(folder);
  std::map<std::string, Finished> all = read_kept(folder / results);
  std::string unexpected;
  for (const Experiment* experiment : chosen(options)) {
    const fs::path own = folder / experiment->id;
    const auto done = all.find(experiment->id);
    const Form form = options.quick ? Form::quick : Form::full;
    if (!options.resume || done == all.end() || done->second.form != form || !done->second.stopped.empty()) {
      fs::create_directories(own);
      Finished finished = run_one(*experiment, options, own);
      write_safely(own / "report.html", experiment_page(*experiment, finished, options.command(experiment->id)));
      finished.outcome.charts.clear();
      finished.outcome.motions.clear();
      all[experiment->id] = std::move(finished);
      keep(folder / results, {{experiment->id, all.at(experiment->id)}});
      write_safely(folder / "index.html", index_page(all));
      if (!options.kept.empty()) keep(options.kept, {{experiment->id, all.at(experiment->id)}});
    }
    const Finished& finished = all.at(experiment->id);
    print(finished, options.json);
    if (!finished.expected()) unexpected += (unexpected.empty() ? "" : ", ") + finished.id;
  }
  if (!options.json) fmt::print("pages: {}\n", printable((folder / "index.html").string()));
  if (!unexpected.empty()) throw ClaimFailed("not as expected: " + unexpected);
}

}  // namespace

void add_reproduce(CLI::App& program) {
  const auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command = program.add_subcommand(
      "reproduce",
      "Run the figures and tables of the literature and compare them with what the papers claim; exit code 3 when one "
      "comes out otherwise than is known");
  command->add_option("id", options->ids, "Experiments as --list tells them; all when none is named");
  command->add_flag("--list", options->list, "Tell what there is, and run nothing");
  command->add_flag("--quick", options->quick, "Smaller meshes and shorter runs, which still prove the claims");
  command->add_option("-o,--out", options->folder, "Folder for index.html and a report per experiment")
      ->capture_default_str();
  command->add_flag("--resume", options->resume, "Leave out what the folder has results of already");
  command->add_option("--keep", options->kept,
                      "Also keep what was measured in this file, a line per experiment; --markdown: read it");
  command->add_flag("--json", options->json, "Print a line of JSON per experiment");
  command->add_flag("--markdown", options->markdown, "Print docs/reproduction.md from what --keep has kept");
  command->callback([options] { reproduce(*options); });
}

}  // namespace brio::app
