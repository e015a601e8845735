#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/ticks.h"

namespace brio {
namespace {

constexpr double font = 13;         // px
constexpr double letter = 0.58;     // mean width of a letter over the size of the font
constexpr double legend_row = 20;   // px
constexpr double legend_line = 24;  // px

/// Letters as the eye counts them: bytes that continue a letter of UTF-8 are passed over.
double text_width(std::string_view text) {
  return font * letter * static_cast<double>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Never empty; a margin keeps curves off the frame.
  void settle(bool log, double margin) {
    if (!(low <= high)) *this = log ? Range{1e-3, 1} : Range{0, 1};
    if (log) {
      low = std::pow(10.0, std::floor(std::log10(low)));
      high = std::max(std::pow(10.0, std::ceil(std::log10(high))), 10 * low);
      return;
    }
    if (high - low < 1e-12 * std::max(std::abs(low), std::abs(high)) || high == low) {
      const double room = low == 0 ? 1 : 0.1 * std::abs(low);
      low -= room;
      high += room;
    } else {
      const double room = margin * (high - low);
      low -= room;
      high += room;
    }
  }
};

/// From values to pixels.
struct Axis {
  Range range{};
  bool log = false;
  double from = 0, to = 0;  ///< [px]

  double at(double value) const {
    const double fraction = log ? (std::log(value) - std::log(range.low)) / (std::log(range.high) - std::log(range.low))
                                : (value - range.low) / (range.high - range.low);
    // Renderers overflow on numbers far outside the picture, where an exploding run leads.
    return std::clamp(from + fraction * (to - from), -1e5, 1e5);
  }
};

bool shown(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

/// Points closer than a quarter of a pixel to the last are passed over.
std::string path(const Series& series, const Axis& x, const Axis& y) {
  std::string text;
  double last_x = 0;
  double last_y = 0;
  bool pen_down = false;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!shown(series.y[i], y.log)) {
      pen_down = false;
      continue;
    }
    const double px = x.at(series.x[i]);
    const double py = y.at(series.y[i]);
    if (pen_down && i + 1 < series.x.size() && std::hypot(px - last_x, py - last_y) < 0.25) continue;
    text += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", px, py);
    last_x = px;
    last_y = py;
    pen_down = true;
  }
  return text;
}

std::string area(const Series& top, const Series* bottom, const Axis& x, const Axis& y) {
  std::string text = "M";
  for (std::size_t i = 0; i < top.x.size(); ++i) text += fmt::format("{:.2f} {:.2f} ", x.at(top.x[i]), y.at(top.y[i]));
  for (std::size_t i = top.x.size(); i-- > 0;)
    text += fmt::format("{:.2f} {:.2f} ", x.at(top.x[i]), y.at(bottom != nullptr ? bottom->y[i] : 0));
  return text + "Z";
}

/// One picture in the making.
class Drawing {
 public:
  Drawing(const Chart& chart, const SvgOptions& options) : chart_(chart), options_(options), curves_(drawn(chart)) {
    set_ranges();
    y_ticks_ = chart.log ? log_ticks(y_.range.low, y_.range.high, 8)
                         : linear_ticks(y_.range.low, y_.range.high, static_cast<int>(options.height / 60));
    x_ticks_ = linear_ticks(x_.range.low, x_.range.high, static_cast<int>(options.width / 90));
    double label_width = 0;
    for (const Tick& tick : y_ticks_) label_width = std::max(label_width, text_width(tick.label));
    x_.from = 34 + label_width;
    x_.to = options.width - 18;
    y_.from = options.height - 50;
    legend_ = legend();  // how many rows it takes decides where the frame begins
  }

  std::string text() const {
    return fmt::format("{}{}{}{}{}\n</svg>\n", opening(), grid(), curves(), labels(), legend_);
  }

 private:
  void set_ranges() {
    y_.log = chart_.log;
    for (const Series& series : curves_)
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        x_.range.add(series.x[i]);
        if (shown(series.y[i], chart_.log)) y_.range.add(series.y[i]);
      }
    if (chart_.stacked) y_.range.add(0);
    if (chart_.range) y_.range = {(*chart_.range)[0], (*chart_.range)[1]};
    x_.range.settle(false, chart_.x_margin);
    y_.range.settle(chart_.log, chart_.range ? 0 : 0.04);
  }

