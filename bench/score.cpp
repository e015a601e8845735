#include "bench/score.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/suite.h"
#include "experiments/measure.h"

namespace brio::bench {
namespace {

/// One thread of the machine: a suturing thread is too small to share.
double seconds_per_step(const Method& method, const Problem& thread, double h) {
  constexpr int steps = 50;
  const auto integrator = make_integrator(method, {}, thread.model);
  State state = thread.start;
  const double ms = least_ms(1, [&] {
    state = thread.start;
    for (int i = 0; i < steps; ++i) integrator->step(thread.model, state, h);
  });
  return 1e-3 * ms / steps;
}

}  // namespace

ScoreSheet score_sheet(bool quick) {
  const Problem thread = suturing_thread(quick ? 12 : 40);
  const StableRun run{.duration = quick ? 0.4 : 0.5, .longest = 0.01, .resolution = quick ? 0.05 : 0.01};
  ScoreSheet sheet{.subject = thread.sentence,
                   .duration = run.duration,
                   .frequency = highest_frequency(thread.model, thread.start.x),
                   .rows = {}};
  double reference = 0;
  for (const Method& method : integrators()) {
    if (method.family != "explicit") continue;
    Score row{.integrator = method.name,
              .largest_step = max_stable_step(method, {}, thread.model, thread.start, run),
              .evaluations = method.force_evaluations,
              .declared_order = method.order,
              .measured_order = measured_order(method, {}, thread),
              .symplectic = method.symplectic};
    row.seconds_per_step = seconds_per_step(method, thread, 0.1 * row.largest_step);
    row.score = row.largest_step / row.seconds_per_step;
    if (method.name == "explicit-euler") reference = row.score;
    sheet.rows.push_back(row);
  }
  for (Score& row : sheet.rows) row.relative = row.score / reference;
  std::ranges::sort(sheet.rows, std::ranges::greater{}, &Score::score);
  return sheet;
}

}  // namespace brio::bench
