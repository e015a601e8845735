/// Stress for a step of an element from F₀ to F₁: a discrete gradient of psi that turns nothing. [Gonzalez 2000]
///
/// Wanted is P with P : D = psi₁ − psi₀, D = F₁ − F₀, which keeps energy, and P F̄ᵀ symmetric, F̄ = (F₀ + F₁)/2, which
/// keeps angular momentum. Green's strain is quadratic in F, so sym(F̄ᵀD) = ΔE: P = F̄ S does both where S is a discrete
/// gradient of psi in E, S : ΔE = Δpsi. Departs: by way of the invariants t, s, J that materials are stated in
/// (invariants.h) instead of C,
///   P = F̄ (g_t I + 2 g_s Ē) + g_J A,   Ē = (E₀ + E₁)/2,   A : D = ΔJ,
/// with g the derivatives of psi at the mean invariants, plus what g·Δ(t, s, J) lacks of Δpsi along Δ(t, s, J): zero
/// where psi is quadratic in them, as for all materials whose forces are polynomials. For StVK it is the mean of both
/// stresses [Simo & Tarnow 1992]. Under rotation alone Ē, s and J are what they are at both ends, so that no stress
/// comes of it, whereas F̄ itself shrinks.
///
/// A: det C changes by G : ΔC, G = cof C̄ + cof(ΔC)/12, and J² = det C, hence A = 2 F̄G/(J₀ + J₁). An element that turns
/// inside out within the step has no such A, since C does not tell. There ΔJ = cof F̄ : D + det D/4 helps: cof F̄ turns
/// nothing, and what det D needs is put along F̄ΔE, which turns nothing either. Where C hardly changes while det D is
/// not small (next to a reflection) that would grow without bound: cof D/12, as in the mean of cof along the straight
/// path, takes its place. Energy stays exact; angular momentum is the exception of such an element.
#pragma once

#include <limits>

#include "model/materials/corotated.h"
#include "model/materials/invariants.h"
#include "model/materials/small_strain.h"

