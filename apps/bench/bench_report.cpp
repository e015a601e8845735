#include "bench_report.h"

#include <fmt/format.h>

#include "bench/machine.h"

namespace brio::app {
namespace {

/// Three digits, however large.
std::string milliseconds(double ms) {
  if (ms <= 0) return "";
  if (ms >= 100) return fmt::format("{:.0f}", ms);
  return fmt::format("{:.{}f}", ms, ms >= 10 ? 1 : ms >= 1 ? 2 : 3);
}

std::string megabytes(double bytes) {
  return bytes > 0 ? fmt::format("{:.{}f}", bytes / 1e6, bytes < 1e7 ? 1 : 0) : "";
}

std::string nanoseconds_per_element(double ms, const bench::Row& row) {
  return ms > 0 && row.elements > 0 ? fmt::format("{:.1f}", ms * 1e6 / row.elements) : "";
}

std::string ratio(const bench::Row& row) { return row.baseline_ms > 0 ? fmt::format("{:.2f}", row.ratio()) : ""; }

std::string wanted(const bench::Row& row) {
  if (row.wanted == 0) return "";
  return fmt::format("{:.3g}: {}", row.wanted, row.ratio() >= row.wanted ? "met" : "missed");
}

}  // namespace

std::string bench_line(const bench::Row& row) {
  std::string line = fmt::format("{:<38} {:>26} {:>2} thr", row.name, row.size, row.threads);
  if (row.ms > 0) {
    line += fmt::format(" {:>8} ms {:>7} ns/element", milliseconds(row.ms), nanoseconds_per_element(row.ms, row));
    if (row.baseline_ms > 0) line += fmt::format(" {:>8} ms {:>7}x", milliseconds(row.baseline_ms), ratio(row));
    if (row.wanted > 0) line += fmt::format(" ({})", wanted(row));
    if (row.bytes > 0) line += fmt::format(" {:>6} MB", megabytes(row.bytes));
    line += "  " + row.baseline;
  }
  if (!row.detail.empty()) line += "\n    " + row.detail;
  return line;
}

nlohmann::json bench_json(const std::string& name, const bench::Row& row) {
  return {{"case", name + ": " + row.name},
          {"size", row.size},
          {"threads", row.threads},
          {"ms", row.ms},
          {"baseline", row.baseline},
          {"baseline_ms", row.baseline_ms},
          {"ratio", row.ratio()},
          {"wanted", row.wanted},
          {"bound_ms", row.bound_ms},
          {"bytes", row.bytes},
          {"detail", row.detail}};
}

std::string bench_page_head(const std::string& command) {
  return fmt::format(
      "# Performance\n\nMade by `{}` on {}. Times differ from machine to machine and from hour to hour; ratios, taken "
      "in one run, hardly do. Every time is the least of at least five calls in at least a quarter of a second; what "
      "takes longer than two seconds is done once. Baselines use one thread unless the section says otherwise. "
      "\"Ratio\" is the time of the baseline over ours, \"wanted\" the ratio aimed at.\n",
      command, bench::machine());
}

std::string bench_section_head(const bench::Case& chosen) {
  return fmt::format(
      "\n## {}\n{}. {}\n\n| what | mesh | threads | ms | ns per element | baseline [ms] | ratio | wanted | bound [ms] "
      "| "
      "memory [MB] | baseline, and where the time went |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
      chosen.name, chosen.sentence, chosen.method);
}

std::string bench_section_row(const bench::Row& row) {
  const char* between = row.baseline.empty() || row.detail.empty() ? "" : ". ";
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {}{}{} |\n", row.name, row.size, row.threads,
                     milliseconds(row.ms), nanoseconds_per_element(row.ms, row), milliseconds(row.baseline_ms),
                     ratio(row), wanted(row), milliseconds(row.bound_ms), megabytes(row.bytes), row.baseline, between,
                     row.detail);
}

}  // namespace brio::app
