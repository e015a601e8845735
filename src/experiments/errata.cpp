#include "experiments/errata.h"

namespace brio {

const std::vector<Erratum>& errata() {
  static const std::vector<Erratum> list{
      {"S0 Eq. 33", "the general quadrature's objective has a factor h too many", "the average is ½ Σ Q_i",
       "by dimensions, and since with Simpson's nodes it must give Eq. 12; orders and energy of every rule are "
       "measured "
       "by `integrators.*`"},
      {"S1 section 3", "L = GGᵀ", "L = GᵀG", "only that has one row per vertex"},
      {"S1 Eq. 32", "v_i - v_cm + ω×r_i", "v_i - (v_cm + ω×r_i)",
       "as printed a rigid rotation is damped; `sim.Damping*` keep both momenta to rounding"},
      {"S1 Eq. 39", "friction along the tangential part of the normal force", "Coulomb's law on the velocity",
       "a normal force has no tangential part"},
      {"S1 Fig. 3", "25,000 J at the start", "E = k(‖x‖ - 1)², without ½",
       "with k = 1e5, and length 1.5, ½ would give half of it: `brio reproduce s1-fig2-3`"},
      {"S2 Table 2", "symplectic midpoint: v += (h/2) f, x += h v", "drift, kick, drift",
       "as printed it halves every acceleration and does not converge; drift-kick-drift has what Table 1 states: "
       "`brio orders symplectic-midpoint`"},
      {"S2 Table 1", "Forest–Ruth is of order 3", "of order 4", "`brio orders forest-ruth`"},
      {"S2 Eq. 15", "the torsion force on Q alone", "with its reaction on R", "else momentum leaks: `model.Wire*`"},
      {"S2 Eq. 14", "(V - V₀²/|V|) leaves a sign open", "outwards for V < 0 too, bounded below |V| = 10⁻³ V₀",
       "an inverted tetrahedron must be pushed back: `model.*`"},
      {"S3 section 5", "Mooney–Rivlin with I₂ = tr² C - tr C², and no term of volume", "½ of it, isochoric invariants",
       "as printed the rest state is stressed: `model.Materials*`"},
      {"S3 section 5.2", "implicit damping keeps angular momentum",
       "only with the impulse taken within the step and shared between its ends",
       "as printed it loses 1e-3 to 4.5e-2 of it within 0.2 s; `integrators.Variational*` keep it to rounding"},
      {"S3 section 5.2", "implicit damping acts before the step", "equally before and after it",
       "before it, it drives on what contact throws back within the step, which comes back faster than it came; "
       "shared, "
       "it only takes: `sim.Damping.AddsNothingToWhatLandsOnSomethingStiff`"},
  };
  return list;
}

}  // namespace brio
