/// Bullet's implicit deformable bodies, in builds that found Bullet.
#pragma once

#include <memory>
#include <vector>

#include "brio/model.h"

namespace brio::bench {

/// A bar of Bullet's neo-Hookean tetrahedra under gravity. (The differential of its corotated force is empty.)
class BulletBar {
 public:
  virtual ~BulletBar() = default;
  virtual void step(double h) = 0;
  virtual Vec3 position(int vertex) const = 0;
};

/// Vertices in `held` do not move. Null in builds without Bullet.
std::unique_ptr<BulletBar> make_bullet_bar(const Mesh& mesh, Lame moduli, double density, const std::vector<int>& held);

}  // namespace brio::bench
