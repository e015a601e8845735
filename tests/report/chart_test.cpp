#include "report/chart.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "brio/core.h"
#include "report/ledger_charts.h"
#include "report/ledgers.h"
#include "report/page.h"
#include "report/svg.h"
#include "report/ticks.h"

namespace brio {
namespace {

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> list;
  list.reserve(ticks.size());
  for (const Tick& tick : ticks) list.push_back(tick.label);
  return list;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST(Ticks, StandAtRoundNumbersWithinTheRange) {
  EXPECT_EQ(labels(linear_ticks(0, 2, 4)), (Labels{"0", "0.5", "1.0", "1.5", "2.0"}));
  EXPECT_EQ(labels(linear_ticks(-30, 41, 4)), (Labels{"−20", "0", "20", "40"}));
  EXPECT_EQ(labels(linear_ticks(0, 2.1e-5, 2)), (Labels{"0", "1×10⁻⁵", "2×10⁻⁵"}));
  EXPECT_EQ(labels(linear_ticks(0, 1e6, 2)), (Labels{"0", "0.5×10⁶", "1.0×10⁶"}));
  EXPECT_TRUE(linear_ticks(1, 1, 4).empty());
}

TEST(Ticks, OfALogarithmicAxisArePowersOfTen) {
  EXPECT_EQ(labels(log_ticks(1e-3, 10, 8)), (Labels{"10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"}));
  const Labels many = labels(log_ticks(1e-20, 1, 8));
  EXPECT_EQ(many.size(), 21u);
  EXPECT_LE(std::ranges::count_if(many, [](const std::string& text) { return !text.empty(); }), 8);
  EXPECT_TRUE(log_ticks(0, 1, 8).empty());
}

TEST(Thinning, KeepsBothEndsAndEvenStrides) {
  EXPECT_EQ(thinned(5, 10), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(thinned(101, 5), (std::vector<std::size_t>{0, 25, 50, 75, 100}));
  EXPECT_EQ(thinned(1, 300), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(thinned(0, 300).empty());
  EXPECT_EQ(thinned(1'000'000, 300).size(), 300u);
  EXPECT_EQ(thinned(1'000'000, 300).back(), 999'999u);
}

TEST(EnergyChart, StandsOnItselfUpToTheEnergyAtTheStart) {
  const auto charts = run_charts(ledger({{.gravity = 10}, {.time = 1, .kinetic = 4, .gravity = 6, .residual = 1e-12}}));
  const Chart& energy = charts.front();
  ASSERT_EQ(energy.series.size(), 3u);
  EXPECT_EQ(energy.series[1].y, (std::vector<double>{4, 0})) << "gravity counts from its lowest";
  EXPECT_EQ(drawn(energy)[1].y, (std::vector<double>{4, 4}));
  EXPECT_EQ(energy.series[2].y, (std::vector<double>{4, 4})) << "what there was at the start";
  for (const Chart& chart : charts) EXPECT_NE(chart.y_label, "alpha") << "empty charts are left out";
}

TEST(ComparisonCharts, AnExplosionIsCutOffButWhatWasPutInFromOutsideIsShown) {
  const LedgerTable pulled =
      ledger({{}, {.time = 1, .elastic = 6, .user_work = 6}, {.time = 2, .elastic = 6, .user_work = 6}});
  const LedgerTable exploded = ledger(
      {{}, {.time = 1, .elastic = 6, .user_work = 6}, {.time = 2, .kinetic = 1e6, .residual = 1e6, .user_work = 6}});
  const Chart energy = comparison_charts({{"calm", pulled}, {"wild", exploded}}).front();
  ASSERT_TRUE(energy.range.has_value());
  EXPECT_GT((*energy.range)[1], 6);
  EXPECT_LT((*energy.range)[1], 12);
}

TEST(ColumnChart, RefusesColumnsOfDifferentUnits) {
  EXPECT_THROW(column_chart({{"a", ledger({{}})}}, {"kinetic", "px"}, false), InputError);
  const Chart chart = column_chart({{"a", ledger({{}})}, {"b", ledger({{}})}}, {"kinetic"}, true);
  EXPECT_EQ(chart.y_label, "|kinetic| [J]");
  EXPECT_EQ(chart.series[1].name, "b");
}

TEST(Svg, HasAxesWithUnitsALegendAndEscapedTexts) {
  Chart chart{.title = "a < b", .y_label = "energy [J]"};
  chart.series = {{.name = "x & y", .x = {0, 1, 2}, .y = {0, 1, 4}}};
  const std::string svg = to_svg(chart);
  for (const char* part : {"a &lt; b", "energy [J]", "time [s]", "x &amp; y", "<path d='M", ">1.0</text>"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST(Svg, LeavesNoNumberThatIsNotFinite) {
  Chart chart{.title = "", .y_label = "y", .log = true};
  chart.series = {{.name = "zero", .x = {0, 1}, .y = {0, 0}}, {.name = "gap", .x = {0, 1, 2}, .y = {1e-300, 0, 1e300}}};
  for (const bool log : {true, false}) {
    chart.log = log;
    const std::string svg = to_svg(chart);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(Page, ValuesAreEscapedAndNotLookedInto) {
  EXPECT_EQ(filled("<b>{{a}}</b>{{b}}", {{"a", "{{b}}"}, {"b", "2"}}), "<b>{{b}}</b>2");
  EXPECT_THROW(filled("{{unknown}}", {}), std::logic_error);
  EXPECT_EQ(escaped("</script>'\"&\x01"), "&lt;/script&gt;&#39;&quot;&amp;");
}

TEST(Page, AHostileTitleDoesNotEndTheScript) {
  Page page{.title = "</script><script>alert(1)</script>", .scene = "</pre><b>"};
  page.charts = run_charts(ledger({{.kinetic = 1}, {.time = 1, .kinetic = 1}}));
  page.charts.front().title = "</script><img>";
  const std::string html = to_html(page);
  const auto count = [&](std::string_view part) {
    int found = 0;
    for (std::size_t at = 0; (at = html.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("</script>"), 2) << "that of the data and that of the program";
  EXPECT_EQ(count("<script>alert"), 0);
  EXPECT_EQ(count("</pre><b>"), 0);
  EXPECT_EQ(count("<img>"), 0);
}

}  // namespace brio
