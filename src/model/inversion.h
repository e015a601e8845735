/// Elements that are inside out.
#pragma once

#include "brio/model.h"

namespace brio {

struct Inversion {
  long inverted = 0;  ///< tets of solids whose volume is negative
  long tets = 0;      ///< of all solids
  BodyId body{};      ///< that of the worst
  double worst = 0;   ///< its volume over that at rest, <= 0
};
Inversion find_inverted(const Model& model, const NodalField& x);
/// Of one body.
Inversion find_inverted(const Body& body, const NodalField& x);

}  // namespace brio
