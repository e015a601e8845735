/// Charts as SVG, fit for a paper: axes with units, marks at round numbers, colors that the color-blind can tell
/// apart [Okabe & Ito 2008]. Text and axes take the color of the text around an inlined picture, else black.
#pragma once

#include <string>
#include <string_view>

#include "report/chart.h"

namespace brio {

struct SvgOptions {
  double width = 720;   ///< [px]
  double height = 440;  ///< [px]
};
std::string to_svg(const Chart& chart, const SvgOptions& options = {});

/// Text that shows as it is within HTML or XML, also as the value of an attribute.
std::string escaped(std::string_view text);

/// The i-th color of the palette; it repeats.
std::string_view palette(std::size_t i);

}  // namespace brio
