/// brio torture: random scenes, each held to what its integrator promises.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "core/printable.h"
#include "lab_commands.h"
#include "program/interrupt.h"
#include "torture/campaign.h"
#include "torture/random_scene.h"

namespace brio::app {
namespace {

struct TortureOptions {
  std::uint64_t seed = 1;
  std::vector<std::string> integrators{};
  std::string folder = "out/torture";
  long runs = 0;
  double hours = 0;
  long shown = -1, only = -1;
  bool resume = false, failed = false, json = false, verbose = false;
};

void show(long run, const torture::Trial& trial, const TortureOptions& options) {
  if (!torture::is_sin(trial.outcome) && !options.verbose) return;
  fmt::print("run {}: {}, {}: {}\n", run, trial.integrator, to_string(trial.outcome), printable(trial.wrong));
  std::fflush(stdout);
}

void torment(TortureOptions options) {
  for (std::string& name : options.integrators) name = find_integrator(name).name;
  if (options.shown >= 0) {
    fmt::print("{}",
               torture::random_scene(options.seed, static_cast<std::uint64_t>(options.shown), options.integrators));
    return;
  }
  torture::CampaignPlan plan{.seed = options.seed,
                             .integrators = options.integrators,
                             .folder = options.folder,
                             .resume = options.resume,
                             .keep_failed = options.failed};
  if (options.only >= 0) {
    const torture::Trial trial = try_run(plan, options.only);
    fmt::print(
        "run {}: {}, {}: {}\n  told: {}\n  means something physically: {}; within promise: {}\n  {:.1f} s of processor "
        "time, slowest frame {:.1f} s\n",
        options.only, trial.integrator, to_string(trial.outcome), printable(trial.wrong), printable(trial.told),
        trial.meaningful() ? "yes" : "no, " + trial.unphysical, trial.beyond.empty() ? "yes" : "no, " + trial.beyond,
        trial.seconds, trial.frame_seconds);
    if (is_sin(trial.outcome)) throw ClaimFailed("it broke a promise without a word, crashed or hung");
    return;
  }
  constexpr long few = 1000;
  if (options.runs > 0 || options.hours <= 0) plan.runs = options.runs > 0 ? options.runs : few;
  if (options.hours > 0) plan.hours = options.hours;
  plan.told = [&](long run, const torture::Trial& trial) { show(run, trial, options); };
  const std::string words = fmt::format(
      "interrupted; go on with\n  brio torture --seed {}{} -o {} --resume{}{}", options.seed,
      options.integrators.empty() ? "" : fmt::format(" --integrators {}", fmt::join(options.integrators, ",")),
      shell_word(options.folder), options.runs > 0 ? fmt::format(" --runs {}", options.runs) : "",
      options.hours > 0 ? fmt::format(" --hours {}", options.hours) : "");
  const torture::Tallies tallies = stoppable(words, [&] { return run_campaign(plan); });
  if (!options.json) fmt::print("{}", torture::table(tallies));
  fmt::print("{}\n", torture::campaign_line(tallies));
  const long sins = total(tallies).sins();
  if (sins > 0)
    throw ClaimFailed(fmt::format("{} runs broke a promise without a word, crashed or hung; their scenes are in {}",
                                  sins, printable((std::filesystem::path(options.folder) / "failures").string())));
}

}  // namespace

void add_torture(CLI::App& program) {
  const auto options = std::make_shared<TortureOptions>();
  CLI::App* command = program.add_subcommand(
      "torture",
      "Run random scenes and hold each to what its integrator promises; exit code 3 when one breaks it "
      "without a word");
  command->add_option("--runs", options->runs, "How many in all; 1000 unless --hours is given")
      ->check(CLI::PositiveNumber);
  command->add_option("--hours", options->hours, "How long from now on")->check(CLI::PositiveNumber);
  command->add_option("--seed", options->seed, "Other scenes with every seed")->capture_default_str();
  command->add_option("--integrators", options->integrators, "Only these, as in stabilized,avf; all unless given")
      ->delimiter(',');
  command->add_option("-o,--output", options->folder, "Folder for the journal, and scenes that went wrong, made small")
      ->capture_default_str();
  command->add_flag("--resume", options->resume, "Go on with the journal in the folder");
  command->add_option("--show", options->shown, "Print the scene of the run of this number, and run nothing");
  command->add_option("--only", options->only, "Try the run of this number alone, and keep nothing");
  command->add_flag("--failed", options->failed, "Keep scenes too that mean something physically and failed in words");
  command->add_flag("--json", options->json, "Print the line for docs/reliability.md alone");
  command->add_flag("--verbose", options->verbose, "Tell of every run");
  command->callback([options] { torment(*options); });
}

}  // namespace brio::app
