/// report.html: one run, to be read by people.
#pragma once

#include <filesystem>

#include "report/account.h"
#include "report/playback.h"

namespace brio {

/// What a run left in its folder.
struct RunRecord {
  std::string title;
  std::string subtitle;  ///< integrator, step, length and cost in one line
  LedgerTable ledger;
  Account account;
  Ending ending;
  std::vector<std::pair<std::string, double>> phases;  ///< of the solver and their time [ms]
  std::string scene;                                   ///< scene.toml
  std::vector<std::string> warnings;
  std::string facts;  ///< run.json
};
/// "good", "warn" or "bad": how the page colors its verdict.
std::string mood(const Account& account, const Ending& ending);

/// Throws InputError when the folder does not hold a finished, failed or interrupted run.
RunRecord read_run(const std::filesystem::path& folder);

/// Writes report.html into the folder of a run, from what the run left there. `scenery` is that of its scene.
void write_run_report(const std::filesystem::path& folder, Scenery scenery);

}  // namespace brio