namespace brio {

template <class T>
BRIO_INLINE Matrix3<T> combine(T a, const Matrix3<T>& A, T b, const Matrix3<T>& B) {
  Matrix3<T> C;
  for (int k = 0; k < 9; ++k) C.m[k] = fma(a, A.m[k], b * B.m[k]);
  return C;
}

/// a where it is not zero, else 1: a divisor for lanes without an element.
template <class T>
BRIO_INLINE T divisor(T a) {
  return select(abs(a) > T(1e-150), a, T(1.0));
}

/// cof F̄, and what else a discrete gradient of J needs where J changes its sign.
template <class T>
BRIO_INLINE Matrix3<T> cofactor_through_flatness(const Matrix3<T>& mean, const Matrix3<T>& D, const Matrix3<T>& dE) {
  constexpr double much = 10;  // times cof D/12
  const T one(1.0), twelfth(1.0 / 12);
  const Matrix3<T> along = mean * dE;
  const Matrix3<T> path = cofactor(D);
  const T needed = T(0.25) * determinant(D);
  const T given = squared_norm(dE);
  const T grows = abs(needed) * sqrt(squared_norm(along));  // times 1/given: what it takes along F̄ΔE
  const T bound = T(much / 12) * sqrt(squared_norm(path)) * given;
  const T part = select(grows > bound, bound / divisor(grows), one);
  const T factor = select(given > T(1e-150), part * needed / divisor(given), T(0.0));
  const T rest = select(given > T(1e-150), one - part, one);
  return combine(one, cofactor(mean), one, combine(factor, along, twelfth * rest, path));
}

/// The discrete gradient A of J.
template <class T>
BRIO_INLINE Matrix3<T> discrete_cofactor(const Matrix3<T>& F0, const Matrix3<T>& F1, T J0, T J1) {
  const T one(1.0), half(0.5), twelfth(1.0 / 12);
  const Matrix3<T> mean = combine(half, F0, half, F1);
  const Matrix3<T> C0 = transposed_times(F0, F0);
  const Matrix3<T> C1 = transposed_times(F1, F1);
  const Matrix3<T> G =
      combine(one, cofactor(combine(half, C0, half, C1)), twelfth, cofactor(combine(one, C1, -one, C0)));
  const T sum = J0 + J1;
  const T squares = J0 * J0 + J1 * J1;
  const auto same_side = J0 * J1 >= T(0.0);
  const T along = select(same_side, one / divisor(sum), sum / divisor(squares));
  Matrix3<T> A = mean * G;
  for (T& entry : A.m) entry *= along + along;
  if (all(same_side)) return A;
  const T beyond = select(same_side, T(0.0), one - sum * sum / divisor(squares));
  return combine(one, A, beyond,
                 cofactor_through_flatness(mean, combine(one, F1, -one, F0), combine(half, C1, -half, C0)));
}

template <class T>
struct DiscreteResponse {
  T psi;         ///< at F₁
  Matrix3<T> P;  ///< over the step
};

/// What the stress of a material in invariants is made of, and its tangent to a good part: a deformation whose F, E and
/// cof are those of the step.
template <class Material, class T>
struct DiscreteDeformation {
  Deformation<T> mean;
  Gradient<T> g;
};

template <class Material, class T>
BRIO_INLINE DiscreteResponse<T> discrete_response(const Material& material, const Matrix3<T>& F0, const Matrix3<T>& F1,
                                                  DiscreteDeformation<Material, T>& d) {
  const T half(0.5), one(1.0);
  const Deformation<T> from = deformation<Material>(F0);
  const Deformation<T> to = deformation<Material>(F1);
  Gradient<T> change{T(0.0), T(0.0), T(0.0)};
  d.mean.F = combine(half, F0, half, F1);
  if constexpr (needs_t<Material> || needs_E<Material>) {
    d.mean.I.t = half * (from.I.t + to.I.t);
    change.t = to.I.t - from.I.t;
  }
  if constexpr (needs_E<Material>) {
    const Symmetric3<T>&a = from.E, &b = to.E;
    d.mean.E = {half * (a.xx + b.xx), half * (a.yy + b.yy), half * (a.zz + b.zz),
                half * (a.xy + b.xy), half * (a.xz + b.xz), half * (a.yz + b.yz)};
    d.mean.I.s = half * (from.I.s + to.I.s);
    change.s = to.I.s - from.I.s;
  }
  if constexpr (needs_J<Material>) {
    d.mean.cof = discrete_cofactor(F0, F1, from.I.J, to.I.J);
    d.mean.I.J = half * (from.I.J + to.I.J);
    change.J = to.I.J - from.I.J;
  }
  d.g = material.gradient(d.mean.I);
  DiscreteResponse<T> r{density_of(material, to, largest_small_strain), pk1<Material>(d.mean, d.g)};
  if constexpr (Material::force_degree == 0) {
    const Matrix3<T> D = combine(one, F1, -one, F0);
    const T start = density_of(material, from, largest_small_strain);
    const T squared = change.t * change.t + change.s * change.s + change.J * change.J;
    const T defect = r.psi - start - inner(r.P, D);
    // What rounding makes of energies and of stress must not become a force.
    constexpr bool is_precise = HasFormForSmallStrain<Material, T>;
    const T size = squared_norm(F0) + squared_norm(F1);
    const T blur = T(1e-14) * (abs(r.psi) + abs(start)) +
                   T(8e-16 * material.modulus()) * (is_precise ? sqrt(squared_norm(D) * size) : size);
    const auto counts = (abs(defect) > blur) & (abs(defect) < T(std::numeric_limits<double>::max()));
    const T c = select(counts & (squared > T(1e-290)), defect / divisor(squared), T(0.0));
    d.g = {d.g.t + c * change.t, d.g.s + c * change.s, d.g.J + c * change.J};
    r.P = pk1<Material>(d.mean, d.g);
  }
  return r;
}

/// Corotated elasticity is one in t and i = tr S, S = RᵀF. Since ΔC = S̄ΔS + ΔSS̄, B = F̄S̄⁻¹ has B : D = Δi. Where an
/// element is inside out at an end, S̄ may have no inverse: then R of F̄ takes its place, corrected along D.
template <class T>
struct DiscreteCorotated {
  Matrix3<T> F, R;  ///< F̄ and its rotation
  T k;              ///< λ (ī − 3) − 2μ
};

template <class T>
BRIO_INLINE DiscreteResponse<T> discrete_response(const Corotated& material, const Matrix3<T>& F0, const Matrix3<T>& F1,
                                                  DiscreteCorotated<T>& d) {
  const T half(0.5), one(1.0);
  const Matrix3<T> R0 = polar_rotation(F0);
  const Matrix3<T> R1 = polar_rotation(F1);
  const Matrix3<T> S = combine(half, transposed_times(R0, F0), half, transposed_times(R1, F1));
  Matrix3<T> symmetric;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) symmetric(i, j) = half * (S(i, j) + S(j, i));
  const CorotatedStress<T> start = corotated_stress(material, F0, R0);
  const CorotatedStress<T> end = corotated_stress(material, F1, R1);
  const T trace0 = inner(R0, combine(one, F0, -one, R0));
  const T trace1 = inner(R1, combine(one, F1, -one, R1));
  d.k = half * (start.k + end.k);
  d.F = combine(half, F0, half, F1);
  d.R = polar_rotation(d.F);
  const T det = determinant(symmetric);
  const T size = squared_norm(symmetric) * T(1.0 / 3);
  const auto upright = (determinant(F0) > T(0.0)) & (determinant(F1) > T(0.0));
  const T conditioned = det * det / divisor(size * size * size);
  const T part = select(upright, one, min(one, T(1e4) * conditioned));
  Matrix3<T> B = d.F * cofactor(symmetric);
  const T scale = part / divisor(det);
  for (T& entry : B.m) entry *= scale;
  if (!all(part >= one)) {
    const Matrix3<T> D = combine(one, F1, -one, F0);
    const T along = (trace1 - trace0 - inner(d.R, D)) / divisor(squared_norm(D));
    B = combine(one, B, one - part, combine(one, d.R, along, D));
  }
  return {end.psi, combine(T(2 * material.mu), d.F, d.k, B)};
}

}  // namespace brio
