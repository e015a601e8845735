#include "torture/campaign.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "brio/core.h"
#include "core/append_file.h"
#include "core/safe_file.h"
#include "core/scratch_folder.h"
#include "core/timer.h"
#include "torture/galilean.h"
#include "torture/random_scene.h"
#include "torture/shrink.h"

namespace brio::torture {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* journal_name = "journal.jsonl";

/// A star for what goes beyond the promise.
std::string row_of(const Trial& trial) { return trial.integrator + (trial.beyond.empty() ? "" : "*"); }

/// What is there of earlier runs.
struct Journal {
  long runs = 0;
  std::uint64_t bytes = 0;  ///< of whole lines
  Tallies tallies{};
};

/// Its first line tells what its scenes are made from.
Json first_line(const CampaignPlan& plan) {
  Json line{{"seed", plan.seed}};
  if (!plan.integrators.empty()) line["integrators"] = plan.integrators;
  return line;
}

Journal read_journal(const fs::path& file, const Json& first) {
  Journal journal;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && !in.eof();) {
    Json json;
    try {
      json = Json::parse(line);
      if (journal.bytes == 0) {
        if (json != first)
          throw InputError({.file = file.string(),
                            .value = json.dump(),
                            .problem = fmt::format("the journal is of other scenes than {}", first.dump()),
                            .advice = "go on with those, or choose another folder"});
      } else {
        const Trial trial = trial_of(json);
        journal.tallies[row_of(trial)].add(trial);
        ++journal.runs;
      }
    } catch (const Json::exception&) {
      throw InputError(
          {.file = file.string(), .problem = "is no journal of brio torture", .advice = "choose another folder"});
    }
    journal.bytes += line.size() + 1;
  }
  return journal;
}

/// What went wrong, without its figures, nor the frame in which it did.
std::string kind_of(const Trial& trial) {
  std::string kind;
  for (const char c : trial.wrong)
    if (std::string_view("0123456789.e+-").find(c) == std::string_view::npos) kind += c;
  return kind.substr(0, 60);
}

/// The smallest scene that goes wrong in the same way, with a line that says how; as it is where it is one of many.
void keep_failure(const fs::path& folder, long run, const std::string& text, const Trial& trial,
                  const fs::path& scratch, bool often) {
  constexpr double patience = 30;  // s, for one failure
  const Stopwatch watch;
  const bool seen_by_two = trial.wrong.find("moves along") != std::string::npos;
  const std::string kind = kind_of(trial);
  Trial last = trial;
  const auto still_wrong = [&](const std::string& candidate) {
    if (watch.seconds() > patience) return false;
    Trial now = try_scene(candidate, scratch);
    if (seen_by_two) {
      now.wrong = galilean_breach(candidate, now, scratch);
      now.outcome = now.wrong.empty() ? now.outcome : Outcome::silent;
    }
    const bool same = now.outcome == trial.outcome && kind_of(now) == kind && (now.meaningful() || !trial.meaningful());
    if (same) last = now;
    return same;
  };
  const std::string small = often ? text : shrink(text, still_wrong);
  fs::create_directories(folder / "failures");
  std::string scene = fmt::format("# {}: {}\n# run {} of the torture test{}\n", to_string(last.outcome), last.wrong,
                                  run, often ? "" : ", made small");
  write_safely(folder / "failures" / fmt::format("{:06}-{}.toml", run, to_string(trial.outcome)), scene + small);
}

/// Galilean invariance is looked at in every so many runs.
constexpr long galilean_sample = 8;

Trial try_run(long run, const std::string& text, const fs::path& scratch, const TrialLimits& limits) {
  Trial trial = try_scene(text, scratch, limits);
  if (trial.outcome == Outcome::hang) trial = try_scene(text, scratch, patient);
  if (run % galilean_sample != 0) return trial;
  if (std::string breach = galilean_breach(text, trial, scratch); !breach.empty()) {
    trial.outcome = Outcome::silent;
    trial.wrong = std::move(breach);
  }
  return trial;
}

}  // namespace

Trial try_run(const CampaignPlan& plan, long run) {
  const ScratchFolder scratch(fs::temp_directory_path(), "brio-torture", "set TMPDIR to a folder that can be written");
  const std::string text = random_scene(plan.seed, static_cast<std::uint64_t>(run), plan.integrators);
  return try_run(run, text, scratch.path() / "run", plan.limits);
}

Tallies run_campaign(const CampaignPlan& plan) {
  constexpr double seconds_per_hour = 3600;
  constexpr int few = 3;  // of a kind, that are made small
  std::map<std::string, int> seen;
  const Stopwatch watch;
  fs::create_directories(plan.folder);
  const fs::path file = plan.folder / journal_name;
  if (fs::exists(file) && !plan.resume)
    throw InputError({.file = file.string(),
                      .problem = "holds an earlier torture test",
                      .advice = "go on with it by --resume, or choose another folder with -o"});
  Journal journal = read_journal(file, first_line(plan));
  AppendFile out(file, journal.bytes);
  if (journal.bytes == 0) out.append(first_line(plan).dump() + "\n");
  const ScratchFolder scratch(fs::temp_directory_path(), "brio-torture", "set TMPDIR to a folder that can be written");
  const fs::path runs = scratch.path() / "run";
  for (long run = journal.runs; run < plan.runs && watch.seconds() < plan.hours * seconds_per_hour; ++run) {
    const std::string text = random_scene(plan.seed, static_cast<std::uint64_t>(run), plan.integrators);
    const Trial trial = try_run(run, text, runs, plan.limits);
    if (is_sin(trial.outcome) || (plan.keep_failed && trial.outcome == Outcome::failed && trial.meaningful())) {
      const bool often = ++seen[trial.integrator + kind_of(trial)] > few;
      keep_failure(plan.folder, run, text, trial, runs, often);
    }
    Json line{{"run", run}};
    line.update(to_json(trial));
    out.append(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    journal.tallies[row_of(trial)].add(trial);
    if (plan.told) plan.told(run, trial);
  }
  return journal.tallies;
}

}  // namespace brio::torture
