#include <fmt/format.h>

#include <cmath>

#include "bench/machine.h"
#include "bench/subject.h"
#include "bench/suite.h"

namespace brio::bench {
namespace {

constexpr double max_exponent = 1.15;  ///< wanted
constexpr double max_bytes = 2500;     ///< per vertex, wanted

/// Sizes of one shape, refined: cells along y, and how many times that along x.
struct Family {
  std::string name;
  int length;
  double width;  ///< along y and z [m]
  std::vector<int> cells;
};

struct Cost {
  double vertices, ms;
};

/// The slope of log ms over log vertices by least squares.
double exponent(const std::vector<Cost>& costs) {
  const auto count = static_cast<double>(costs.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Cost& cost : costs) {
    const double x = std::log(cost.vertices), y = std::log(cost.ms);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

void measure(const Family& family, const std::string& material, double poisson, const SolverOptions& options,
             const Done& done) {
  std::vector<Cost> costs;
  const int threads = thread_counts().back();
  for (const int n : family.cells) {
    set_threads(threads);
    const Memory memory;
    const auto s =
        bar({family.name, {family.length * n, n, n}, {family.length * family.width, family.width, family.width}},
            material, poisson);
    const auto solver = make_solver(options);
    const SolveReport first = solve(*solver, *s).report;
    const double peak = memory.peak();
    const double held = memory.held();
    const SolveReport report = solve(*solver, *s).report;
    const auto vertices = static_cast<double>(s->model.vertices());
    costs.push_back({vertices, min_ms(threads, [&] { solve(*solver, *s); })});
    done({.name = options.name,
          .size = s->size,
          .threads = threads,
          .elements = s->elements,
          .detail = fmt::format("{:.0f} bytes per vertex held (at most {} wanted), {:.0f} at the peak, while the "
                                "factor is made, which took {:.0f} ms; {}",
                                held / vertices, max_bytes, peak / vertices, first.times.factor, split(report)),
          .ms = costs.back().ms,
          .bytes = held});
  }
  done({.name = options.name + ", growth",
        .size = fmt::format("{} {:.0f} to {:.0f} v", family.name, costs.front().vertices, costs.back().vertices),
        .threads = threads,
        .detail = fmt::format("cost of a frame ~ n^{:.2f} (at most n^{} wanted)", exponent(costs), max_exponent)});
}

}  // namespace

void run_scaling(bool quick, const Done& done) {
  std::vector<Family> families{{"bar", 4, 0.25, {7, 11, 18, 28}}, {"cube", 1, 0.5, {12, 18, 29, 45}}};
  for (Family& family : families)
    if (quick) family.cells.pop_back();
  for (const Family& family : families) {
    measure(family, "corotated", 0, {.name = "local-global", .tolerance = 1e-14, .iterations = 10}, done);
    measure(family, "stable-neo-hookean", 0.3, {.name = "newton", .tolerance = 1e-6, .linear = LinearChoice::pcg},
            done);
  }
}

}  // namespace brio::bench
