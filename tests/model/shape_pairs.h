/// Where steps may begin and end, for tests of forces over a step.
#pragma once

#include "random_shapes.h"

namespace brio::testing {

/// Pairs of shapes between which barriers let every element pass, or all pairs where there is none.
struct Pair {
  std::string name;
  NodalField from, to;
};
inline std::vector<Pair> pairs(const NodalField& rest, bool barrier) {
  std::vector<Pair> list;
  if (!barrier)
    for (const Shape& from : shapes(rest))
      for (const Shape& to : shapes(rest))
        if (from.name != to.name) list.push_back({from.name + " to " + to.name, from.x, to.x});
  const auto turned = [&](double angle, double stretch, double noise) {
    return moved(rest, stretch * rotation(angle, {1, -2, 0.5}), Vec3(0.3, -0.1, 0.2), noise);
  };
  list.push_back({"turned a little", turned(0, 1.05, 0.03), turned(0.1, 1, 0.02)});
  list.push_back({"turned by 30 degrees", turned(0, 1.2, 0.05), turned(0.52, 0.8, 0.02)});
  list.push_back({"turned by 80 degrees", turned(0, 1.1, 0.05), turned(1.4, 0.9, 0.02)});
  list.push_back({"pressed flat", turned(0, 1, 0.05),
                  moved(rest, Vec3(1.1, 1.05, 0.03).asDiagonal().toDenseMatrix(), Vec3::Zero())});
  list.push_back({"hardly moved", turned(0.3, 1.001, 0), turned(0.3001, 1.0011, 1e-6)});
  return list;
}

}  // namespace brio::testing
