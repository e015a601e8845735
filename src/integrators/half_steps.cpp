/// Methods that better explicit Euler by what is known in the middle of the step. None is symplectic.
#include "integrators/explicit.h"

namespace brio {
namespace {

/// Constant acceleration over the step: exact for free fall. Order 1, although positions alone err by h³ in one step.
/// [S2 Table 2]
///   v' = v + h a(x, v);   x' = x + h (v + v')/2
void advance_midpoint(ExplicitStep& s) {
  s.force_at_start(1);
  s.update(1, [h = s.h](VertexStep& p) {
    p.v_next = p.v + h * p.a;
    p.x_next = p.x + h / 2 * (p.v + p.v_next);
  });
}

/// Runge's method: explicit Euler to the middle of the step, whose slope carries over all of it. Order 2.
/// [Runge 1895; S2 Table 2; S4]
///   x½ = x + h/2 v;   v½ = v + h/2 a(x, v);   x' = x + h v½;   v' = v + h a(x½, v½)
void advance_half_step(ExplicitStep& s) {
  s.force_at_start(0);
  s.update(0.5, [h = s.h](VertexStep& p) {
    p.x_next = p.x + h / 2 * p.v;
    p.v_next = p.v + h / 2 * p.a;
  });
  s.force_at_next(1);
  s.update(1, [h = s.h](VertexStep& p) {
    p.x_next = p.x + h * p.v_next;
    p.v_next = p.v + h * p.a;
  });
}

/// The same with symplectic Euler to the middle. Order 2. [S2 Table 2]
///   v½ = v + h/2 a(x, v);   x½ = x + h/2 v½;   x' = x + h v½;   v' = v + h a(x½, v½)
/// For linear forces it preserves area, so it is stable up to h = 2/ω; for others area changes by a factor of
/// 1 + h²/2 (a'(x) - a'(x½)) per step in one dimension.
void advance_modified_half_step(ExplicitStep& s) {
  s.force_at_start(0);
  s.update(0.5, [h = s.h](VertexStep& p) {
    p.v_next = p.v + h / 2 * p.a;
    p.x_next = p.x + h / 2 * p.v_next;
  });
  s.force_at_next(1);
  s.update(1, [h = s.h](VertexStep& p) {
    p.x_next = p.x + h * p.v_next;
    p.v_next = p.v + h * p.a;
  });
}

}  // namespace

Method midpoint() {
  return {.name = "midpoint",
          .family = "explicit",
          .order = 1,
          .energy = EnergyBehavior::grows,
          .force_evaluations = 1,
          .reference = "Taylor's series, cut after the acceleration",
          .sentence = "exact where accelerations are constant, as in free fall; on springs it gains energy at any h",
          .cost = "one force evaluation per step",
          .make = make_explicit<advance_midpoint>};
}

Method half_step() {
  return {.name = "half-step",
          .aliases = {"rk2"},
          .family = "explicit",
          .order = 2,
          .energy = EnergyBehavior::grows,
          .force_evaluations = 2,
          .reference = "Runge 1895; Hairer, Norsett & Wanner 1993, section II.1",
          .sentence = "accurate over short spans of smooth or damped motion; undamped it slowly gains energy at any h",
          .cost = "two force evaluations per step",
          .make = make_explicit<advance_half_step, ExplicitMethod::Fields{.kicks = false}>};
}

Method modified_half_step() {
  return {.name = "modified-half-step",
          .family = "explicit",
          .order = 2,
          .energy = EnergyBehavior::drifts,
          .force_evaluations = 2,
          .reference = "Runge 1895, with a symplectic Euler predictor",
          .sentence =
              "like half-step, but stable up to h = 2/omega_max where forces are linear; verlet does better with "
              "half the work",
          .cost = "two force evaluations per step",
          .make = make_explicit<advance_modified_half_step, ExplicitMethod::Fields{.kicks = false}>};
}

}  // namespace brio
