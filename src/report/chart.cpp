#include "report/chart.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

/// Seven digits are more than a screen shows, and halve the page.
double rounded(double value) { return std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr); }

Json picked(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  Json list = Json::array();
  for (const std::size_t row : rows) list.push_back(rounded(values[row]));
  return list;
}

}  // namespace

std::vector<std::size_t> thinned(std::size_t count, std::size_t max_count) {
  const std::size_t kept = std::min(count, std::max<std::size_t>(max_count, 2));
  std::vector<std::size_t> indices(kept);
  for (std::size_t i = 0; i < kept; ++i) indices[i] = kept > 1 ? i * (count - 1) / (kept - 1) : 0;
  return indices;
}

std::vector<Series> drawn(const Chart& chart) {
  std::vector<Series> list = chart.series;
  if (!chart.stacked) return list;
  const Series* below = nullptr;
  for (Series& series : list) {
    if (series.dashed) continue;
    for (std::size_t i = 0; below != nullptr && i < series.y.size(); ++i) series.y[i] += below->y[i];
    below = &series;
  }
  return list;
}

Json to_json(const Chart& chart, std::size_t max_points) {
  Json list = Json::array();
  const std::vector<double>* before = nullptr;
  for (const Series& series : chart.series) {
    const std::vector<std::size_t> rows = thinned(series.x.size(), max_points);
    Json entry{{"name", series.name}, {"y", picked(series.y, rows)}};
    if (before == nullptr || *before != series.x) entry["x"] = picked(series.x, rows);  // else as the series before
    if (series.dashed) entry["dashed"] = true;
    if (series.color >= 0) entry["color"] = series.color;
    before = &series.x;
    list.push_back(std::move(entry));
  }
  Json object{{"title", chart.title}, {"x", chart.x_label}, {"y", chart.y_label}};
  object["log"] = chart.log;
  object["stacked"] = chart.stacked;
  if (chart.range) object["range"] = *chart.range;
  object["series"] = std::move(list);
  return object;
}

}  // namespace brio
