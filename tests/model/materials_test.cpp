#include <gtest/gtest.h>

#include "energies_under_test.h"
#include "model/energies/tet_kernel.h"
#include "model/materials/mooney_rivlin.h"
#include "model/materials/neo_hookean.h"
#include "model/materials/stvk.h"

namespace brio {
using namespace testing;

namespace {

const Material rubber{.name = "", .mu = 3, .lambda = 5, .kappa = 7, .a = 1.1, .b = 0.6};

/// Stress P_xx under the confined stretch F = diag(s, 1, 1), worked out by hand for each material.
double uniaxial_stress(const std::string& name, double s) {
  const double mu = rubber.mu, lambda = rubber.lambda, kappa = rubber.kappa;
  const double strain = 0.5 * (s * s - 1);
  if (name == "stvk") return (2 * mu + lambda) * strain * s;
  if (name == "stvk-volume") return (2 * mu + lambda) * strain * s + kappa * (s - 1);
  if (name == "corotated") return (2 * mu + lambda) * (s - 1);
  if (name == "neo-hookean") return mu * (s - 1 / s) + lambda * (s - 1);
  if (name == "stable-neo-hookean") return mu * (s - 1) + (lambda + mu) * (s - 1);
  if (name == "mooney-rivlin")
    return rubber.a * 4 / 3 * (std::pow(s, 1.0 / 3) - std::pow(s, -5.0 / 3)) +
           rubber.b * 4 / 3 * (std::pow(s, -1.0 / 3) - std::pow(s, -7.0 / 3)) + kappa * (s - 1);
  ADD_FAILURE() << "no closed form for " << name;
  return 0;
}

}  // namespace

TEST(Materials, UniaxialStressIsTheClosedForm) {
  const Mesh bar = make_bar({.size = {2, 1, 1}, .cells = {4, 2, 2}, .split = "six"});
  const NodalField rest = field(bar.vertices);
  for (const MaterialEntry& entry : materials())
    for (const double s : {0.7, 0.95, 1.0, 1.1, 1.8}) {
      const auto energy = entry.make(rubber, bar.tets, rest);
      NodalField g(rest.size());
      energy->gradient(moved(rest, Vec3(s, 1, 1).asDiagonal(), {0, 0, 0}), {}, g);
      double face = 0;
      for (std::size_t i = 0; i < rest.size(); ++i)
        if (rest[i][0] > 1 - 1e-9) face += g[i][0];
      EXPECT_NEAR(face, uniaxial_stress(entry.name, s), 1e-12 * (1 + std::abs(face)))
          << entry.name << ", stretch " << s;
    }
}

TEST(Materials, SmallStrainsSeeTheDeclaredModuli) {
  const Mesh cube = make_cube({.size = 1, .cells = 2});
  const NodalField rest = field(cube.vertices);
  constexpr double epsilon = 1e-4;
  for (const MaterialEntry& entry : materials()) {
    const auto energy = entry.make(rubber, cube.tets, rest);
    const Lame moduli = entry.small_strain(rubber);
    auto density = [&](const Eigen::Matrix3d& strain) {
      const Eigen::Matrix3d up = Eigen::Matrix3d::Identity() + epsilon * strain;
      const Eigen::Matrix3d down = Eigen::Matrix3d::Identity() - epsilon * strain;
      return 0.5 * (energy->value(moved(rest, up, {0, 0, 0})) + energy->value(moved(rest, down, {0, 0, 0}))) /
             (epsilon * epsilon);
    };
    Eigen::Matrix3d shear = Eigen::Matrix3d::Zero();
    shear(0, 1) = shear(1, 0) = 1;
    EXPECT_NEAR(density(shear), 2 * moduli.mu, 1e-6 * moduli.mu) << entry.name;
    EXPECT_NEAR(density(Eigen::Matrix3d::Identity()), 3 * moduli.mu + 4.5 * moduli.lambda, 1e-5 * moduli.mu)
        << entry.name;
  }
}

TEST(Materials, LameAndYoungPoissonDescribeTheSameMaterial) {
  const Lame m = lame(1e5, 0.3);
  EXPECT_NEAR(m.mu * (3 * m.lambda + 2 * m.mu) / (m.lambda + m.mu), 1e5, 1e-9);
  EXPECT_NEAR(m.lambda / (2 * (m.lambda + m.mu)), 0.3, 1e-15);
  const Material a = read_material({{"name", std::string("stvk")}, {"young", 1e5}, {"poisson", 0.3}}, "material");
  const Material b = read_material({{"name", std::string("stvk")}, {"mu", m.mu}, {"lambda", m.lambda}}, "material");
  EXPECT_EQ(a.mu, b.mu);
  EXPECT_EQ(a.lambda, b.lambda);
}

TEST(Materials, StVKStretchedFreelyHasYoungsModulusAndPoissonsRatio) {
  const Lame m = lame(1000, 0.3);
  const StVK stvk{m.mu, m.lambda};
  auto P = [&](double s, double t) { return response(stvk, Matrix3<double>{{s, 0, 0, 0, t, 0, 0, 0, t}}).P; };
  const double s = 1 + 1e-6;
  double t = 1;
  for (int k = 0; k < 50; ++k) t -= P(s, t)(1, 1) / (2 * m.mu + 2 * m.lambda);
  EXPECT_NEAR((1 - t) / (s - 1), 0.3, 1e-5);
  EXPECT_NEAR(P(s, t)(0, 0) / (s - 1), 1000, 1e-2);
}

TEST(Materials, ParametersAreCheckedWithTheirPlace) {
  auto complaint = [](std::vector<Entry> entries) -> std::string {
    for (Entry& e : entries) e.file = "x.toml", e.line = 3;
    try {
      read_material(entries, "body[0].material");
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  const Entry stvk{"name", std::string("stvk")};
  EXPECT_EQ(complaint({stvk, {"mu", 1.0}, {"lambda", 2.0}}), "accepted");
  EXPECT_EQ(complaint({stvk, {"young", 1e5}, {"poisson", 0.7}}),
            "x.toml:3: body[0].material.poisson = 0.7: must be in (-1, 0.5)");
  EXPECT_EQ(complaint({stvk, {"mu", 1.0}}),
            "x.toml:3: body[0].material: give either mu and lambda, or young and poisson");
  EXPECT_EQ(complaint({stvk, {"mu", 1.0}, {"poisson", 0.3}}),
            "x.toml:3: body[0].material: give either mu and lambda, or young and poisson");
  EXPECT_EQ(complaint({stvk, {"mu", 3.0}, {"lambda", -2.0}}),
            "x.toml:3: body[0].material.lambda = -2: must be more than -2/3 mu, or the rest shape is unstable");
  EXPECT_EQ(complaint({stvk, {"mu", 3.0}, {"lambda", 2.0}, {"kappa", 2.0}}),
            "x.toml:3: body[0].material.kappa = 2: stvk has no such parameter; it takes mu, lambda, or young and "
            "poisson for mu and lambda");
  EXPECT_EQ(complaint({{"name", std::string("mooney-rivlin")}, {"a", 1.0}, {"b", 1.0}}),
            "x.toml:3: body[0].material: mooney-rivlin needs kappa [Pa]");
  EXPECT_EQ(complaint({{"name", std::string("stvkk")}}),
            "x.toml:3: body[0].material.name = \"stvkk\": must be one of stvk, stvk-volume, corotated, neo-hookean, "
            "stable-neo-hookean, "
            "mooney-rivlin; did you mean 'stvk'?");
}

/// The same kernel source for one double, four doubles and eight floats.
TEST(TetKernel, LanesAndFloatsAgreeWithSingleDoubles) {
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  auto check = [&](const auto& kernel) {
    for (int trial = 0; trial < 50; ++trial) {
      double p[10] = {1.1, 0.1, -0.2, 0.05, 0.9, 0.1, 0, -0.1, 1.2, 0.3};
      Vector3<double> x[4] = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
      Doubles p4[10];
      Floats p8[10];
      Vector3<Doubles> x4[4], g4[4];
      Vector3<Floats> x8[4], g8[4];
      for (int k = 0; k < 10; ++k) p4[k] = Doubles(p[k]), p8[k] = Floats(p[k]);
      for (int a = 0; a < 4; ++a)
        for (int c = 0; c < 3; ++c) {
          x[a][c] += 0.1 * normal(random);
          x4[a][c] = Doubles(x[a][c]);
          x8[a][c] = Floats(x[a][c]);
        }
      Vector3<double> g[4];
      Matrix3<double> K[10];
      Matrix3<Doubles> K4[10];
      Matrix3<Floats> K8[10];
      const double e = kernel.template hessian<false>(p, x, 1.0, 1.0, g, K);
      const Doubles e4 = kernel.template hessian<false>(p4, x4, Doubles(1.0), Doubles(1.0), g4, K4);
      const Floats e8 = kernel.template hessian<false>(p8, x8, Floats(1.0), Floats(1.0), g8, K8);
      for (int lane = 0; lane < 4; ++lane) EXPECT_NEAR(e4[lane], e, 1e-14 * (1 + e));
      for (int lane = 0; lane < 8; ++lane) EXPECT_NEAR(e8[lane], e, 2e-6 * (1 + e));
      for (int a = 0; a < 4; ++a)
        for (int c = 0; c < 3; ++c) {
          EXPECT_NEAR(g4[a][c][3], g[a][c], 1e-13);
          EXPECT_NEAR(g8[a][c][7], g[a][c], 2e-5);
        }
      for (int b = 0; b < 10; ++b)
        for (int k = 0; k < 9; ++k) {
          EXPECT_NEAR(K4[b].m[k][1], K[b].m[k], 1e-12);
          EXPECT_NEAR(K8[b].m[k][5], K[b].m[k], 2e-4);
        }
    }
  };
  check(TetKernel<StVK>{{3, 5}});
  check(TetKernel<StableNeoHookean>{{3, 5}});
  check(TetKernel<Corotated>{{3, 5}});
  check(TetKernel<MooneyRivlin>{{1.1, 0.6, 7}});
}

TEST(Materials, ModuliAreSoundOrRefusedHoweverTheyAreWritten) {
  const auto read = [](const std::string& name, double young, double poisson) {
    return read_material({{"name", Value(name)}, {"young", Value(young)}, {"poisson", Value(poisson)}}, "material");
  };
  int refused = 0;
  for (const MaterialEntry& entry : materials())
    for (const double young : {5e-324, 1e-310, 1e-300, 1.0, 1e300, 1.7e308})
      for (const double poisson : {-0.9999999999999999, -0.9999999999999998, -0.5, 0.0, 0.3, 0.49999999999999994}) {
        try {
          const Lame moduli = entry.small_strain(read(entry.name, young, poisson));
          EXPECT_GT(moduli.mu, 0) << entry.name << " " << young << " " << poisson;
          EXPECT_GT(moduli.lambda, -2.0 / 3 * moduli.mu) << entry.name << " " << young << " " << poisson;
          EXPECT_TRUE(std::isfinite(moduli.lambda));
        } catch (const InputError& error) {
          ++refused;
          EXPECT_FALSE(error.complaint().key.empty());
        }
      }
  EXPECT_GT(refused, 20);
}

TEST(Materials, ParametersSetInCodeAreHeldToTheSameBounds) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::pair<const char*, double Material::*> parameters[]{{"mu", &Material::mu},
                                                                {"lambda", &Material::lambda},
                                                                {"kappa", &Material::kappa},
                                                                {"a", &Material::a},
                                                                {"b", &Material::b}};
  for (const MaterialEntry& entry : materials())
    for (const auto& [key, member] : parameters) {
      if (std::find(entry.keys.begin(), entry.keys.end(), key) == entry.keys.end()) continue;
      for (const double bad : {nan, infinite, -infinite, -1e9}) {
        SolidOptions options{.mesh = make_cube({.cells = 1}), .material = {.name = entry.name}};
        options.material.*member = bad;
        Model model;
        EXPECT_THROW(model.add(options), InputError) << entry.name << "." << key << " = " << bad;
        EXPECT_EQ(model.vertices(), 0U) << "nothing is changed";
      }
    }
}

}  // namespace brio
