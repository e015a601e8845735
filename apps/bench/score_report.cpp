#include "score_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace brio::app {
namespace {

std::string how(const ScoreSheet& sheet) {
  return fmt::format(
      "Subject: {}, with contact and friction ({} links, {} vertices in all), from when it is through and pulling "
      "begins; "
      "highest frequency {:.0f} rad/s. Largest step: bisection on runs of {} s, which fail when a step does (not "
      "finite, "
      "or surfaces passed through each other) or when the energy drifts up by more than is in play. Order: on {}. "
      "Score: seconds simulated per second computed; relative: to explicit Euler.",
      sheet.subject, sheet.links, sheet.vertices, sheet.frequency, sheet.duration, sheet.order_subject);
}

const char* yes_no(bool value) { return value ? "yes" : "no"; }

}  // namespace

std::string score_text(const ScoreSheet& sheet) {
  std::string text =
      fmt::format("{}\n{:<20} {:>12} {:>12} {:>7} {:>15} {:>11} {:>9} {:>9}\n", how(sheet), "integrator", "max dt [ms]",
                  "step [us]", "forces", "order measured", "symplectic", "score", "relative");
  for (const Score& row : sheet.rows)
    text += fmt::format("{:<20} {:>12.4f} {:>12.2f} {:>7} {:>8} {:>6.2f} {:>11} {:>9.2f} {:>9.2f}\n", row.integrator,
                        1e3 * row.largest_step, 1e6 * row.seconds_per_step, row.evaluations, row.declared_order,
                        row.measured_order, yes_no(row.symplectic), row.score, row.relative);
  return text;
}

std::string score_markdown(const ScoreSheet& sheet) {
  std::string text = fmt::format(
      "\n## score\n{}\n\n| integrator | largest step [ms] | time per step [us] | force evaluations | order | measured "
      "| "
      "symplectic | score | relative |\n|---|---|---|---|---|---|---|---|---|\n",
      how(sheet));
  for (const Score& row : sheet.rows)
    text += fmt::format("| {} | {:.4f} | {:.2f} | {} | {} | {:.2f} | {} | {:.2f} | {:.2f} |\n", row.integrator,
                        1e3 * row.largest_step, 1e6 * row.seconds_per_step, row.evaluations, row.declared_order,
                        row.measured_order, yes_no(row.symplectic), row.score, row.relative);
  return text;
}

nlohmann::json score_json(const ScoreSheet& sheet) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Score& row : sheet.rows)
    rows.push_back({{"case", "score"},
                    {"integrator", row.integrator},
                    {"largest_step", row.largest_step},
                    {"seconds_per_step", row.seconds_per_step},
                    {"force_evaluations", row.evaluations},
                    {"declared_order", row.declared_order},
                    {"measured_order", row.measured_order},
                    {"symplectic", row.symplectic},
                    {"score", row.score},
                    {"relative", row.relative}});
  return rows;
}

std::string score_chart(const ScoreSheet& sheet) {
  constexpr int width = 720, left = 170, right = 90, top = 64, pitch = 26, bar = 18;
  const int height = top + pitch * static_cast<int>(sheet.rows.size()) + 44;
  double most = 1e-300;
  for (const Score& row : sheet.rows) most = std::max(most, row.score);
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" font-family="sans-serif" font-size="13">
<style>
  .page {{ fill: #ffffff }} .ink {{ fill: #1f2328 }} .faint {{ fill: #59636e }} .keeps {{ fill: #0969da }} .other {{ fill: #bf8700 }}
  @media (prefers-color-scheme: dark) {{
    .page {{ fill: #0d1117 }} .ink {{ fill: #f0f6fc }} .faint {{ fill: #9198a1 }} .keeps {{ fill: #58a6ff }} .other {{ fill: #d29922 }}
  }}
</style>
<rect class="page" width="{0}" height="{1}"/>
<text class="ink" x="16" y="26" font-size="16" font-weight="bold">Seconds simulated per second computed</text>
<text class="faint" x="16" y="46">explicit integrators on a suture being tightened, each at its largest stable step</text>
)",
      width, height);
  int y = top;
  for (const Score& row : sheet.rows) {
    const double length = (width - left - right) * row.score / most;
    svg += fmt::format(
        R"(<text class="ink" x="{}" y="{}" text-anchor="end">{}</text><rect class="{}" x="{}" y="{}" width="{:.1f}" height="{}" rx="2"/><text class="ink" x="{:.1f}" y="{}">{:.3g}</text>
)",
        left - 8, y + bar - 4, row.integrator, row.symplectic ? "keeps" : "other", left, y, std::max(length, 1.0), bar,
        left + length + 6, y + bar - 4, row.score);
    y += pitch;
  }
  y += 12;
  svg += fmt::format(
      R"(<rect class="keeps" x="{}" y="{}" width="12" height="12"/><text class="faint" x="{}" y="{}">symplectic</text><rect class="other" x="{}" y="{}" width="12" height="12"/><text class="faint" x="{}" y="{}">not symplectic</text>
</svg>
)",
      left, y, left + 18, y + 11, left + 110, y, left + 128, y + 11);
  return svg;
}

}  // namespace brio::app
