#include "model/materials/density_check.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

using Axis = double StrainInvariants::*;
using Slope = double EnergyDensity::*;

struct Derivative {
  const char* name;
  Slope of, is;  ///< `is` is the derivative of `of`
  Axis by;
};

constexpr std::array derivatives{
    Derivative{"t", &EnergyDensity::psi, &EnergyDensity::t, &StrainInvariants::t},
    Derivative{"s", &EnergyDensity::psi, &EnergyDensity::s, &StrainInvariants::s},
    Derivative{"J", &EnergyDensity::psi, &EnergyDensity::J, &StrainInvariants::J},
    Derivative{"tt", &EnergyDensity::t, &EnergyDensity::tt, &StrainInvariants::t},
    Derivative{"ts", &EnergyDensity::t, &EnergyDensity::ts, &StrainInvariants::s},
    Derivative{"tJ", &EnergyDensity::t, &EnergyDensity::tJ, &StrainInvariants::J},
    Derivative{"ss", &EnergyDensity::s, &EnergyDensity::ss, &StrainInvariants::s},
    Derivative{"sJ", &EnergyDensity::s, &EnergyDensity::sJ, &StrainInvariants::J},
    Derivative{"JJ", &EnergyDensity::J, &EnergyDensity::JJ, &StrainInvariants::J},
};

StrainInvariants invariants_of(const Mat3& F) {
  const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity());
  return {.t = E.trace(), .s = E.squaredNorm(), .J = F.determinant()};
}

/// Small and large, stretched and squeezed, and inverted; none where a difference would step over rest or J = 0.
std::vector<Mat3> deformations() {
  std::vector<Mat3> all;
  Mat3 shear;
  shear << 0.7, 0.4, -0.2, -0.3, 0.5, 0.6, 0.1, -0.4, 0.9;
  for (const double size : {0.01, 0.1, 0.4}) all.emplace_back(Mat3::Identity() + size * shear);
  for (const double size : {0.01, 0.1, 0.3}) all.emplace_back(Mat3::Identity() - size * shear);
  all.emplace_back(Vec3(-0.8, 1.1, 0.9).asDiagonal());
  return all;
}

/// Central, of fourth order.
double difference(const MaterialLaw& law, const Material& m, const StrainInvariants& at, const Derivative& d,
                  double step) {
  const auto value = [&](double by) {
    StrainInvariants moved = at;
    moved.*d.by += by;
    return law.density(m, moved).*d.of;
  };
  return (8 * (value(step) - value(-step)) - (value(2 * step) - value(-2 * step))) / (12 * step);
}

std::string words_of(const MaterialLaw& law, const Material& m) {
  std::string words;
  const std::pair<const char*, double> all[]{
      {"mu", m.mu}, {"lambda", m.lambda}, {"kappa", m.kappa}, {"a", m.a}, {"b", m.b}};
  for (const auto& [key, value] : all)
    if (std::ranges::count(law.keys, key) > 0)
      words += fmt::format("{}{} = {:g}", words.empty() ? "" : ", ", key, value);
  return words;
}

[[noreturn]] void refuse_law(const MaterialLaw& law, const std::string& problem, const char* advice) {
  throw InputError({.key = "material.density", .value = law.name, .problem = problem, .advice = advice});
}

void check_rest(const MaterialLaw& law, const Material& m) {
  const EnergyDensity rest = law.density(m, {});
  const Lame moduli = law.small_strain(m);
  // dt/dF and dJ/dF are both the identity there, ds/dF is zero.
  const double stress = rest.t + rest.J;
  const double scale = 2 * moduli.mu + std::abs(moduli.lambda) + std::abs(rest.t) + std::abs(rest.J);
  if (std::abs(rest.psi) <= 1e-9 * scale && std::abs(stress) <= 1e-9 * scale) return;
  refuse_law(law,
             fmt::format("has psi = {:g} J/m³ and stress psi_t + psi_J = {:g} Pa at rest ({}), where both must vanish",
                         rest.psi, stress, words_of(law, m)),
             "subtract what is left at rest");
}

void check_at(const MaterialLaw& law, const Material& m, const StrainInvariants& at) {
  const EnergyDensity here = law.density(m, at);
  if (!std::isfinite(here.psi)) return;  // outside of its domain
  // The size of the terms whose sums psi and its derivatives are: it is their rounding that differences show.
  const double first = std::max({std::abs(here.t), std::abs(here.s), std::abs(here.J)});
  for (const Derivative& d : derivatives) {
    const double step = 2.5e-4 * std::min(std::abs(at.*d.by), std::abs(at.*d.by - (d.by == &StrainInvariants::J)));
    // What a longer step makes of it tells how far the difference is from the limit, where psi changes abruptly.
    const double expected = difference(law, m, at, d, step), coarse = difference(law, m, at, d, 4 * step);
    if (!std::isfinite(expected) || !std::isfinite(coarse)) continue;  // the domain ends nearby
    const double got = here.*d.is, rounding = 1e3 * eps * (first + std::abs(here.*d.of)) / step;
    const double allowed = 1e-5 * std::abs(expected) + std::abs(coarse - expected) + rounding;
    if (std::abs(got - expected) <= allowed) continue;  // a NaN is not
    refuse_law(
        law,
        fmt::format("has the derivative {} = {:g} at t = {:g}, s = {:g}, J = {:g} ({}), but differences of {} give "
                    "{:g}",
                    d.name, got, at.t, at.s, at.J, words_of(law, m),
                    d.of == &EnergyDensity::psi ? "psi" : std::string(d.name, 1), expected),
        "correct it: forces and energies would contradict each other");
  }
}

}  // namespace

void check_density(const MaterialLaw& law) {
  // As they are by default, and all alike: laws may have exponents and ratios among their parameters.
  for (const Material& m :
       {Material{.name = law.name}, Material{.name = law.name, .mu = 1, .lambda = 1, .kappa = 1, .a = 1, .b = 1}}) {
    check_rest(law, m);
    for (const Mat3& F : deformations()) check_at(law, m, invariants_of(F));
  }
}

}  // namespace brio
