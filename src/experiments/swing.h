/// One particle with one coordinate: where it is against how fast it moves, step by step.
#pragma once

#include "experiments/experiment.h"
#include "experiments/problems.h"

namespace brio {

/// Per step, the start first.
struct Swing {
  std::string label;
  std::vector<double> x, v, energy;  ///< energy includes kinetic [J]

  /// The largest |x| between these fractions of the steps.
  double amplitude(double from, double to) const;
  double max_energy() const;
  double min_energy() const;
  Series phase() const { return {.name = label, .x = x, .y = v}; }
  /// Of a quantity over time.
  Series over_time(const std::vector<double>& values, double h) const;
};

/// The same of a scene of the papers with one particle, from where it starts.
Swing swing(const Trial& trial, const std::string& scene, const std::string& integrator, double h, long steps,
            const IntegratorOptions& options = {});

/// The problem's first coordinate from (x, v) on. Ends early where a step fails or numbers cease to be finite.
Swing swing(const Trial& trial, const Problem& problem, double x, double v, const std::string& integrator, double h,
            long steps, const IntegratorOptions& options = {});

}  // namespace brio
