#include "report/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace brio {
namespace {

std::string power_of_ten(int exponent) {
  constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(std::abs(exponent))) text += digits[c - '0'];
  return text;
}

/// As many digits as tell neighbors `step` apart.
std::string label(double value, double step, double largest) {
  if (value == 0) return "0";
  const std::string sign = value < 0 ? "−" : "";
  const double size = std::abs(value);
  if (largest >= 1e5 || largest < 1e-2) {
    const int exponent = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    const double scale = std::pow(10.0, exponent);
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / scale) + 1e-9)));
    return fmt::format("{}{:.{}f}×{}", sign, size / scale, decimals, power_of_ten(exponent));
  }
  return fmt::format("{}{:.{}f}", sign, size, std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9))));
}

}  // namespace

std::vector<Tick> linear_ticks(double low, double high, int wanted) {
  const double raw = (high - low) / std::max(wanted, 1);
  if (!(raw > 0) || !std::isfinite(raw)) return {};
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  const double ratio = raw / decade;
  const double step = decade * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
  const double slack = 1e-9 * step;
  std::vector<Tick> ticks;
  const double first = std::ceil((low - slack) / step);
  const int count = static_cast<int>(std::floor((high + slack) / step) - first) + 1;
  for (int i = 0; i < count; ++i) {
    const double multiple = first + i;
    ticks.push_back({multiple * step, label(multiple * step, step, std::max(std::abs(low), std::abs(high)))});
  }
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high, int max_labels) {
  if (!(low > 0) || !(high >= low) || !std::isfinite(high)) return {};
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  int stride = 1;
  while ((last - first) / stride + 1 > std::max(max_labels, 1)) ++stride;
  std::vector<Tick> ticks;
  for (int e = first; e <= last; ++e) ticks.push_back({std::pow(10.0, e), e % stride == 0 ? power_of_ten(e) : ""});
  return ticks;
}

}  // namespace brio
