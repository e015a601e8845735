#include "report/page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "report/libraries.h"
#include "report/page_files.h"
#include "report/svg.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_points = 2000;  // per curve: more than a screen has columns

std::string warning_list(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return {};
  std::string html = "<ul class=\"notice\">";
  for (const std::string& warning : warnings) html += fmt::format("<li>{}</li>", escaped(warning));
  return html + "</ul>";
}

std::string phase_bars(const std::vector<std::pair<std::string, double>>& phases) {
  double longest = 0;
  for (const auto& [name, ms] : phases) longest = std::max(longest, ms);
  if (longest == 0) return {};
  std::string html = "<section><h2>Where the solver's time went</h2><div class=\"phases\">";
  for (const auto& [name, ms] : phases)
    html += fmt::format(
        "<span>{}</span><span class=\"bar\" style=\"width:{:.1f}%\"></span><span class=\"value\">{:.3g} ms</span>",
        escaped(name), 100 * ms / longest, ms);
  return html + "</div></section>";
}

std::string chart_note(const Page& page, const PageLibrary& library) {
  if (page.plain_charts) return {};
  std::string note = library.problem.empty()
                         ? "Drag over a chart to zoom in, double click to see all; the legend switches curves off."
                         : fmt::format("Without zoom, because {}", library.problem);
  std::size_t points = 0;
  for (const Chart& chart : page.charts)
    for (const Series& series : chart.series) points = std::max(points, series.x.size());
  if (points > max_points) note += fmt::format(" {} of {} frames are drawn; ledger.csv has all.", max_points, points);
  return note;
}

std::string static_charts(const std::vector<Chart>& charts) {
  std::string html;
  for (const Chart& chart : charts) html += fmt::format("<div class=\"chart\">{}</div>", to_svg(chart));
  return html;
}

/// Within a script element only "<" can do harm.
std::string script_json(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string out;
  for (std::size_t open = 0; (open = text.find("{{")) != std::string_view::npos;) {
    const std::size_t close = text.find("}}", open);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    const auto value = std::ranges::find(values, name, [](const auto& pair) { return pair.first; });
    if (value == values.end()) throw std::logic_error(fmt::format("the page has no value for {}", name));
    out += text.substr(0, open);
    out += value->second;
    text.remove_prefix(close + 2);
  }
  return out += text;
}

std::string to_html(const Page& page) {
  Json data{{"charts", Json::array()}, {"playbacks", page.playbacks}};
  const PageLibrary charts = page.plain_charts ? PageLibrary{} : chart_library();
  const bool plain = page.plain_charts || !charts.problem.empty();
  if (!plain) {
    data["uplot"] = {{"script", charts.first}, {"style", charts.second}};
    for (const Chart& chart : page.charts) data["charts"].push_back(to_json(chart, max_points));
  }
  std::string missing;
  if (!page.playbacks.empty()) {
    const PageLibrary scene = scene_library();
    if (scene.problem.empty()) {
      data["three"] = {{"module", scene.first}, {"controls", scene.second}};
    } else {
      data["playbacks"] = Json::array();
      missing = fmt::format(
          "<p class=\"notice\">There is no animation here, because {}. Then make this page again with "
          "<code>brio report</code>.</p>",
          escaped(scene.problem));
    }
  }
  const std::string json = script_json(data);
  const bool moving = data.contains("three");
  return filled(page_files::html,
                {{"title", escaped(page.title)},
                 {"style", page_files::style},
                 {"subtitle", escaped(page.subtitle)},
                 {"mood", page.mood},
                 {"verdict", escaped(page.verdict)},
                 {"warnings", warning_list(page.warnings)},
                 {"table", page.table},
                 {"playback_hidden", moving ? "" : "hidden"},
                 {"playback_note", escaped(page.playback_note)},
                 {"playback_missing", missing},
                 {"charts_hidden", page.charts.empty() ? "hidden" : ""},
                 {"chart_note", escaped(chart_note(page, charts))},
                 {"static_charts", plain ? static_charts(page.charts) : ""},
                 {"phases", phase_bars(page.phases)},
                 {"scene_hidden", page.scene.empty() ? "hidden" : ""},
                 {"scene", escaped(page.scene)},
                 {"facts", escaped(page.facts)},
                 {"footer", fmt::format("Made by brio. This page holds everything it shows: {:.1f} MB.",
                                        static_cast<double>(json.size()) * 1e-6)},
                 {"data", json},
                 {"script", page_files::script}});
}

}  // namespace brio
