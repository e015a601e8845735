/// What keeps two simplices apart: an energy of their distance d that begins at d = d̂ and grows without bound towards
/// d = 0. Simplices with a solid core around them, as the center of a sphere, are d = |r| − core apart.
///
///   E = m B(d),   B = ½k d̂ (d + d̂²/d − 2d̂)   for d < d̂,   which is ½k (d̂ − d)² · d̂/d
///
/// So k [N/m] is the stiffness where contact begins, in the usual ½k convention; B'' = k (d̂/d)³. E is once continuously
/// differentiable, and no finite force closes the distance. Neighboring triangles that are equally near both count:
/// what depends on d alone cannot jump where a vertex slides from one to the next.
/// m fades out pairs of segments that become parallel, whose nearest points leap from end to end:
///   m = (c/ε)(2 − c/ε) where c = |u×v|² < ε = 1e-3 (|u||v|)² at rest, else 1   [Li et al. 2020, section 5.5]
/// Vertices of parallel segments are kept apart by their pairs with triangles and segments.
#pragma once

#include "contact/distance.h"

namespace brio {

struct Barrier {
  double k = 0;        ///< [N/m]
  double dhat = 0;     ///< d̂ [m], the activation distance
  double epsilon = 0;  ///< of m [m⁴]; 0: m = 1
  double core = 0;     ///< radii that nothing enters, of both [m]
};

/// B and its derivatives by d.
struct BarrierValue {
  double B, slope, curvature;  ///< [J], [N], [N/m]
};
inline BarrierValue barrier_at(const Barrier& barrier, double d) {
  const double q = barrier.dhat / d;
  const double deep = barrier.dhat - d;
  return {.B = 0.5 * barrier.k * deep * deep * q,
          .slope = -0.5 * barrier.k * deep * q * (1 + q),
          .curvature = barrier.k * q * q * q};
}

using PairGradient = Eigen::Matrix<double, 12, 1>;
using PairHessian = Eigen::Matrix<double, 12, 12>;

/// The factor m by which a pair of segments fades out when they become parallel; 1 for other pairs.
double fading(PairKind kind, const Barrier& barrier, const Vec3* x);
/// Energy of a pair that is nearer than its activation distance [J]; +inf for d <= 0.
double pair_energy(PairKind kind, const Barrier& barrier, const Vec3* x, const Nearest& nearest);
/// Sets g to ∇E.
double pair_gradient(PairKind kind, const Barrier& barrier, const Vec3* x, const Nearest& nearest, PairGradient& g);
/// Sets g to ∇E and H to ∇²E or, for `positive`, to a part of it without negative curvature.
double pair_hessian(PairKind kind, const Barrier& barrier, const Vec3* x, const Nearest& nearest, bool positive,
                    PairGradient& g, PairHessian& H);

}  // namespace brio
