#pragma once

#include "model/materials/invariants.h"

namespace brio {

/// Penalty on the volume of one tetrahedron: K/2 ((V-V0)/V0)² = K/2 (J-1)² [J], not weighted by volume. [S2, eq. 10-13]
struct VolumeSpring {
  static constexpr const char* name = "volume-spring";
  static constexpr unsigned depends = on_J | on_JJ;
  static constexpr bool barrier = false;
  static constexpr int force_degree = 5;
  double stiffness;  ///< K_V [J]

  double modulus() const { return stiffness; }  ///< curvature in J at rest [J]

  template <class T>
  T psi(const Invariants<T>& I) const {
    return T(0.5 * stiffness) * (I.J - T(1.0)) * (I.J - T(1.0));
  }
  template <class T>
  Gradient<T> gradient(const Invariants<T>& I) const {
    return {.J = T(stiffness) * (I.J - T(1.0))};
  }
  template <class T>
  Curvature<T> curvature(const Invariants<T>&) const {
    return {.JJ = T(stiffness)};
  }
};

/// The improved law of S2 eq. 14: V - V0 becomes V - V0²/|V|, which grows towards collapse and still pushes outward
/// once inverted; |V| counts as at least c V0, so that forces stay finite. (Read with the sign that S2 prints at
/// V0²/|V|, a tetrahedron would rest as well when it is fully inverted, V = -V0.) It is the gradient of a potential,
/// continuous with its slope:
///   psi/K = (J² - 1)/2 - ln J for J >= c,   (J² - 1)/2 - J/c + 1 - ln c between,   (J² - 1)/2 + ln|J| + 2 - 2 ln c for
///   J <= -c.
///
/// The wall is low and hard: it holds off no more than about K (2 - 2 ln c), whereas its curvature just before collapse
/// is K/c², 1/(2c²) times that at rest. Explicit methods feel the second: where links may collapse they need
/// h < 2 c √(m/K) / |∂J/∂x|.
struct ImprovedVolumeSpring {
  static constexpr const char* name = "improved-volume-spring";
  static constexpr unsigned depends = on_J | on_JJ;
  static constexpr bool barrier = false;
  static constexpr int force_degree = 0;
  double stiffness;     ///< K_V [J]
  double collapse;      ///< c, in (0, 1]
  double log_collapse;  ///< ln c

  explicit ImprovedVolumeSpring(double K, double c = 1e-3) : stiffness(K), collapse(c), log_collapse(std::log(c)) {}

  double modulus() const { return 2 * stiffness; }  ///< curvature in J at rest [J]

  template <class T>
  T psi(const Invariants<T>& I) const {
    const T J = I.J;
    const T log_size = log_of_positive(max(abs(J), T(collapse)));
    const T outside = select(J > T(0.0), -log_size, log_size + T(2 - 2 * log_collapse));
    const T linear = T(1 - log_collapse) - J * T(1 / collapse);
    const T rest = select(abs(J) < T(collapse), linear, outside);
    return T(stiffness) * (T(0.5) * (J * J - T(1.0)) + rest);
  }
  template <class T>
  Gradient<T> gradient(const Invariants<T>& I) const {
    return {.J = T(stiffness) * (I.J - T(1.0) / max(abs(I.J), T(collapse)))};
  }
  template <class T>
  Curvature<T> curvature(const Invariants<T>& I) const {
    const T inverse = T(1.0) / max(abs(I.J), T(collapse));
    const T squared = inverse * inverse;
    const T change = select(abs(I.J) < T(collapse), T(0.0), select(I.J > T(0.0), squared, -squared));
    return {.JJ = T(stiffness) * (T(1.0) + change)};
  }
};

}  // namespace brio
