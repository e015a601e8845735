#include <array>

#include "integrators/explicit.h"

namespace brio {
namespace {

/// The classical Runge–Kutta method. Order 4. Four force evaluations per step. [Kutta 1901]
///   k1 = F(z);  k2 = F(z + h/2 k1);  k3 = F(z + h/2 k2);  k4 = F(z + h k3);   z' = z + h/6 (k1 + 2 k2 + 2 k3 + k4)
/// for z = (x, v) and F(z) = (v, a(x, v)). Linear oscillations lose (hω)⁶/144 of their amplitude per step, up to
/// h = 2√2/ω, beyond which they explode.
void advance_rk4(ExplicitStep& s) {
  NodalField& dx = s.scratch[0];  // h/6 Σ so far
  NodalField& dv = s.scratch[1];
  s.force_at_start(1.0 / 6);
  s.update(0.5, [&, h = s.h](VertexStep& p) {
    dx[p.i] = h / 6 * p.v;
    dv[p.i] = h / 6 * p.a;
    p.x_next = p.x + h / 2 * p.v;
    p.v_next = p.v + h / 2 * p.a;
  });
  for (const double fraction : {0.5, 1.0}) {
    s.force_at_next(1.0 / 3);
    s.update(fraction, [&, h = s.h, dt = fraction * s.h](VertexStep& p) {
      dx[p.i] += h / 3 * p.v_next;
      dv[p.i] += h / 3 * p.a;
      p.x_next = p.x + dt * p.v_next;
      p.v_next = p.v + dt * p.a;
    });
  }
  s.force_at_next(1.0 / 6);
  s.update(1, [&, h = s.h](VertexStep& p) {
    p.x_next = p.x + dx[p.i] + h / 6 * p.v_next;
    p.v_next = p.v + dv[p.i] + h / 6 * p.a;
  });
}

}  // namespace

Method rk4() {
  return {.name = "rk4",
          .aliases = {"runge-kutta"},
          .family = "explicit",
          .order = 4,
          .energy = EnergyBehavior::drifts,
          .force_evaluations = 4,
          .reference = "Kutta 1901; Hairer, Norsett & Wanner 1993, section II.1",
          .sentence =
              "accurate paths over short spans, with velocity-dependent forces too; over long spans pefrl keeps "
              "energy where this drifts",
          .cost = "four force evaluations per step",
          .make = make_explicit<advance_rk4, ExplicitMethod::Fields{.scratch = 2, .by_stages = true, .kicks = false}>};
}

}  // namespace brio
