/// What became of the runs, in numbers.
#include <fmt/format.h>

#include <algorithm>

#include "torture/campaign.h"

namespace brio::torture {
namespace {

constexpr Outcome all[]{Outcome::ok,   Outcome::warned, Outcome::failed, Outcome::refused,
                        Outcome::slow, Outcome::silent, Outcome::crash,  Outcome::hang};

}  // namespace

void Tally::add(const Trial& trial) {
  ++runs;
  ++outcomes[trial.outcome];
  seconds += trial.seconds;
  slowest = std::max(slowest, trial.frame_seconds);
  const bool counts = trial.meaningful() && trial.outcome != Outcome::refused;
  if (!counts) return;
  ++meaningful;
  ++meaningful_outcomes[trial.outcome];
  if (trial.outcome != Outcome::ok) return;
  energy = std::max(energy, trial.energy);
  momentum = std::max(momentum, trial.momentum);
}

void Tally::add(const Tally& other) {
  runs += other.runs;
  meaningful += other.meaningful;
  for (const auto& [outcome, count] : other.outcomes) outcomes[outcome] += count;
  for (const auto& [outcome, count] : other.meaningful_outcomes) meaningful_outcomes[outcome] += count;
  energy = std::max(energy, other.energy);
  momentum = std::max(momentum, other.momentum);
  seconds += other.seconds;
  slowest = std::max(slowest, other.slowest);
}

long Tally::of(Outcome outcome) const {
  const auto found = outcomes.find(outcome);
  return found != outcomes.end() ? found->second : 0;
}

long Tally::meaningful_of(Outcome outcome) const {
  const auto found = meaningful_outcomes.find(outcome);
  return found != meaningful_outcomes.end() ? found->second : 0;
}

long Tally::sins() const { return of(Outcome::silent) + of(Outcome::crash) + of(Outcome::hang); }

double Tally::failed_percent() const {
  return meaningful == 0 ? 0
                         : 100 * static_cast<double>(meaningful_of(Outcome::failed)) / static_cast<double>(meaningful);
}

Tally within_promise(const Tallies& tallies) {
  Tally sum;
  for (const auto& [name, tally] : tallies)
    if (!name.ends_with('*')) sum.add(tally);
  return sum;
}

Tally total(const Tallies& tallies) {
  Tally sum;
  for (const auto& [name, tally] : tallies) sum.add(tally);
  return sum;
}

std::string table(const Tallies& tallies) {
  std::string text = fmt::format("{:<20} {:>6}", "integrator", "runs");
  for (const Outcome outcome : all) text += fmt::format(" {:>7}", to_string(outcome));
  text += fmt::format(" | {:>10} {:>6} {:>6} {:>6} {:>8} {:>8}\n", "meaningful", "ok", "warned", "failed", "energy",
                      "momentum");
  const auto row = [&](const std::string& name, const Tally& tally) {
    text += fmt::format("{:<20} {:>6}", name.empty() ? "(not read)" : name, tally.runs);
    for (const Outcome outcome : all) text += fmt::format(" {:>7}", tally.of(outcome));
    text += fmt::format(" | {:>10} {:>6} {:>6} {:>6} {:>8.1e} {:>8.1e}\n", tally.meaningful,
                        tally.meaningful_of(Outcome::ok), tally.meaningful_of(Outcome::warned),
                        tally.meaningful_of(Outcome::failed), tally.energy, tally.momentum);
  };
  for (const auto& [name, tally] : tallies) row(name, tally);
  row("within promise", within_promise(tallies));
  row("all", total(tallies));
  return text + fmt::format("failed of what means something: {:.2f} % within promise, {:.2f} % of all\n",
                            within_promise(tallies).failed_percent(), total(tallies).failed_percent());
}

/// The rows are words of one text, since tools/reliability reads no nested JSON.
std::string campaign_line(const Tallies& tallies) {
  const Tally sum = total(tallies);
  std::string rows;
  const auto row = [&](const std::string& name, const Tally& tally) {
    rows += fmt::format("{}{} {} {} {} {} {} {} {} {} {} {:.1e} {:.1e}", rows.empty() ? "" : ";", name, tally.runs,
                        tally.of(Outcome::refused), tally.meaningful, tally.meaningful_of(Outcome::ok),
                        tally.meaningful_of(Outcome::warned), tally.meaningful_of(Outcome::failed),
                        tally.meaningful_of(Outcome::slow), tally.of(Outcome::silent),
                        tally.of(Outcome::crash) + tally.of(Outcome::hang), tally.energy, tally.momentum);
  };
  for (const auto& [name, tally] : tallies)
    if (!name.empty()) row(name, tally);
  const Tally within = within_promise(tallies);
  row("within-promise", within);
  row("all", sum);
  return fmt::format(
      "{{\"campaign\": \"torture: random scenes held to what their integrators promise\", \"runs\": {}, \"failures\": "
      "{}, \"seconds\": {:.1f}, \"slowest_frame\": {:.2f}, \"failed_within\": {:.2f}, "
      "\"failed_in_all\": {:.2f}, \"methods\": \"{}\"}}",
      sum.runs, sum.sins(), sum.seconds, sum.slowest, within.failed_percent(), sum.failed_percent(), rows);
}

}  // namespace brio::torture
