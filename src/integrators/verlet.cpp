/// Three ways to write Störmer's method, with the same positions up to rounding. Order 2, one force evaluation per
/// step, symplectic, reversible, both momenta kept; stable up to h = 2/ω. They differ in what they remember. With
/// velocity-dependent forces, which see the latest velocity known, they drop to order 1. [Störmer 1907; Verlet 1967;
/// Hairer, Lubich & Wanner 2003]
#include "integrators/explicit.h"

namespace brio {
namespace {

/// Velocity Verlet.   x' = x + h v + h²/2 a;   v' = v + h (a + a')/2
/// Remembers a: the force at the end of a step serves the next. [Swope et al. 1982; S4]
void advance_verlet(ExplicitStep& s) {
  NodalField& a_next = s.memory[0];
  const NodalField* a = s.remembered == nullptr ? nullptr : &(*s.remembered)[0];
  a == nullptr ? s.force_at_start(0.5) : s.remember_start(*a, 0.5);
  s.update(1, [a, h = s.h](VertexStep& p) {
    p.v_next = p.v + h / 2 * (a == nullptr ? p.a : Vec3((*a)[p.i]));
    p.x_next = p.x + h * p.v_next;
  });
  s.force_at_next(0.5);
  s.update(1, [&a_next, h = s.h](VertexStep& p) {
    p.v_next += h / 2 * p.a;
    a_next[p.i] = p.a;
  });
}

/// Leapfrog.   x' = x + h v½;   v½' = v½ + h a';   v' = v½ + h/2 a' is reported
/// Remembers v½, the velocity in the middle of the step to come, and a for the books; a half kick starts it. [S4]
void advance_leapfrog(ExplicitStep& s) {
  NodalField& v_half_next = s.memory[0];
  NodalField& a_next = s.memory[1];
  const NodalField* v_half = s.remembered == nullptr ? nullptr : &(*s.remembered)[0];
  v_half == nullptr ? s.force_at_start(0.5) : s.remember_start((*s.remembered)[1], 0.5);
  s.update(1, [v_half, h = s.h](VertexStep& p) {
    p.v_next = v_half == nullptr ? p.v + h / 2 * p.a : Vec3((*v_half)[p.i]);
    p.x_next = p.x + h * p.v_next;
  });
  s.force_at_next(0.5);
  s.update(1, [&v_half_next, &a_next, h = s.h](VertexStep& p) {
    a_next[p.i] = p.a;
    v_half_next[p.i] = p.v_next + h * p.a;
    p.v_next += h / 2 * p.a;
  });
}

/// Störmer–Verlet in positions alone.   x'' = 2 x' - x + h² a(x')
/// Remembers x and a(x'); Taylor's series starts it. The velocity reported is the central difference (x'' - x)/(2h)
/// = (x' - x)/h + h/2 a(x'). Differences of positions cost it log10(|x| / h|v|) digits of the velocity. [Verlet 1967]
void advance_stormer_verlet(ExplicitStep& s) {
  NodalField& x_before = s.memory[0];
  NodalField& a_next = s.memory[1];
  const NodalField* x_last = s.remembered == nullptr ? nullptr : &(*s.remembered)[0];
  const NodalField* a = s.remembered == nullptr ? nullptr : &(*s.remembered)[1];
  a == nullptr ? s.force_at_start(0.5) : s.remember_start(*a, 0.5);
  s.update(1, [a, x_last, &x_before, h = s.h](VertexStep& p) {
    if (a == nullptr) {
      p.x_next = p.x + h * p.v + h * h / 2 * p.a;
    } else {
      p.x_next = 2 * p.x - (*x_last)[p.i] + h * h * (*a)[p.i];
    }
    p.v_next = (p.x_next - p.x) / h;
    x_before[p.i] = p.x;
  });
  s.force_at_next(0.5);
  s.update(1, [&a_next, h = s.h](VertexStep& p) {
    p.v_next += h / 2 * p.a;
    a_next[p.i] = p.a;
  });
}

Method stormer(Method method) {
  method.order = 2;
  method.symplectic = method.reversible = method.angular_momentum = true;
  method.energy = EnergyBehavior::oscillates;
  method.force_evaluations = 1;
  return method;
}

}  // namespace

Method verlet() {
  return stormer({.name = "verlet",
                  .aliases = {"velocity-verlet"},
                  .family = "explicit",
                  .reference = "Verlet 1967; Swope, Andersen, Berens & Wilson 1982",
                  .sentence =
                      "the standard explicit method: second order for the price of one force; explodes beyond h "
                      "= 2/omega_max",
                  .cost = "one force evaluation per step, one more to start",
                  .make = make_explicit<advance_verlet, ExplicitMethod::Fields{.memory = 1}>});
}

Method leapfrog() {
  return stormer({.name = "leapfrog",
                  .family = "explicit",
                  .reference = "Hockney & Eastwood 1988; Hairer, Lubich & Wanner 2003",
                  .sentence = "verlet with velocities kept between the steps; the same motion",
                  .cost = "one force evaluation per step, one more to start",
                  .make = make_explicit<advance_leapfrog, ExplicitMethod::Fields{.memory = 2}>});
}

Method stormer_verlet() {
  return stormer({.name = "stormer-verlet",
                  .family = "explicit",
                  .reference = "Stormer 1907; Verlet 1967",
                  .sentence = "verlet in positions alone, which suits position-based codes; the same motion, but "
                              "velocities lose digits as h shrinks",
                  .cost = "one force evaluation per step, one more to start",
                  .make = make_explicit<advance_stormer_verlet, ExplicitMethod::Fields{.memory = 2}>});
}

}  // namespace brio
