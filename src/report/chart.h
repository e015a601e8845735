/// What a chart shows, apart from how it is drawn: the page draws it with uPlot, `brio plot` as SVG.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace brio {

struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;  ///< as many; on a logarithmic axis what is not positive is left out
  bool dashed = false;
  int color = -1;  ///< of the palette; -1: the next one
};

struct Chart {
  std::string title;
  std::string x_label = "time [s]";
  double x_margin = 0;  ///< left free at either end of x, over its extent
  std::string y_label;  ///< with its unit in brackets
  bool log = false;
  bool stacked = false;  ///< series stand on each other as areas, all over the same x; dashed ones stay lines
  std::optional<std::array<double, 2>> range{};  ///< of y; else that of the values
  std::vector<Series> series{};
};

/// The series as they are drawn: stacked ones raised by those below them.
std::vector<Series> drawn(const Chart& chart);

/// For the page. Seven digits, and at most `max_points` per series, taken at equal strides.
nlohmann::ordered_json to_json(const Chart& chart, std::size_t max_points);

/// Indices of at most `max_count` of `count` things at equal strides, the first and the last always among them.
std::vector<std::size_t> thinned(std::size_t count, std::size_t max_count);

}  // namespace brio
