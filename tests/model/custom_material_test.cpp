/// Laws of others are checked when they are registered.
#include <gtest/gtest.h>

#include <cmath>

#include "brio/material.h"
#include "brio/mesh.h"
#include "model/materials/density_check.h"

namespace brio {
namespace {

EnergyDensity custom_fung(const Material& m, const StrainInvariants& I) {
  const double grown = std::exp(m.b * I.s);
  return {.psi = m.mu / m.b * std::expm1(m.b * I.s) + m.lambda / 2 * I.t * I.t,
          .t = m.lambda * I.t,
          .s = m.mu * grown,
          .tt = m.lambda,
          .ss = m.mu * m.b * grown};
}

/// mu (t − ln J) + lambda/2 ln² J, of which the first part nearly cancels.
EnergyDensity custom_neo_hookean(const Material& m, const StrainInvariants& I) {
  if (I.J <= 0) return {.psi = std::numeric_limits<double>::infinity()};
  const double log = std::log(I.J);
  return {.psi = m.mu * (I.t - log) + m.lambda / 2 * log * log,
          .t = m.mu,
          .J = (m.lambda * log - m.mu) / I.J,
          .JJ = (m.lambda * (1 - log) + m.mu) / (I.J * I.J)};
}

/// With all mixed derivatives.
EnergyDensity custom_mixed(const Material& m, const StrainInvariants& I) {
  const double j = I.J - 1;
  const double q = 1 + I.t * I.t + j * j;
  return {.psi = m.mu * I.s * q + m.lambda * I.t * j * j / 2,
          .t = m.mu * I.s * 2 * I.t + m.lambda * j * j / 2,
          .s = m.mu * q,
          .J = m.mu * I.s * 2 * j + m.lambda * I.t * j,
          .tt = m.mu * I.s * 2,
          .ts = m.mu * 2 * I.t,
          .tJ = m.lambda * j,
          .sJ = m.mu * 2 * j,
          .JJ = m.mu * I.s * 2 + m.lambda * I.t};
}

MaterialLaw custom_law(std::function<EnergyDensity(const Material&, const StrainInvariants&)> density) {
  MaterialLaw law;
  law.name = "of-a-test";
  law.keys = {"mu", "lambda", "b"};
  law.density = std::move(density);
  return law;
}

std::string refusal_of(const MaterialLaw& law) {
  try {
    register_material(law);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CustomMaterial, IsAcceptedWhereItsDerivativesAreRight) {
  for (const auto law : {custom_fung, custom_neo_hookean, custom_mixed})
    EXPECT_NO_THROW(check_density(custom_law(law)));
}

TEST(CustomMaterial, IsRefusedForEachWrongDerivativeByNameWithFigures) {
  const std::pair<const char*, double EnergyDensity::*> members[]{
      {"t", &EnergyDensity::t},   {"s", &EnergyDensity::s},   {"J", &EnergyDensity::J},   {"tt", &EnergyDensity::tt},
      {"ts", &EnergyDensity::ts}, {"tJ", &EnergyDensity::tJ}, {"sJ", &EnergyDensity::sJ}, {"JJ", &EnergyDensity::JJ}};
  for (const auto& [name, member] : members)
    for (const double factor : {-1.0, 1.01, 0.0}) {  // a sign, a factor, forgotten
      const std::string what = refusal_of(custom_law([member, factor](const Material& m, const StrainInvariants& I) {
        EnergyDensity d = custom_mixed(m, I);
        if (I.s > 0) d.*member *= factor;
        return d;
      }));
      // A wrong first derivative may show in its own derivatives first, never in others.
      EXPECT_NE(what.find(std::string("has the derivative ") + name + " = "), std::string::npos)
          << name << " times " << factor << ": " << what;
    }
}

TEST(CustomMaterial, TellsWhatWasExpectedAndWhatItGot) {
  const std::string what = refusal_of(custom_law([](const Material& m, const StrainInvariants& I) {
    EnergyDensity d = custom_fung(m, I);
    d.tt = 3 * m.lambda;
    return d;
  }));
  EXPECT_NE(what.find("has the derivative tt = 1.2e+06"), std::string::npos) << what;
  EXPECT_NE(what.find("differences of t give 400000"), std::string::npos) << what;
  EXPECT_NE(what.find("mu = 100000, lambda = 400000, b = 25000"), std::string::npos) << what;
}

TEST(Material, RefusesMembersThatItDoesNotKnow) {
  const Mesh mesh = make_bar({.cells = {1, 1, 1}});
  Model model;
  EXPECT_NO_THROW(model.add(SolidOptions{.mesh = mesh, .material = {.name = "stvk", .mu = 1e3, .lambda = 1e3}}));
  EXPECT_THROW(model.add(SolidOptions{.mesh = mesh, .material = {.name = "stvk", .a = 1e3}}), InputError);
  EXPECT_THROW(model.set_material(BodyId(0), {.name = "mooney-rivlin", .mu = 2e3}), InputError);
  EXPECT_NO_THROW(model.set_material(BodyId(0), {.name = "mooney-rivlin", .kappa = 1e6, .a = 1e3, .b = 2e3}));
}

TEST(Attachments, OfOneVertexFollowOnePathUnlessOneLetsGo) {
  const Mesh mesh = make_bar({.cells = {1, 1, 1}});
  const auto path = [](double x) { return Motion{.keys = {{.time = 0}, {.time = 1, .translate = {x, 0, 0}}}}; };
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = mesh});
  const auto hold = [&](int vertex) {
    return model.attach(bar, {{.vertex = vertex, .point = mesh.vertices[static_cast<std::size_t>(vertex)]}});
  };
  model.drive(hold(2), path(1));
  const AttachmentId second = hold(2);
  EXPECT_THROW(model.drive(second, path(-1)), InputError);
  EXPECT_NO_THROW(model.drive(second, path(1)));
  EXPECT_NO_THROW(model.drive(hold(3), path(-1)));
  const AttachmentId third = hold(2);
  model.release(third, 0.5);
  EXPECT_NO_THROW(model.drive(third, path(-1)));
}

TEST(CustomMaterial, IsRefusedWhereRestIsNotAtRest) {
  const std::string energy = refusal_of(custom_law([](const Material& m, const StrainInvariants& I) {
    EnergyDensity d = custom_fung(m, I);
    d.psi += m.mu;
    return d;
  }));
  EXPECT_NE(energy.find("at rest"), std::string::npos) << energy;
  const std::string stress = refusal_of(custom_law([](const Material& m, const StrainInvariants& I) {
    EnergyDensity d = custom_neo_hookean(m, I);
    d.psi += m.mu * (I.J - 1);
    d.J += m.mu;
    return d;
  }));
  EXPECT_NE(stress.find("stress psi_t + psi_J = 100000 Pa at rest"), std::string::npos) << stress;
}

}  // namespace
}  // namespace brio
