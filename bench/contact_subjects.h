/// The scenes of `brio bench contact`, each with contact and without.
#pragma once

#include "brio/sim.h"

namespace brio::bench {

struct ContactSubject {
  Simulation simulation;
  int steps_per_frame = 1;
};

/// Pinned at two corners, swinging down: nothing touches.
ContactSubject swinging_cloth(int cells, bool contact);
/// The upper half falls on the lower one, which lies on the floor; the floor is there without contact, too.
ContactSubject folded_cloth(int cells, bool contact);
/// Twenty-seven cubes fall into a bowl of walls, which are there without contact, too.
ContactSubject rain(bool contact);
/// Pulled from under a cube.
ContactSubject tablecloth(double tolerance);
/// A cloth of 441 vertices falls over a ball.
ContactSubject cloth_and_ball();
/// Turned at one end until it coils up when its ends approach.
ContactSubject hose(bool contact);
/// scenes/bounce.toml: on a floor with the law "barrier", or "potential".
ContactSubject bounce(bool barrier);

}  // namespace brio::bench
