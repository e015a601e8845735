#include "integrators/options.h"

namespace brio {

const FieldTable<IntegratorOptions>& integrator_fields() {
  using O = IntegratorOptions;
  static const auto table =
      FieldTable<O>{}
          .number("beta", &O::beta, "", Bound{.low = 0, .high = 0.5, .low_open = true},
                  "weight of the new acceleration in positions; 1/4 is the trapezoid rule")
          .number("gamma", &O::gamma, "", Bound::closed(0, 1),
                  "weight of the new acceleration in velocities; 1/2 keeps order two, more damps")
          .choice(
              "quadrature", &O::quadrature,
              "how forces are averaged along the step; energy is exact where that is. auto, adaptive: the cheapest "
              "exact rule where forces are polynomials, elsewhere as many points per element as its energy needs. A "
              "rule by name serves all forces: simpson or gauss2 suit cubic ones, gauss3 quintic ones")
          .list("nodes", &O::nodes, "", Bound::closed(0, 1), "nodes of the quadrature \"rule\"")
          .list("weights", &O::weights, "", Bound::any(), "weights of the quadrature \"rule\"; their sum is 1")
          .number("alpha", &O::alpha, "", Bound::closed(0, 1),
                  "where along the step the potential is taken; 0 and 1 are explicit, 1/2 has order two")
          .whole("order", &O::order, Bound::closed(2, 6), "2, 4 or 6: higher ones by composition, alpha = 1/2 only")
          .number("damping", &O::damping, "s", Bound::not_negative(),
                  "k_D: resistance to the rate of deformation; momenta are kept")
          .number("epsilon", &O::epsilon, "", Bound{.low = 0, .high = 1, .low_open = true},
                  "allowed error of the energy, relative to the energy in play")
          .choice("start", &O::start, "the method that is stabilized")
          .choice("form", &O::form,
                  "what the discrete gradient is taken of. elastodynamic: each element in its strain, keeps energy and "
                  "both momenta; potential: E(x), keeps energy and linear momentum; phase-space: H(x, v), keeps energy")
          .number("half_life", &O::half_life, "s", Bound::not_negative(),
                  "how lively: half of the energy in play is gone after this time, whatever h is; 0: none is lost")
          .flag("contact_energy", &O::contact_energy, "whether energy of contact counts as energy to be kept");
  return table;
}

}  // namespace brio
