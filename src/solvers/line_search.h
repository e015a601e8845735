/// Backtracking along a descent direction until Φ decreases enough (Armijo).
///
/// Where Φ still falls nearly as steeply at the end of the step, the step is doubled: clamped curvature leaves saddle
/// points by steps that are far too short. Near the minimum the decrease drowns in the rounding of Φ; there a step
/// counts when it makes the gradient smaller.
#pragma once

#include "brio/objective.h"
#include "math/nodal_ops.h"

namespace brio {

class LineSearch {
 public:
  struct Result {
    bool found = false;
    int evaluations = 0;
    double step = 0;      ///< taken, as a fraction of d
    double value = 0;     ///< Φ there
    bool walled = false;  ///< the step was cut since Φ is infinite beyond
  };

  /// On success x and g are those of the new point; otherwise they are as they were. `phi` and `g` are Φ(x) and ∇Φ(x).
  Result operator()(Objective& objective, NodalField& x, NodalField& g, const NodalField& d, double phi);

 private:
  /// Φ and ∇Φ at x + step d, into trial_ and trial_g_.
  double probe(Objective& objective, const NodalField& x, const NodalField& d, double step, Result& result);
  void accept(NodalField& x, NodalField& g, double step, double value, Result& result);
  /// Whether Φ is finite, and nothing is passed through, all the way from x to x + step d.
  bool is_free(Objective& objective, const NodalField& x, const NodalField& d, double step);

  NodalField trial_, trial_g_;
  NodalField stretched_;  ///< where paths are limited: a direction that is gone more than once
  NodalSum sum_;
};

}  // namespace brio
