/// Many random scenes, one after the other, into a folder that a later run goes on with.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "torture/trial.h"

namespace brio::torture {

struct CampaignPlan {
  std::uint64_t seed = 1;
  std::vector<std::string> integrators{};  ///< names of those to choose from; all where there are none
  std::filesystem::path folder{};
  long runs = std::numeric_limits<long>::max();              ///< in all
  double hours = std::numeric_limits<double>::infinity();    ///< from now on
  bool resume = false;                                       ///< goes on with the journal in the folder
  bool keep_failed = false;                                  ///< scenes too that mean something and failed in words
  TrialLimits limits{};                                      ///< of each run
  std::function<void(long run, const Trial& trial)> told{};  ///< after each
};

/// What became of the runs of one integrator.
struct Tally {
  long runs = 0, meaningful = 0;
  std::map<Outcome, long> outcomes{};             ///< of all runs
  std::map<Outcome, long> meaningful_outcomes{};  ///< of those that mean something
  double energy = 0;    ///< worst error of the energy in meaningful runs that were ok, of the energy in play
  double momentum = 0;  ///< likewise of momentum
  double seconds = 0;   ///< of processor time, of all
  double slowest = 0;   ///< frame [s]

  void add(const Trial& trial);
  void add(const Tally& other);
  long of(Outcome outcome) const;
  long meaningful_of(Outcome outcome) const;
  long sins() const;              ///< silent failures, crashes and hangs
  double failed_percent() const;  ///< of the meaningful ones
};
/// By integrator; with a star, "avf*", of runs that go beyond what it promises (Trial::beyond).
using Tallies = std::map<std::string, Tally>;

/// journal.jsonl has one line per run, whose result depends on the seed and its number alone; failures/ has the scenes
/// that show what must never be, made small. Throws InputError where the folder has another journal.
Tallies run_campaign(const CampaignPlan& plan);
/// One run of it by its number, with nothing kept.
Trial try_run(const CampaignPlan& plan, long run);

/// All integrators together.
Tally total(const Tallies& tallies);
/// Of runs within what their integrators promise.
Tally within_promise(const Tallies& tallies);

/// For people.
std::string table(const Tallies& tallies);
/// One line as tools/reliability understands it.
std::string campaign_line(const Tallies& tallies);

}  // namespace brio::torture
