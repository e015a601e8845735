/// docs/reproduction.md out of what is kept.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/errata.h"
#include "experiments/pages.h"

namespace brio {
namespace {

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\|");
  return text;
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& one : cells) text += " " + cell(one) + " |";
  return text + "\n";
}

std::string rule(std::size_t columns) {
  std::string text = "|";
  for (std::size_t i = 0; i < columns; ++i) text += "---|";
  return text + "\n";
}

std::string details(const Experiment& experiment, const Finished& finished) {
  const Outcome& outcome = finished.outcome;
  std::string text =
      fmt::format("### {}\n{}: {}\n\n{}\n\n", experiment.id, experiment.figure, experiment.claim, experiment.set_up);
  for (const Check& check : outcome.checks) {
    text += fmt::format("- {}{}: {}\n", check.source == Check::Source::beyond ? "*Beyond the paper:* " : "", check.what,
                        check.text());
    if (!check.passed()) text += fmt::format("  **Does not come out.** {}\n", check.refuted);
  }
  for (const Measured& m : outcome.measured)
    text += fmt::format("- {}: {:.6g}{}{}\n", m.what, m.value, m.unit.empty() ? "" : " ", m.unit);
  for (const Table& table : outcome.tables) {
    text += fmt::format("\n{}:\n\n", table.title) + row(table.header) + rule(table.header.size());
    for (const auto& cells : table.rows) text += row(cells);
    if (!table.note.empty()) text += "\n" + table.note + "\n";
  }
  for (const std::string& note : outcome.notes) text += "\n" + note + "\n";
  return text + "\n";
}

}  // namespace

std::string reproduction_markdown(const std::map<std::string, Finished>& kept) {
  std::string text =
      "# The literature, reproduced\n\n"
      "Made by `brio reproduce --markdown` from the registry of experiments and `docs/reproduction.jsonl`, where "
      "`brio reproduce --keep docs/reproduction.jsonl` keeps what it measured. Every verdict is computed from those "
      "measurements; none is written down. A claim that does not come out is listed as such, with the reason. "
      "S0 is Rojas, Liu and Kavan 2018, average vector field integration; S1 Dinev, Liu and Kavan 2018, stabilized "
      "integrators; S2 explicit integrators for deformable linear objects; S3 Kharevych and others 2006, variational "
      "integrators; S4 course notes on numerical integration.\n\n";
  text += row({"experiment", "the paper", "measured", "verdict", "form"}) + rule(5);
  for (const Experiment& experiment : experiments()) {
    const auto found = kept.find(experiment.id);
    if (found == kept.end()) {
      text += row({experiment.id, experiment.claim, "", "not run yet", ""});
      continue;
    }
    const Finished& finished = found->second;
    text += row({fmt::format("[{0}](#{0})", experiment.id), experiment.claim, summary(finished), finished.verdict(),
                 fmt::format("{}, {:.3g} s", to_string(finished.form), finished.seconds)});
  }
  text += "\n## Mistakes in the papers\n\n" + row({"where", "printed", "correct", "proof"}) + rule(4);
  for (const Erratum& e : errata()) text += row({e.where, e.printed, e.correct, e.proof});
  text += "\n## What was measured\n\n";
  for (const Experiment& experiment : experiments())
    if (const auto found = kept.find(experiment.id); found != kept.end()) text += details(experiment, found->second);
  text.pop_back();
  return text;
}

}  // namespace brio
