#include "integrators/explicit.h"

namespace brio {
namespace {

/// Explicit (forward) Euler. Order 1. One force evaluation per step. [Euler 1768; S1 App. A]
///   x' = x + h v;   v' = v + h a(x, v)
/// Where the potential E is convex the energy never falls:
///   H' - H = E(x') - E(x) - (x' - x)·∇E(x) + h²/2 |M⁻¹∇E(x)|²_M >= 0
/// so that undamped motion grows at any h.
void advance_explicit_euler(ExplicitStep& s) {
  s.force_at_start(1);
  s.update(1, [h = s.h](VertexStep& p) {
    p.x_next = p.x + h * p.v;
    p.v_next = p.v + h * p.a;
  });
}

}  // namespace

Method explicit_euler() {
  return {.name = "explicit-euler",
          .aliases = {"forward-euler"},
          .family = "explicit",
          .order = 1,
          .energy = EnergyBehavior::grows,
          .force_evaluations = 1,
          .reference = "Euler 1768; Dinev, Liu, Li, Thomaszewski & Kavan 2018, appendix A",
          .sentence = "the textbook's first method, for comparison; undamped motion explodes at any h",
          .cost = "one force evaluation per step",
          .make = make_explicit<advance_explicit_euler>};
}

}  // namespace brio
