/// Rules for averages over [0, 1].
#pragma once

#include <vector>

#include "brio/integrators.h"

namespace brio {

struct Quadrature {
  std::vector<double> nodes;    ///< in [0, 1]
  std::vector<double> weights;  ///< of sum 1
};

/// Exact for polynomials of degree 2 points - 1.
Quadrature gauss(int points);

/// The rule that the options of avf name; of "auto" none yet. Throws InputError for a rule that is not one.
Quadrature quadrature(const IntegratorOptions& options);

/// The cheapest rule that is exact for the forces of the model; three Gauss points where forces are no polynomials.
Quadrature exact_quadrature(const Model& model);

}  // namespace brio
