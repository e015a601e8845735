#include "math/direction.h"

namespace brio {

/// Rodrigues' formula without angles: I + [a]× + [a]×²/(1 + c), a = y × d, c = y · d. Eigen's FromTwoVectors would
/// bring a singular value decomposition along for the one case that is left.
Mat3 turn_from_y(const Vec3& to) {
  const Vec3 d = direction_of(to);
  const double across = d.x() * d.x() + d.z() * d.z();                    // 1 - c²
  if (across < 1e-300 && d.y() < 0) return Vec3(1, -1, -1).asDiagonal();  // a half turn; s would overflow
  const double s = d.y() > 0 ? 1 / (1 + d.y()) : (1 - d.y()) / across;
  Mat3 R;
  R << 1 - s * d.x() * d.x(), d.x(), -s * d.x() * d.z(),  //
      -d.x(), d.y(), -d.z(),                              //
      -s * d.x() * d.z(), d.z(), 1 - s * d.z() * d.z();
  return R;
}

}  // namespace brio
