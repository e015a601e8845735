/// Rules for averages over [0, 1].
#pragma once

#include <vector>

#include "brio/energy.h"
#include "brio/integrators.h"

namespace brio {

struct Quadrature {
  std::vector<double> nodes;    ///< in [0, 1]
  std::vector<double> weights;  ///< of sum 1
};

/// Exact for polynomials of degree 2 points - 1.
Quadrature gauss(int points);

/// The rule that the options of avf name; of "auto" and "adaptive" none yet. Throws InputError for a rule that is none.
Quadrature quadrature(const IntegratorOptions& options);

/// The cheapest rule that is exact for the forces of the model that are not taken as means along the path; three Gauss
/// points where they are no polynomials.
Quadrature exact_quadrature(const Model& model, Averaging averages);

}  // namespace brio
