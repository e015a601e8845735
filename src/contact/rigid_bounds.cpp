#include "contact/rigid_bounds.h"

#include <algorithm>
#include <cmath>

namespace brio {

double RigidTouch::speed(std::span<const RigidMotion> motions) const {
  double sum = carried;
  if (piece[0] >= 0) sum += normal.dot(motions[piece[0]].at(point[0]));
  if (piece[1] >= 0) sum -= normal.dot(motions[piece[1]].at(point[1]));
  return sum;
}

bool bound_motions(std::span<RigidTouch> touches, std::span<RigidMotion> motions) {
  constexpr int max_sweeps = 200;
  constexpr double accuracy = 1e-10;  // of the fastest
  double fastest = 0;
  bool bounded = false;
  for (const RigidTouch& touch : touches) {
    const double speed = touch.speed(motions);
    fastest = std::max(fastest, std::abs(speed));
    bounded = bounded || speed > touch.bound;
  }
  if (!bounded) return false;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double change = 0;
    for (RigidTouch& touch : touches) {
      double inverse = 0;
      for (int side = 0; side < 2; ++side)
        if (const int k = touch.piece[side]; k >= 0)
          inverse += motions[k].inverse_mass(touch.point[side], touch.normal);
      const double wanted = touch.impulse + (touch.speed(motions) - touch.bound) / inverse;
      const double more = std::clamp(wanted, 0.0, touch.max_impulse) - touch.impulse;
      if (more == 0) continue;
      touch.impulse += more;
      change = std::max(change, std::abs(more) * inverse);
      for (int side = 0; side < 2; ++side)
        if (const int k = touch.piece[side]; k >= 0)
          motions[k].push(touch.point[side], (side == 0 ? -more : more) * touch.normal);
    }
    if (change <= accuracy * fastest) break;
  }
  return true;
}

}  // namespace brio
