/// The rotation R (det = +1, also for inverted F) nearest to F: the maximizer of tr(RᵀF).
#pragma once

#include "math/small.h"

namespace brio {

/// For lanes and for single numbers, compiled once. Where strains are moderate, by a series that needs no division, in
/// bits that do not depend on what the other lanes hold; else by Horn's closed form. Pure: no warm start.
template <class T>
Matrix3<T> polar_rotation(const Matrix3<T>& F);

/// B = F Rᵀ. At the solution B is symmetric and G = tr(B) I - B, the Hessian of -tr(RᵀF), is positive definite.
template <class T>
struct Stationarity {
  Vector3<T> axial;  ///< of B - Bᵀ
  Symmetric3<T> G;   ///< tr(B) I - sym(B)
  Symmetric3<T> adjugate;
  T det;
  T trace;  ///< of G
};

template <class T>
BRIO_INLINE Stationarity<T> stationarity(const Matrix3<T>& F, const Matrix3<T>& R) {
  const Matrix3<T> B = times_transposed(F, R);
  const T half(-0.5);
  Stationarity<T> s;
  s.axial = {{B(2, 1) - B(1, 2), B(0, 2) - B(2, 0), B(1, 0) - B(0, 1)}};
  s.G = {B(1, 1) + B(2, 2),          B(0, 0) + B(2, 2),          B(0, 0) + B(1, 1),
         half * (B(0, 1) + B(1, 0)), half * (B(0, 2) + B(2, 0)), half * (B(1, 2) + B(2, 1))};
  const auto& g = s.G;
  s.adjugate = {fma(g.yy, g.zz, -(g.yz * g.yz)), fma(g.xx, g.zz, -(g.xz * g.xz)), fma(g.xx, g.yy, -(g.xy * g.xy)),
                fma(g.xz, g.yz, -(g.xy * g.zz)), fma(g.xy, g.yz, -(g.xz * g.yy)), fma(g.xy, g.xz, -(g.xx * g.yz))};
  s.det = dot3(g.xx, g.xy, g.xz, s.adjugate.xx, s.adjugate.xy, s.adjugate.xz);
  s.trace = g.xx + g.yy + g.zz;
  return s;
}

}  // namespace brio
