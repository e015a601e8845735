/// A step that could not be taken as a whole is taken by halves, by all methods alike.
#pragma once

#include <utility>
#include <vector>

#include "brio/integrators.h"
#include "integrators/support_forces.h"

namespace brio {

/// Makes both halves by `attempt(state, half)`, which returns a report. What supports feel is the mean of both. Where a
/// half fails its report is returned, and the state is as it was. `before` is that of attempts at the whole.
template <class Attempt>
StepReport step_by_halves(State& state, const TimeStep& step, SupportForces& supports, StepReport before,
                          Attempt attempt) {
  const State start = state;
  std::vector<double> felt[2];  // by supports, in either half
  StepReport report = std::move(before);
  for (int half = 0; half < 2; ++half) {
    StepReport part = attempt(state, step.part(0.5 * half, 0.5 * (half + 1)));
    part.follow(report);
    report = std::move(part);
    if (!report.ok()) {
      state = start;
      return report;
    }
    felt[half].resize(supports.numbers());
    if (!felt[half].empty()) supports.write(felt[half]);
  }
  if (!felt[1].empty()) {
    supports.clear();
    for (const std::vector<double>& numbers : felt) supports.add(numbers, 0.5);
  }
  state.step = start.step + 1;
  return report;
}

}  // namespace brio
