/// Small systems with known answers, for measuring integrators.
#pragma once

#include <functional>

#include "brio/integrators.h"

namespace brio {

struct Problem {
  std::string name;
  std::string sentence;
  Model model;
  State start;
  double duration;                            ///< [s]; no whole number of periods, where errors may cancel
  int steps;                                  ///< that resolve the motion coarsely
  std::function<State(double time)> exact{};  ///< empty: refined runs are compared with each other
};

Problem oscillator();     ///< x'' = -4 x
Problem pendulum();       ///< θ'' = -sin θ, from 1.2 rad; the x coordinate of its vertex is the angle
Problem kepler();         ///< x'' = -x/|x|³ on an ellipse of eccentricity 0.4
Problem solid();          ///< five tetrahedra of StVK, stretched and tumbling freely
Problem planar_spring();  ///< one mass on an StVK spring around the origin, in the plane: nonlinear with two freedoms

/// A soft suturing thread, held where it enters the tissue, falls from the horizontal. [S2 section 6]
Problem suturing_thread(int segments);

/// Those on which the order of every method is measured.
const std::vector<Problem>& order_problems();

}  // namespace brio
