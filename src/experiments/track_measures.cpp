#include "experiments/track_measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace brio {

double total(const LedgerRow& row) { return row.total; }

double largest(const Track& track, const OfRow& value) {
  double most = -std::numeric_limits<double>::infinity();
  for (const LedgerRow& row : track.rows) most = std::max(most, value(row));
  return most;
}

double energy_error(const Track& track) {
  if (!track.finished()) return std::numeric_limits<double>::infinity();
  const double start = track.rows.front().total;
  return largest(track, [&](const LedgerRow& row) { return std::abs(row.total - start); }) / std::abs(start);
}

double mean(const std::vector<double>& values, double from, double to) {
  const auto at = [&](double part) { return static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size())); };
  return std::accumulate(values.begin() + at(from), values.begin() + at(to), 0.0) /
         static_cast<double>(at(to) - at(from));
}

std::vector<double> distances(const Track& a, const Track& b) {
  std::vector<double> list;
  for (std::size_t i = 0; i < std::min(a.positions.size(), b.positions.size()); ++i) {
    double sum = 0;
    const std::size_t n = a.positions[i].size();
    for (std::size_t k = 0; k < n; ++k) sum += (a.positions[i][k] - b.positions[i][k]).squaredNorm();
    list.push_back(std::sqrt(sum / static_cast<double>(n)));
  }
  return list;
}

std::vector<Return> returns(const Track& track) {
  std::vector<Return> list;
  const auto height = [&](std::size_t i) { return track.rows[i].gravity; };
  double lowest = height(0);
  for (std::size_t i = 1; i + 1 < track.rows.size(); ++i) {
    lowest = std::min(lowest, height(i));
    if (height(i) > height(i - 1) && height(i) >= height(i + 1))
      list.push_back({i, (height(i) - lowest) / (height(0) - lowest)});
  }
  return list;
}

}  // namespace brio
