#include "brio/objective.h"

#include <cmath>
#include <limits>

namespace brio {

double Objective::norm(const NodalField& g) {
  double sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i) sum += g[i].squaredNorm();
  return std::sqrt(sum);
}

double Objective::value_noise(double phi) const { return 16 * std::numeric_limits<double>::epsilon() * std::abs(phi); }

}  // namespace brio
