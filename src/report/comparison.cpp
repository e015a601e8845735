#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/ledger_charts.h"
#include "report/page.h"
#include "report/svg.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

bool sound(const ComparedRun& run) {
  return run.ran() && run.ending.status == "ok" && !exploded_at(account(run.ledger), run.ending);
}

std::string row(const ComparedRun& run) {
  const std::string result = fmt::format("<td{}>{}</td>", sound(run) ? "" : " class=\"bad\"", escaped(outcome(run)));
  const std::string label = escaped(run.integrator);
  const std::string name =
      fmt::format("<td>{}</td><td>{}</td>",
                  run.ran() ? fmt::format("<a href=\"{0}/report.html\">{0}</a>", label) : label, run.order);
  if (!run.ran()) return fmt::format("<tr>{}<td colspan=\"5\"></td>{}</tr>\n", name, result);
  const Account a = account(run.ledger);
  return fmt::format("<tr>{}<td>{:.3g}</td><td>{:.3g}</td><td>{}</td><td>{:.2g}</td><td>{:.2g}</td>{}</tr>\n", name,
                     a.ms, a.iterations, exploded_at(a, run.ending) ? "–" : ratio_text(a.worst), a.linear_change,
                     a.angular_change, result);
}

std::string table(const std::vector<ComparedRun>& runs) {
  std::string html =
      "<div class=\"scroll\"><table class=\"compare\"><thead><tr><th>integrator</th><th>order</th><th>ms per frame</th>"
      "<th>iterations per frame</th><th>energy drift</th><th>linear momentum drift [kg m/s]</th>"
      "<th>angular momentum drift [kg m²/s]</th><th>outcome</th></tr></thead><tbody>\n";
  for (const ComparedRun& run : runs) html += row(run);
  return html +
         "</tbody></table></div>\n<p class=\"hint\">Energy drift: the largest residual over the energy in play. "
         "Drifts of momentum are changes since the start; gravity and pins change it too.</p>";
}

std::string summary(const std::vector<ComparedRun>& runs) {
  const auto good = std::ranges::count_if(runs, sound);
  std::string text = fmt::format("{} of {} integrators came to the end", good, runs.size());
  const ComparedRun* best = nullptr;
  for (const ComparedRun& run : runs)
    if (sound(run) && (best == nullptr || account(run.ledger).worst < account(best->ledger).worst)) best = &run;
  if (best == nullptr) return text + ".";
  return text + fmt::format("; {} kept the energy best, to {} of the energy in play.", best->integrator,
                            ratio_text(account(best->ledger).worst));
}

}  // namespace

std::string outcome(const ComparedRun& run) {
  if (!run.ran()) return run.ending.status == "skipped" ? run.ending.message : "refused: " + run.ending.message;
  const Account a = account(run.ledger);
  if (const auto frame = exploded_at(a, run.ending)) return fmt::format("exploded at frame {}", *frame);
  if (!run.ending.message.empty()) return "stopped at " + run.ending.message;
  return run.ending.status == "interrupted" ? fmt::format("interrupted after frame {}", a.frames) : "came to the end";
}

Json comparison_json(const std::vector<ComparedRun>& runs) {
  Json list = Json::array();
  for (const ComparedRun& run : runs) {
    Json entry{{"integrator", run.integrator}, {"order", run.order}, {"outcome", outcome(run)}};
    entry["status"] = sound(run)                                                  ? "ok"
                      : run.ran() && exploded_at(account(run.ledger), run.ending) ? "exploded"
                                                                                  : run.ending.status;
    if (run.ran()) {
      const Account a = account(run.ledger);
      entry["frames"] = a.frames;
      entry["ms_per_frame"] = a.ms;
      entry["iterations_per_frame"] = a.iterations;
      entry["energy"] = {{"max_relative_error", a.worst}, {"final_relative_error", a.last}};
      entry["momentum"] = {{"linear_change", a.linear_change}, {"angular_change", a.angular_change}};
      if (const auto frame = exploded_at(a, run.ending)) entry["exploded_frame"] = *frame;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::string comparison_html(const std::string& title, const std::string& scene, const std::vector<ComparedRun>& runs) {
  const bool all_sound = std::ranges::all_of(runs, sound);
  Page page{.title = title, .subtitle = "One scene, many integrators", .mood = all_sound ? "good" : "warn"};
  page.verdict = summary(runs);
  page.table = table(runs);
  std::vector<NamedLedger> ledgers;
  for (const ComparedRun& run : runs)
    if (run.ran()) {
      ledgers.push_back({run.integrator, run.ledger});
      page.playbacks.push_back(run.playback);
      if (sound(run)) page.playback_note = run.playback_note;
    }
  if (!ledgers.empty()) page.charts = comparison_charts(ledgers);
  page.scene = scene;
  page.facts = comparison_json(runs).dump(2, ' ', false, Json::error_handler_t::replace);
  return to_html(page);
}

}  // namespace brio
