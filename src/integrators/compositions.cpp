/// Methods that alternate drifts (x += d h v) and kicks (v += k h a(x)). Each is an exact flow of one half of H, so any
/// sequence is symplectic and keeps both momenta, and a palindrome is reversible too. [Yoshida 1990; Hairer, Lubich &
/// Wanner 2006, section II.5]
#include <array>

#include "integrators/explicit.h"

namespace brio {
namespace {

/// A kick and the drift after it, in parts of h.
struct KickDrift {
  double kick;
  double drift;
};

/// Velocity-dependent forces see the velocity after the last kick.
void compose(ExplicitStep& s, double first_drift, std::span<const KickDrift> stages) {
  double fraction = first_drift;
  s.update(fraction, [drift = first_drift * s.h](VertexStep& p) {
    p.x_next = p.x + drift * p.v;
    p.v_next = p.v;
  });
  for (const KickDrift& stage : stages) {
    s.force_at_next(stage.kick);
    fraction = &stage == &stages.back() ? 1 : fraction + stage.drift;
    s.update(fraction, [kick = stage.kick * s.h, drift = stage.drift * s.h](VertexStep& p) {
      p.v_next += kick * p.a;
      p.x_next += drift * p.v_next;
    });
  }
}

/// Drift-kick-drift. Order 2.
///   x½ = x + h/2 v;   v' = v + h a(x½);   x' = x½ + h/2 v'
/// Departs from S2's Table 2, whose update halves the acceleration and does not converge; this is the scheme with the
/// properties that its Table 1 gives.
void advance_symplectic_midpoint(ExplicitStep& s) {
  static constexpr std::array<KickDrift, 1> stages{{{1, 0.5}}};
  compose(s, 0.5, stages);
}

/// Three symplectic midpoints of θh, (1 − 2θ)h, θh with θ = 1/(2 − ∛2), which cancels the third-order error. Order 4.
/// [Forest & Ruth 1990] (S2 gives order 3.)
void advance_forest_ruth(ExplicitStep& s) {
  constexpr double theta = 1.3512071919596578;
  static constexpr std::array<KickDrift, 3> stages{
      {{theta, (1 - theta) / 2}, {1 - 2 * theta, (1 - theta) / 2}, {theta, theta / 2}}};
  compose(s, theta / 2, stages);
}

/// Position extended Forest–Ruth-like: one stage more, its freedom spent on the size of the error. Order 4.
/// [Omelyan, Mryglod & Folk 2002, eq. 20-22]
void advance_pefrl(ExplicitStep& s) {
  constexpr double xi = 0.1786178958448091;
  constexpr double lambda = -0.2123418310626054;
  constexpr double chi = -0.06626458266981849;
  static constexpr std::array<KickDrift, 4> stages{
      {{(1 - 2 * lambda) / 2, chi}, {lambda, 1 - 2 * (chi + xi)}, {lambda, chi}, {(1 - 2 * lambda) / 2, xi}}};
  compose(s, xi, stages);
}

Method composition(Method method) {
  method.symplectic = method.reversible = method.angular_momentum = true;
  method.energy = EnergyBehavior::oscillates;
  return method;
}

}  // namespace

Method symplectic_midpoint() {
  return composition({.name = "symplectic-midpoint",
                      .aliases = {"drift-kick-drift"},
                      .family = "explicit",
                      .order = 2,
                      .force_evaluations = 1,
                      .reference = "Strang 1968; Hairer, Lubich & Wanner 2006, section I.1.4",
                      .sentence =
                          "second order for the price of one force; nothing to remember between steps; explodes "
                          "beyond h = 2/omega_max",
                      .cost = "one force evaluation per step",
                      .make = make_explicit<advance_symplectic_midpoint>});
}

Method forest_ruth() {
  return composition({.name = "forest-ruth",
                      .family = "explicit",
                      .order = 4,
                      .force_evaluations = 3,
                      .reference = "Forest & Ruth 1990; Yoshida 1990",
                      .sentence = "fourth order and symplectic with the fewest forces; explodes beyond h = "
                                  "1.57/omega_max, and pefrl is more accurate for the same work",
                      .cost = "three force evaluations per step",
                      .make = make_explicit<advance_forest_ruth, ExplicitMethod::Fields{.by_stages = true}>});
}

Method pefrl() {
  return composition({.name = "pefrl",
                      .family = "explicit",
                      .order = 4,
                      .force_evaluations = 4,
                      .reference = "Omelyan, Mryglod & Folk 2002, Computer Physics Communications 146",
                      .sentence = "the most accurate explicit method here over long spans of undamped motion",
                      .cost = "four force evaluations per step",
                      .make = make_explicit<advance_pefrl, ExplicitMethod::Fields{.by_stages = true}>});
}

}  // namespace brio
