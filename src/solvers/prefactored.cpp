#include "solvers/prefactored.h"

#include <algorithm>

#include "core/timer.h"

namespace brio {

bool Prefactored::prepare(const StepObjective& objective, SolveReport& report) {
  if (pattern_ != objective.model().pattern()) {
    *this = {};
    pattern_ = objective.model().pattern();
    values_.resize(pattern_->blocks());
  }
  const StepObjective::Stamp stamp = objective.stamp();
  const auto known = [&](const Entry& entry) { return entry.used >= 0 && entry.stamp == stamp; };
  current_ = std::find_if(entries_.begin(), entries_.end(), known);
  if (current_ == entries_.end()) {
    const Stopwatch watch;
    current_ = std::min_element(entries_.begin(), entries_.end(),
                                [](const Entry& a, const Entry& b) { return a.used < b.used; });
    current_->used = -1;
    current_->stamp = stamp;
    if (!current_->factor) current_->factor = std::make_unique<ScalarFactor>(*pattern_, Precision::single);
    objective.laplacian(values_);
    ++report.factorisations;
    const bool definite = current_->factor->factor(values_);
    report.times.factor += watch.milliseconds();
    if (!definite) return false;
    description_ = current_->factor->description() + ", one factor of M/h^2 + L for all iterations";
  }
  current_->used = clock_++;
  report.linear = description_.c_str();
  return true;
}

void Prefactored::descend(const NodalField& g, NodalField& d, SolveReport& report) {
  const Stopwatch watch;
  current_->factor->solve(g, d);
  for_vertices(d.size(), [&](std::size_t i) { d[i] = -d[i]; });
  report.times.solve += watch.milliseconds();
}

}  // namespace brio