  std::string stroke(std::size_t i) const {
    const Series& series = curves_[i];
    return fmt::format("stroke='{}'{}", palette(series.color >= 0 ? static_cast<std::size_t>(series.color) : i),
                       series.dashed ? " stroke-dasharray='6 4'" : "");
  }

  std::string legend() {
    std::string text;
    double at = x_.from;
    double row = chart_.title.empty() ? 16 : 40;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      const double width = legend_line + 6 + text_width(curves_[i].name) + 18;
      if (at + width > x_.to && at > x_.from) {
        at = x_.from;
        row += legend_row;
      }
      text += fmt::format("<path d='M{:.1f} {:.1f}h{}' {} stroke-width='2.2'/><text x='{:.1f}' y='{:.1f}'>{}</text>\n",
                          at, row - 4, legend_line, stroke(i), at + legend_line + 6, row, escaped(curves_[i].name));
      at += width;
    }
    y_.to = row + 14;
    return text;
  }

  std::string opening() const {
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' font-size='{2}' "
        "font-family='Helvetica, Arial, DejaVu Sans, sans-serif' fill='currentColor'>\n<title>{3}</title>\n",
        options_.width, options_.height, font, escaped(chart_.title.empty() ? chart_.y_label : chart_.title));
  }

  std::string grid() const {
    std::string text = "<g stroke='currentColor' stroke-opacity='0.15'>";
    for (const Tick& tick : y_ticks_)
      if (!tick.label.empty()) text += fmt::format("<path d='M{} {:.2f}H{}'/>", x_.from, y_.at(tick.value), x_.to);
    for (const Tick& tick : x_ticks_)
      text += fmt::format("<path d='M{:.2f} {}V{}'/>", x_.at(tick.value), y_.to, y_.from);
    return text + "</g>\n";
  }

  /// A nested picture keeps curves within the frame without names that could clash in a page.
  std::string curves() const {
    std::string text = fmt::format(
        "<svg x='{0}' y='{1}' width='{2}' height='{3}' viewBox='{0} {1} {2} {3}' fill='none' stroke-width='1.7' "
        "stroke-linejoin='round'>\n",
        x_.from, y_.to, x_.to - x_.from, y_.from - y_.to);
    const Series* below = nullptr;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      const Series& series = curves_[i];
      if (chart_.stacked && !series.dashed) {
        text += fmt::format("<path d='{}' fill='{}' fill-opacity='0.35'/>\n", area(series, below, x_, y_), palette(i));
        below = &series;
      }
      text += fmt::format("<path d='{}' {}/>\n", path(series, x_, y_), stroke(i));
    }
    return text + "</svg>\n";
  }

  std::string labels() const {
    std::string text = fmt::format("<path d='M{} {}V{}H{}' fill='none' stroke='currentColor'/>\n<g text-anchor='end'>",
                                   x_.from, y_.to, y_.from, x_.to);
    for (const Tick& tick : y_ticks_)
      text += fmt::format("<text x='{:.1f}' y='{:.1f}'>{}</text>", x_.from - 7, y_.at(tick.value) + 4.5, tick.label);
    text += "</g>\n<g text-anchor='middle'>";
    for (const Tick& tick : x_ticks_)
      text += fmt::format("<text x='{:.1f}' y='{:.1f}'>{}</text>", x_.at(tick.value), y_.from + 19, tick.label);
    text += fmt::format("<text x='{:.1f}' y='{:.1f}'>{}</text>", (x_.from + x_.to) / 2, options_.height - 10,
                        escaped(chart_.x_label));
    text += fmt::format("<text transform='translate(14 {:.1f}) rotate(-90)'>{}</text></g>\n", (y_.from + y_.to) / 2,
                        escaped(chart_.y_label));
    if (!chart_.title.empty())
      text += fmt::format("<text x='{}' y='18' font-weight='bold'>{}</text>\n", x_.from, escaped(chart_.title));
    return text;
  }

  const Chart& chart_;
  const SvgOptions& options_;
  std::vector<Series> curves_;
  Axis x_;
  Axis y_;
  std::vector<Tick> x_ticks_;
  std::vector<Tick> y_ticks_;
  std::string legend_;
};

}  // namespace

std::string_view palette(std::size_t i) {
  constexpr std::string_view colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#e69f00", "#56b4e9", "#8c564b", "#7f7f7f"};
  return colors[i % std::size(colors)];
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  return out;
}

std::string to_svg(const Chart& chart, const SvgOptions& options) { return Drawing(chart, options).text(); }

}  // namespace brio
