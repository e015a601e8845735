#include "report/ledger_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "brio/core.h"

namespace brio {
namespace {

using Values = std::vector<double>;

bool all_zero(const Values& values) {
  return std::ranges::all_of(values, [](double value) { return value == 0; });
}

double least(const Values& values) { return *std::ranges::min_element(values); }

Values mapped(const Values& values, const std::function<double(double)>& change) {
  Values out(values.size());
  std::ranges::transform(values, out.begin(), change);
  return out;
}

Series over_time(const LedgerTable& ledger, std::string name, Values values) {
  return {.name = std::move(name), .x = ledger.column("time"), .y = std::move(values)};
}

/// What the state holds and what was lost, stacked. Gravity counts from its lowest value, so that nothing is negative.
/// The top of the stack meets the dashed line where the balance closes; between them lies the residual.
Chart energy_chart(const LedgerTable& ledger) {
  Chart chart{.title = "Energy", .y_label = "energy [J]", .stacked = true};
  const double lowest = least(ledger.column("gravity"));
  const double contact = std::min(0.0, least(ledger.column("contact")));
  const auto add = [&](const char* column, const char* name, double floor) {
    if (all_zero(ledger.column(column))) return;
    chart.series.push_back(over_time(ledger, name, mapped(ledger.column(column), [&](double e) { return e - floor; })));
  };
  add("kinetic", "kinetic", 0);
  add("elastic", "elastic", 0);
  add("gravity", "gravity, above its lowest", lowest);
  add("contact", "contact", contact);
  add("damping_loss", "lost to damping", 0);
  add("friction_loss", "lost to friction", 0);
  const double start = ledger.column("total").front() - lowest - contact;
  const bool worked = !all_zero(ledger.column("user_work"));
  Series budget = over_time(ledger, worked ? "at the start, and work from outside" : "at the start",
                            mapped(ledger.column("user_work"), [&](double work) { return start + work; }));
  budget.dashed = true;
  budget.color = 7;
  chart.series.push_back(std::move(budget));
  return chart;
}

Chart residual_chart(const LedgerTable& ledger) {
  const Values& residual = ledger.column("residual");
  Chart chart{.title = "Residual: energy that the balance cannot explain", .y_label = "|residual| [J]", .log = true};
  chart.series = {over_time(ledger, "gained", mapped(residual, [](double r) { return std::max(r, 0.0); })),
                  over_time(ledger, "lost", mapped(residual, [](double r) { return std::max(-r, 0.0); }))};
  std::erase_if(chart.series, [](const Series& series) { return all_zero(series.y); });
  return chart;
}

Chart lines(const LedgerTable& ledger, std::string title, std::string y_label,
            const std::vector<std::pair<const char*, const char*>>& columns) {
  Chart chart{.title = std::move(title), .y_label = std::move(y_label)};
  for (const auto& [column, name] : columns) chart.series.push_back(over_time(ledger, name, ledger.column(column)));
  return chart;
}

/// How far a momentum has moved from its start.
Values change(const LedgerTable& ledger, std::array<const char*, 3> columns) {
  Values out(ledger.rows());
  for (std::size_t i = 0; i < out.size(); ++i) {
    double squares = 0;
    for (const char* column : columns) squares += std::pow(ledger.column(column)[i] - ledger.column(column).front(), 2);
    out[i] = std::sqrt(squares);
  }
  return out;
}

Chart overlay(const std::vector<NamedLedger>& runs, Chart chart,
              const std::function<Values(const LedgerTable&)>& values) {
  for (const NamedLedger& run : runs) chart.series.push_back(over_time(run.ledger, run.name, values(run.ledger)));
  return chart;
}

bool empty(const Chart& chart) {
  return std::ranges::all_of(chart.series, [](const Series& series) { return all_zero(series.y); });
}

/// A run that explodes must not flatten the others: the axis spans what was in play when the run with the least was
/// over, and the least that any was given from outside.
std::array<double, 2> bounded_range(const std::vector<NamedLedger>& runs) {
  const LedgerTable& first = runs.front().ledger;
  double min_in_play = account(first).in_play;
  for (const NamedLedger& run : runs)
    if (const Account a = account(run.ledger); a.in_play > 0) min_in_play = std::min(min_in_play, a.in_play);
  double given = std::numeric_limits<double>::infinity();
  for (const NamedLedger& run : runs) given = std::min(given, std::ranges::max(run.ledger.column("user_work")));
  given = std::max(given, 0.0);
  const double start = first.column("total").front();
  double low = start;
  double high = start;
  for (const NamedLedger& run : runs)
    for (const double total : run.ledger.column("total")) {
      low = std::min(low, std::max(total, start - 2 * min_in_play));
      high = std::max(high, std::min(total, start + given + min_in_play / 4));
    }
  const double room = high > low ? 0.05 * (high - low) : std::max(1e-3, 0.1 * std::abs(start));
  return {low - room, high + room};
}

}  // namespace

std::vector<Chart> run_charts(const LedgerTable& ledger) {
  const std::vector<Chart> all{
      energy_chart(ledger),
      residual_chart(ledger),
      lines(ledger, "Linear momentum", "momentum [kg m/s]", {{"px", "x"}, {"py", "y"}, {"pz", "z"}}),
      lines(ledger, "Angular momentum about the origin", "momentum [kg m²/s]", {{"lx", "x"}, {"ly", "y"}, {"lz", "z"}}),
      lines(ledger, "Blend of the stabilized integrator", "alpha", {{"alpha", "alpha"}}),
      lines(ledger, "Iterations of the solver", "per frame", {{"iterations", "iterations"}}),
      lines(ledger, "Time to compute", "per frame [ms]", {{"ms", "time"}})};
  std::vector<Chart> charts;
  std::ranges::copy_if(all, std::back_inserter(charts), [](const Chart& chart) { return !empty(chart); });
  return charts;
}

std::vector<Chart> comparison_charts(const std::vector<NamedLedger>& runs) {
  const auto column = [](const char* name) { return [name](const LedgerTable& l) { return l.column(name); }; };
  const std::vector<Chart> all{
      overlay(runs, {.title = "Total energy", .y_label = "energy [J]", .range = bounded_range(runs)}, column("total")),
      overlay(runs,
              {.title = "Residual: energy that the balance cannot explain", .y_label = "|residual| [J]", .log = true},
              [](const LedgerTable& l) { return mapped(l.column("residual"), [](double r) { return std::abs(r); }); }),
      overlay(runs, {.title = "Change of linear momentum", .y_label = "|change| [kg m/s]", .log = true},
              [](const LedgerTable& l) {
                return change(l, {"px", "py", "pz"});
              }),
      overlay(runs, {.title = "Change of angular momentum", .y_label = "|change| [kg m²/s]", .log = true},
              [](const LedgerTable& l) {
                return change(l, {"lx", "ly", "lz"});
              }),
      overlay(runs, {.title = "Iterations of the solver", .y_label = "per frame"}, column("iterations")),
      overlay(runs, {.title = "Time to compute", .y_label = "per frame [ms]", .log = true}, column("ms"))};
  std::vector<Chart> charts;
  std::ranges::copy_if(all, std::back_inserter(charts), [](const Chart& chart) { return !empty(chart); });
  return charts;
}

Chart column_chart(const std::vector<NamedLedger>& runs, const std::vector<std::string>& columns, bool log) {
  Chart chart{.title = "", .y_label = "", .log = log};
  const std::string unit = ledger_unit(columns.front());
  for (const std::string& column : columns)
    if (ledger_unit(column) != unit)
      throw InputError(
          {.file = "--columns",
           .value = column,
           .problem = fmt::format("is in [{}], but {} is in [{}]", ledger_unit(column), columns.front(), unit),
           .advice = "plot them apart"});
  const auto with_unit = [&](const std::string& name) {
    return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
  };
  const std::string one = columns.size() == 1 ? columns.front()
                          : unit == "J"       ? "energy"
                          : unit == "ms"      ? "time"
                                              : "value";
  chart.y_label = with_unit(log ? "|" + one + "|" : one);
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::size_t c = 0; c < columns.size(); ++c) {
      Values values = runs[r].ledger.column(columns[c]);
      if (log) values = mapped(values, [](double value) { return std::abs(value); });
      const std::string name = runs.size() == 1      ? columns[c]
                               : columns.size() == 1 ? runs[r].name
                                                     : fmt::format("{}, {}", runs[r].name, columns[c]);
      chart.series.push_back(over_time(runs[r].ledger, name, std::move(values)));
    }
  return chart;
}

}  // namespace brio
