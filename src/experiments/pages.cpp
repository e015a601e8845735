#include "experiments/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/page.h"
#include "report/page_files.h"
#include "report/svg.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* claims = "compare claims";  // sentences and numbers

std::string html_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
                       const char* kind = "compare") {
  std::string text = fmt::format("<div class=\"scroll\"><table class=\"{}\"><thead><tr>", kind);
  for (const std::string& cell : header) text += "<th>" + cell + "</th>";
  text += "</tr></thead><tbody>";
  for (const auto& row : rows) {
    text += "<tr>";
    for (const std::string& cell : row) text += "<td>" + cell + "</td>";
    text += "</tr>";
  }
  return text + "</tbody></table></div>";
}

std::string mark(const Check& check) {
  if (check.passed()) return check.expected() ? "✓" : "✓, though known not to";
  return check.expected() ? "✗, as known" : "✗";
}

std::string number_text(const Measured& m) {
  return fmt::format("{:.6g}{}{}", m.value, m.unit.empty() ? "" : " ", m.unit);
}

std::string checks_table(const Outcome& outcome) {
  std::vector<std::vector<std::string>> rows;
  for (const Check& check : outcome.checks) {
    std::string what = escaped(check.what);
    if (check.source == Check::Source::beyond) what += " <em>(beyond the paper)</em>";
    if (!check.refuted.empty()) what += "<br><small>" + escaped(check.refuted) + "</small>";
    rows.push_back({what, escaped(check.text()),
                    fmt::format("<span class=\"{}\">{}</span>", check.passed() ? "" : "bad", mark(check))});
  }
  return html_table({"compared", "measured", "comes out"}, rows, claims);
}

std::string paragraph(const std::string& head, const std::string& text) {
  return fmt::format("<p><strong>{}</strong> {}</p>", head, escaped(text));
}

std::string prose_table(const Table& table) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : table.rows) {
    rows.emplace_back();
    for (const std::string& cell : row) rows.back().push_back(escaped(cell));
  }
  std::vector<std::string> header;
  for (const std::string& cell : table.header) header.push_back(escaped(cell));
  std::string text = "<h2>" + escaped(table.title) + "</h2>" + html_table(header, rows);
  if (!table.note.empty()) text += "<p class=\"hint\">" + escaped(table.note) + "</p>";
  return text;
}

const char* mood(const Finished& finished) {
  if (!finished.expected()) return "bad";
  return finished.outcome.verdict() == Verdict::refuted ? "warn" : "good";
}

std::string verdict_text(const Finished& finished) {
  if (!finished.stopped.empty()) return "It did not run: " + finished.stopped;
  const auto& checks = finished.outcome.checks;
  const auto passed = std::ranges::count_if(checks, [](const Check& check) { return check.passed(); });
  std::string text = finished.verdict();
  text.front() = static_cast<char>(std::toupper(text.front()));
  text += fmt::format(": {} of {} comparisons come out.", passed, checks.size());
  return text;
}

}  // namespace

std::string summary(const Finished& finished) {
  if (!finished.stopped.empty()) return finished.stopped;
  const auto& checks = finished.outcome.checks;
  if (checks.empty()) return "nothing was compared";
  auto shown = std::ranges::find_if(checks, [](const Check& check) { return !check.expected(); });
  if (shown == checks.end()) shown = std::ranges::find_if(checks, [](const Check& check) { return !check.passed(); });
  if (shown == checks.end()) shown = checks.begin();
  return shown->what + ": " + shown->text();
}

std::string experiment_page(const Experiment& experiment, const Finished& finished, const std::string& command) {
  const Outcome& outcome = finished.outcome;
  Page page{.title = experiment.figure + ": " + experiment.id,
            .subtitle = fmt::format("{} form, {:.3g} s of processor time", to_string(finished.form), finished.seconds),
            .verdict = verdict_text(finished),
            .mood = mood(finished),
            .charts = outcome.charts,
            .plain_charts = true};
  page.table = paragraph("The paper:", experiment.claim) + paragraph("Set-up:", experiment.set_up) +
               fmt::format("<p><strong>Command:</strong> <code>{}</code></p>", escaped(command)) +
               checks_table(outcome);
  if (!outcome.measured.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const Measured& m : outcome.measured) rows.push_back({escaped(m.what), escaped(number_text(m))});
    page.table += "<h2>Also measured</h2>" + html_table({"what", "value"}, rows, claims);
  }
  for (const Table& table : outcome.tables) page.table += prose_table(table);
  if (!outcome.notes.empty()) {
    page.table += "<h2>What the paper leaves open</h2><ul>";
    for (const std::string& note : outcome.notes) page.table += "<li>" + escaped(note) + "</li>";
    page.table += "</ul>";
  }
  for (const std::string& motion : outcome.motions) page.playbacks.push_back(Json::parse(motion));
  page.facts = to_line(finished);
  return to_html(page);
}

std::string index_page(const std::map<std::string, Finished>& kept) {
  std::vector<std::vector<std::string>> rows;
  long come_out = 0, known = 0, unexpected = 0;
  for (const Experiment& experiment : experiments()) {
    const auto found = kept.find(experiment.id);
    if (found == kept.end()) {
      rows.push_back({experiment.id, escaped(experiment.figure), escaped(experiment.claim), "", "not run", ""});
      continue;
    }
    const Finished& finished = found->second;
    const bool fine = finished.stopped.empty() && finished.outcome.verdict() != Verdict::refuted;
    come_out += fine ? 1 : 0;
    known += !fine && finished.expected() ? 1 : 0;
    unexpected += finished.expected() ? 0 : 1;
    rows.push_back({fmt::format("<a href=\"{0}/report.html\">{0}</a>", experiment.id), escaped(experiment.figure),
                    escaped(experiment.claim), escaped(summary(finished)),
                    fmt::format("<span class=\"{}\">{}</span>", fine ? "" : "bad", finished.verdict()),
                    fmt::format("{:.3g} s", finished.seconds)});
  }
  std::string verdict = fmt::format("{} of {} that were run come out.", come_out, kept.size());
  if (known > 0) verdict += fmt::format(" {} do{} not, for the reason told there.", known, known == 1 ? "es" : "");
  if (unexpected > 0) verdict += fmt::format(" {} came out otherwise than is known.", unexpected);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>The literature, reproduced</title>\n<style>\n{}\n"
      "table.compare td {{ white-space: normal; text-align: left; vertical-align: top; }}\n"
      "table.compare th {{ text-align: left; }}\n"
      "@media (max-width: 700px) {{ table.compare :is(th, td):is(:nth-child(2), :nth-child(3)) {{ display: none; }} "
      "}}\n"
      "</style></head>\n<body><header><h1>The literature, reproduced</h1>\n"
      "<p class=\"subtitle\">Every figure and table of the five documents, run by <code>brio reproduce</code>. Each "
      "verdict is computed from the run.</p>\n<p class=\"verdict {}\">{}</p></header>\n"
      "<main>{}</main></body></html>\n",
      page_files::style,
      unexpected > 0 ? "bad"
      : known > 0    ? "warn"
                     : "good",
      verdict, html_table({"experiment", "figure", "the paper", "measured", "verdict", "time"}, rows));
}

}  // namespace brio
