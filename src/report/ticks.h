/// Where an axis has its marks, and what stands beside them.
#pragma once

#include <string>
#include <vector>

namespace brio {

struct Tick {
  double value;
  std::string label;  ///< "0.25", "2×10⁻⁵"; empty for a mark between the labeled ones
};

/// At multiples of 1, 2 or 5 times a power of ten within [low, high], about `wanted` of them.
std::vector<Tick> linear_ticks(double low, double high, int wanted);

/// At powers of ten within [low, high], low > 0, at most `max_labels` of them labeled.
std::vector<Tick> log_ticks(double low, double high, int max_labels);

}  // namespace brio
