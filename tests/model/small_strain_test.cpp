/// Energies at small strain against the same formulas in 113 bits: what is lost are digits of F, not of psi.
#include "model/materials/small_strain.h"

#include <gtest/gtest.h>

#include <random>

#include "model/materials/mooney_rivlin.h"
#include "model/materials/neo_hookean.h"

namespace brio {
namespace {

__extension__ using Quad = __float128;

/// For |j| < 1/4.
Quad log_1p(Quad j) {
  const Quad a = j / (2 + j);
  Quad sum = 0;
  for (int k = 79; k > 0; k -= 2) sum = sum * a * a + Quad(2) / k;
  return a * sum;
}

Quad cube_root(Quad J) {
  Quad c = std::cbrt(static_cast<double>(J));
  for (int k = 0; k < 3; ++k) c -= (c * c * c - J) / (3 * c * c);
  return c;
}

struct QuadStrain {
  Quad t, s, J;
};

QuadStrain strain_of(const Matrix3<double>& F) {
  Quad E[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Quad sum = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) sum += Quad(F(k, i)) * F(k, j);
      E[i][j] = sum / 2;
    }
  QuadStrain strain{.t = E[0][0] + E[1][1] + E[2][2], .s = 0, .J = 0};
  for (auto& row : E)
    for (const Quad e : row) strain.s += e * e;
  const auto f = [&F](int i, int j) { return Quad(F(i, j)); };
  strain.J = f(0, 0) * (f(1, 1) * f(2, 2) - f(1, 2) * f(2, 1)) - f(0, 1) * (f(1, 0) * f(2, 2) - f(1, 2) * f(2, 0)) +
             f(0, 2) * (f(1, 0) * f(2, 1) - f(1, 1) * f(2, 0));
  return strain;
}

Quad exact(const NeoHookean& m, const QuadStrain& e) {
  return m.mu * (e.t - log_1p(e.J - 1)) + m.lambda / 2 * (e.J - 1) * (e.J - 1);
}
Quad exact(const StableNeoHookean& m, const QuadStrain& e) {
  return m.mu * (e.t - (e.J - 1)) + (m.lambda + m.mu) / 2 * (e.J - 1) * (e.J - 1);
}
Quad exact(const MooneyRivlin& m, const QuadStrain& e) {
  const Quad p1 = 1 / (cube_root(e.J) * cube_root(e.J));
  const Quad first = p1 * (3 + 2 * e.t) - 3;
  const Quad second = p1 * p1 * (3 + 4 * e.t + 2 * (e.t * e.t - e.s)) - 3;
  return m.a * first + m.b * second + m.kappa / 2 * (e.J - 1) * (e.J - 1);
}

template <class Material>
void keeps_digits(const Material& material) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (double size = 0.05; size > 1e-12; size /= 3)
    for (int sample = 0; sample < 200; ++sample) {
      Matrix3<double> F;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) F(i, j) = (i == j ? 1 : 0) + size * entry(random);
      const QuadStrain strain = strain_of(F);
      const auto norm = std::sqrt(static_cast<double>(strain.s));
      if (2 * norm > 0.2 || std::abs(2 * static_cast<double>(strain.t)) > 0.2) continue;  // another form is used there
      const SmallStrain<double> small(twice_green_strain(F), deformation<Material>(F).I.J);
      const double error = std::abs(static_cast<double>(material.psi(small) - exact(material, strain)));
      // E itself is off by a rounding of one, which is all that may be seen.
      EXPECT_LE(error, 4e-16 * material.modulus() * norm) << Material::name << " at strain " << norm;
    }
}

TEST(SmallStrain, EnergiesLoseOnlyWhatIsLostOfE) {
  keeps_digits(NeoHookean{.mu = 1, .lambda = 2});
  keeps_digits(StableNeoHookean{.mu = 1, .lambda = 2});
  keeps_digits(MooneyRivlin{.a = 0.3, .b = 0.2, .kappa = 2});
}

}  // namespace
}  // namespace brio
