#include "model/stress.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "model/materials/registry.h"

namespace brio {
namespace {

Model cube(const Material& material) {
  Model model;
  model.add(SolidOptions{.mesh = make_cube({.cells = 2}), .material = material});
  return model;
}

NodalField deformed(const Model& model, const Mat3& F) {
  NodalField x = model.rest();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = F * model.rest()[i];
  return x;
}

Mat3 stretch(double s) { return Vec3(s, 1, 1).asDiagonal(); }

std::vector<ElementStress> stresses(const Model& model, const Mat3& F) {
  return element_stresses(model, model.bodies()[0], deformed(model, F));
}

}  // namespace

TEST(Stress, UniaxialStretchHasItsClosedForm) {
  const double mu = 300, lambda = 700, s = 1.3, E = (s * s - 1) / 2;
  for (const ElementStress& e : stresses(cube({.name = "stvk", .mu = mu, .lambda = lambda}), stretch(s))) {
    const double along = s * (2 * mu + lambda) * E;
    const double across = lambda * E / s;
    EXPECT_NEAR(e.psi, (mu + lambda / 2) * E * E, 1e-10);
    EXPECT_NEAR((e.cauchy - Mat3(Vec3(along, across, across).asDiagonal())).norm(), 0, 1e-9);
    EXPECT_NEAR(e.von_mises(), along - across, 1e-9);
  }
  for (const ElementStress& e :
       stresses(cube({.name = "stable-neo-hookean", .mu = mu, .lambda = lambda}), stretch(s))) {
    const double pressure = (lambda + mu) * (s - 1) - mu;
    EXPECT_NEAR(e.von_mises(), std::abs(mu * s + pressure - (mu / s + pressure)), 1e-9);
  }
}

TEST(Stress, OfEveryMaterialIsTheSlopeOfItsEnergyAndTurnsWithTheBody) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const MaterialEntry& entry : materials()) {
    const Model model = cube({.name = entry.name});
    const double step = 1e-5, s = 1.2;
    const auto here = stresses(model, stretch(s));
    ASSERT_EQ(here.size(), model.bodies()[0].mesh.tets.size()) << entry.name;
    const double slope =
        (stresses(model, stretch(s + step))[0].psi - stresses(model, stretch(s - step))[0].psi) / (2 * step);
    EXPECT_NEAR(here[0].cauchy(0, 0), slope, 1e-6 * std::abs(slope)) << entry.name;
    EXPECT_NEAR(model.elastic_energy(BodyId(0), deformed(model, stretch(s))), here[0].psi, 1e-10 * here[0].psi)
        << entry.name << ": the cube has a volume of 1 m³";
    const auto turned = stresses(model, turn * stretch(s));
    EXPECT_NEAR(turned[0].von_mises(), here[0].von_mises(), 1e-9 * here[0].von_mises()) << entry.name;
    EXPECT_NEAR((turned[0].cauchy - turn * here[0].cauchy * turn.transpose()).norm(), 0, 1e-9 * slope) << entry.name;
  }
}

TEST(Stress, IsFiniteForCollapsedElementsAndEmptyForCloth) {
  for (const MaterialEntry& entry : materials())
    for (const double s : {0.0, -1.0})
      for (const ElementStress& e : stresses(cube({.name = entry.name}), stretch(s)))
        EXPECT_TRUE(std::isfinite(e.von_mises()) && std::isfinite(e.psi)) << entry.name;
  Model model;
  model.add(ClothOptions{.mesh = make_sheet({.cells = {2, 2}})});
  EXPECT_TRUE(element_stresses(model, model.bodies()[0], model.rest()).empty());
}

}  // namespace brio
