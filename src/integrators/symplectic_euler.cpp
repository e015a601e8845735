#include "integrators/explicit.h"

namespace brio {
namespace {

/// Symplectic Euler (Cromer's, semi-implicit). Order 1. One force evaluation per step. [Hairer, Lubich & Wanner 2006,
/// section I.1.2]
///   v' = v + h a(x, v);   x' = x + h v'
/// Preserves phase-space area and both momenta; energy oscillates but does not drift while h < 2/ω for the highest
/// frequency ω of the model, beyond which it explodes.
void advance_symplectic_euler(ExplicitStep& s) {
  s.force_at_start(1);
  s.update(1, [h = s.h](VertexStep& p) {
    p.v_next = p.v + h * p.a;
    p.x_next = p.x + h * p.v_next;
  });
}

}  // namespace

Method symplectic_euler() {
  return {.name = "symplectic-euler",
          .aliases = {"semi-implicit-euler", "cromer"},
          .family = "explicit",
          .order = 1,
          .symplectic = true,
          .angular_momentum = true,
          .energy = EnergyBehavior::oscillates,
          .force_evaluations = 1,
          .reference = "Cromer 1981; Hairer, Lubich & Wanner 2006, section I.1.2",
          .sentence = "the cheapest lively method for small steps; explodes beyond h = 2/omega_max",
          .cost = "one force evaluation per step",
          .make = make_explicit<advance_symplectic_euler>};
}

}  // namespace brio
