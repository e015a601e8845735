/// Wires at work: knots, a hose and a suture, for tests and reproductions. [S2 sections 6 and 7]
///
/// They run with symplectic Euler: links of wires are short and stiff, so that contacts between them want steps of a
/// fraction of a millisecond anyway, and such a step of some hundred vertices costs less than a tenth of one.
#pragma once

#include "brio/sim.h"

namespace brio {

struct WireScenario {
  std::string name;
  std::string sentence;
  Simulation simulation;
  BodyId wire{};        ///< the body
  double duration = 1;  ///< [s]

  std::vector<Vec3> curve() const;  ///< the points of the wire now [m]
  /// Advances by so many seconds; the report of the first step that failed, or of the last.
  StepReport run(double seconds);
};

/// Both ends of a loose overhand knot are pulled until it is a stopper, within two seconds, and held.
WireScenario tightened_knot(bool quick);

/// A springy cable, straight at rest, is let go in a loose overhand knot and undoes it.
WireScenario unknotting_cable(bool quick);

/// One end of a hose is turned four times within a second, then the ends approach: it coils up (a plectoneme).
WireScenario twisted_hose(bool quick);

/// A thread is led down through one half of a severed layer and up through the other, then tightened. The halves are
/// the bodies after the thread.
struct Suture {
  WireScenario scenario;
  double tight_from;                        ///< when the thread is through and pulling begins [s]
  std::vector<std::array<int, 4>> holes{};  ///< of each half the corners of its hole, in the body's numbers

  Vec3 rim(int half, int corner) const;  ///< where that corner of the hole is now [m]; counted on beyond the last
  Vec3 hole(int half) const;             ///< its middle now [m]
  /// How often the thread passes through that hole.
  int passes(int half) const;
};
Suture suture(bool quick);

}  // namespace brio
