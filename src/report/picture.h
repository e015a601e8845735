/// Charts as picture files.
#pragma once

#include <filesystem>

#include "report/chart.h"

namespace brio {

/// As .svg, or as .png through rsvg-convert, at twice the size for print. Other extensions are refused.
void write_picture(const std::filesystem::path& file, const Chart& chart);

}  // namespace brio
