#include "model/energies/path_means.h"

namespace brio {
namespace {

constexpr int coarse_points = 3;
constexpr int fine_points = 7;

/// Gauss's rules on [0, 1].
constexpr double path_nodes[2][fine_points] = {{0.1127016653792583, 0.5, 0.8872983346207417},
                                               {0.02544604382862075, 0.12923440720030275, 0.2970774243113014, 0.5,
                                                0.7029225756886986, 0.8707655927996973, 0.9745539561713792}};
constexpr double path_weights[2][fine_points] = {
    {5.0 / 18, 8.0 / 18, 5.0 / 18},
    {0.06474248308443485, 0.1398526957446383, 0.19091502525255946, 0.2089795918367347, 0.19091502525255946,
     0.1398526957446383, 0.06474248308443485}};

}  // namespace

std::size_t RefinedPath::list_points() {
  std::size_t count = 0;
  for (const PathPanel& panel : panels) count += panel.fine ? fine_points : coarse_points;
  s.resize((count + Doubles::width - 1) / Doubles::width);
  b.resize(s.size());
  std::size_t place = 0;
  const auto put = [&](double node, double weight) {
    s[place / Doubles::width].raw[place % Doubles::width] = node;
    b[place / Doubles::width].raw[place % Doubles::width] = weight;
    ++place;
  };
  for (const PathPanel& panel : panels) {
    const double length = panel.to - panel.from;
    for (int q = 0; q < (panel.fine ? fine_points : coarse_points); ++q)
      put(panel.from + length * path_nodes[panel.fine ? 1 : 0][q], length * path_weights[panel.fine ? 1 : 0][q]);
  }
  while (place < s.size() * Doubles::width) put(0.5, 0);
  return count;
}

bool RefinedPath::refine(double limit) {
  constexpr double shortest = 1e-4;  // a kink within so short a panel leaves a defect for the correction
  constexpr std::size_t max_panels = 64;
  bool refined = false;
  split.clear();
  for (const PathPanel& panel : panels) {
    const bool cut =
        std::abs(panel.defect()) > limit / 4 && panel.to - panel.from > shortest && split.size() + 2 < max_panels;
    if (cut && panel.fine) {
      const double middle = 0.5 * (panel.from + panel.to);
      split.push_back({.from = panel.from, .to = middle, .fine = true, .work = 0, .gain = 0});
      split.push_back({.from = middle, .to = panel.to, .fine = true, .work = 0, .gain = 0});
    } else {
      split.push_back(panel);
      split.back().fine = panel.fine || cut;
    }
    refined = refined || cut;
  }
  std::swap(panels, split);
  return refined;
}

}  // namespace brio
