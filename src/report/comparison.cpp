#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "report/ledger_charts.h"
#include "report/page.h"
#include "report/svg.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

bool sound(const ComparedRun& run) {
  return run.ran() && run.ending.status == "ok" && !exploded_at(account(run.ledger), run.ending);
}

const ComparedRun* first_that_ran(const std::vector<ComparedRun>& runs) {
  const auto found = std::ranges::find_if(runs, &ComparedRun::ran);
  return found == runs.end() ? nullptr : &*found;
}

struct MeanAndLargest {
  double mean = 0, largest = 0;
};
MeanAndLargest mean_and_largest(const std::vector<double>& values) {
  if (values.empty()) return {};
  return {std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()),
          std::ranges::max(values)};
}

/// [m]
MeanAndLargest distance(const ComparedRun& run, const ComparedRun& first) {
  return mean_and_largest(apart(run.recording, first.recording).y);
}

/// Of explicit methods, which iterate nothing, 0.
double ms_per_iteration(const Account& a) { return a.iterations > 0 ? a.ms / a.iterations : 0; }

std::string number_or_dash(double value) { return value > 0 ? fmt::format("{:.3g}", value) : "–"; }

std::string row(const ComparedRun& run, const ComparedRun* first) {
  const std::string result = fmt::format("<td{}>{}</td>", sound(run) ? "" : " class=\"bad\"", escaped(outcome(run)));
  const std::string label = escaped(run.integrator);
  const std::string name =
      fmt::format("<td>{}</td><td>{}</td>",
                  run.ran() ? fmt::format("<a href=\"{0}/report.html\">{0}</a>", label) : label, run.order);
  if (!run.ran()) return fmt::format("<tr>{}<td colspan=\"8\"></td>{}</tr>\n", name, result);
  const Account a = account(run.ledger);
  std::string cells;
  for (const std::string& cell :
       {fmt::format("{:.3g}", a.ms), fmt::format("{:.3g}", a.iterations), number_or_dash(ms_per_iteration(a)),
        number_or_dash(a.alpha), exploded_at(a, run.ending) ? "–" : ratio_text(a.worst),
        fmt::format("{:.2g}", a.linear_change), fmt::format("{:.2g}", a.angular_change),
        number_or_dash(distance(run, *first).mean)})
    cells += "<td>" + cell + "</td>";
  return fmt::format("<tr>{}{}{}</tr>\n", name, cells, result);
}

std::string table(const std::vector<ComparedRun>& runs) {
  std::string html =
      "<div class=\"scroll\"><table class=\"compare\"><thead><tr><th>integrator</th><th>order</th><th>ms per frame</th>"
      "<th>iterations per frame</th><th>ms per iteration</th><th>mean alpha</th><th>energy drift</th>"
      "<th>linear momentum drift [kg m/s]</th><th>angular momentum drift [kg m²/s]</th>"
      "<th>mean distance [m]</th><th>outcome</th></tr></thead><tbody>\n";
  for (const ComparedRun& run : runs) html += row(run, first_that_ran(runs));
  return html +
         "</tbody></table></div>\n<p class=\"hint\">Energy drift: the largest residual over the energy in play. "
         "Drifts of momentum are changes since the start; gravity and pins change it too. Distance: from where the "
         "first "
         "integrator has the surfaces, root of the mean square over their vertices. Alpha: of stabilized, the part of "
         "the step that is damped.</p>";
}

Chart distances(const std::vector<ComparedRun>& runs) {
  const ComparedRun& first = *first_that_ran(runs);
  Chart chart{.title = "Distance from " + first.integrator, .y_label = "root of the mean square [m]"};
  for (const ComparedRun& run : runs) {
    if (!run.ran()) continue;
    chart.series.push_back(apart(run.recording, first.recording));
    chart.series.back().name = run.integrator;
  }
  return chart;
}

Chart fine_energies(const std::vector<ComparedRun>& runs) {
  Chart chart{.title = "Kinetic energy above the modes", .y_label = "energy [J]"};
  for (const ComparedRun& run : runs) {
    if (run.fine.y.empty()) continue;
    chart.series.push_back(run.fine);
    chart.series.back().name = run.integrator;
  }
  return chart;
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

Series apart(const Recording& run, const Recording& other) {
  Series series{.name = {}, .x = {}, .y = {}};
  const std::size_t surfaces = std::min(run.positions.size(), other.positions.size());
  for (std::size_t k = 0; k < std::min(run.frames.size(), other.frames.size()); ++k) {
    if (run.frames[k] != other.frames[k]) break;
    double squares = 0, vertices = 0;
    for (std::size_t s = 0; s < surfaces; ++s) {
      const std::size_t per_frame = run.positions[s].size() / run.frames.size();
      for (std::size_t i = k * per_frame; i < (k + 1) * per_frame; ++i)
        squares += std::pow(static_cast<double>(run.positions[s][i]) - static_cast<double>(other.positions[s][i]), 2);
      vertices += static_cast<double>(per_frame) / 3;
    }
    series.x.push_back(run.times[k]);
    series.y.push_back(vertices > 0 ? std::sqrt(squares / vertices) : 0);
  }
  return series;
}

Series energy_above(const Modes& modes, const FrameCache& frames) {
  Series series{.name = {}, .x = {}, .y = {}};
  Frame frame;
  NodalField v(frames.info().vertices);
  for (long k = 0; k < frames.frames(); ++k) {
    frames.read(k, frame);
    for (std::size_t i = 0; i < v.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) v.row(i)[c] = frame.v[3 * i + c];
    series.x.push_back(frames.time(k));
    series.y.push_back(modes.kinetic_energy_above(v));
  }
  return series;
}

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
      entry["ms_per_iteration"] = ms_per_iteration(a);
      entry["mean_alpha"] = a.alpha;
      entry["energy"] = {{"max_relative_error", a.worst}, {"final_relative_error", a.last}};
      entry["momentum"] = {{"linear_change", a.linear_change}, {"angular_change", a.angular_change}};
      const ComparedRun& first = *first_that_ran(runs);
      const MeanAndLargest d = distance(run, first);
      entry["distance"] = {{"from", first.integrator}, {"mean", d.mean}, {"largest", d.largest}};
      if (!run.fine.y.empty()) {
        const MeanAndLargest fine = mean_and_largest(run.fine.y);
        entry["energy_above_modes"] = {{"mean", fine.mean}, {"largest", fine.largest}, {"final", run.fine.y.back()}};
      }
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
      if (sound(run)) page.playback_note = run.recording.note();
    }
  if (!ledgers.empty()) page.charts = comparison_charts(ledgers);
  if (ledgers.size() > 1) page.charts.push_back(distances(runs));
  if (std::ranges::any_of(runs, [](const ComparedRun& run) { return !run.fine.y.empty(); }))
    page.charts.push_back(fine_energies(runs));
  page.scene = scene;
  page.facts = comparison_json(runs).dump(2, ' ', false, Json::error_handler_t::replace);
  return to_html(page);
}

}  // namespace brio
