/// Checks that every kind of body shares. They throw InputError.
#pragma once

#include "brio/model.h"
#include "core/fields.h"

namespace brio {

/// `value` lies within `bound`; `key` is named if not.
void check_number(const std::string& key, double value, const Bound& bound);

/// Coordinates are finite and cells refer to vertices that exist.
void check_cells(const std::string& body, const Mesh& mesh);

void check_vertex(const Body& body, int vertex);

/// Scales the weights so that they add up to `total` [kg].
std::vector<double> spread_mass(double total, std::vector<double> weights);

}  // namespace brio
