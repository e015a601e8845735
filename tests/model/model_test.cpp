#include "brio/model.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/hash.h"
#include "energies_under_test.h"

namespace brio {
using namespace testing;

namespace {

double total(const std::vector<double>& mass) { return std::accumulate(mass.begin(), mass.end(), 0.0); }

template <class Add>
std::string complaint(Add add) {
  try {
    add();
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(Model, MassesAddUpToDensityTimesVolumeOrToTheGivenMass) {
  const Mesh bar = make_bar({.size = {2, 1, 0.5}, .cells = {4, 3, 2}});
  Model by_density;
  by_density.add(SolidOptions{.mesh = bar, .density = 900});
  EXPECT_NEAR(total(by_density.mass()), 900.0, 1e-9);
  Model by_mass;
  by_mass.add(SolidOptions{.mesh = bar, .mass = 3});
  by_mass.add(ClothOptions{.mesh = make_sheet({}), .mass = 0.5});
  by_mass.add(WireOptions{.mesh = make_line({}), .mass = 0.25});
  by_mass.add(ParticlesOptions{.mesh = make_line({.length = 1, .segments = 3}), .mass = 2});
  EXPECT_NEAR(total(by_mass.mass()), 3 + 0.5 + 0.25 + 4 * 2, 1e-12);
}

TEST(Model, BodiesKeepTheirOwnEnergies) {
  Model model;
  const Mesh cube = make_cube({.size = 1, .cells = 2});
  const BodyId first = model.add(SolidOptions{.name = "a", .mesh = cube});
  const BodyId second = model.add(SolidOptions{.name = "b", .mesh = cube});
  NodalField x = model.rest();
  const int start = model.body(second).first_vertex;
  x[start] += Vec3(0.1, 0, 0);
  EXPECT_NEAR(model.elastic_energy(first, x), 0, 1e-9);
  EXPECT_GT(model.elastic_energy(second, x), 1);
}

TEST(Model, ForceIsMinusTheGradientOfEnergyAndWeight) {
  Model model;
  const BodyId body = model.add(
      SolidOptions{.mesh = small_block(), .material = {.name = "stvk", .mu = 3, .lambda = 5}, .density = 0.1});
  model.attach(body, {{.vertex = 3, .point = {1, 1, 1}, .stiffness = 2}});
  model.set_gravity({0, -9.81, 1});
  State state = model.rest_state();
  state.x = shapes(model.rest())[1].x;
  NodalField f(model.vertices());
  model.force(state, f);
  for (std::size_t k = 0; k < 3 * model.vertices(); ++k) {
    const double slope = difference(
        state.x, k, 2e-5, [&](const NodalField& x) { return model.elastic_energy(body, x) + model.gravity_energy(x); });
    EXPECT_NEAR(f.row(k / 3)[k % 3], -slope, 1e-8);
  }
}

TEST(Model, MomentaAndKineticEnergyAreThoseOfASpinningBody) {
  Model model;
  model.add(ParticlesOptions{.mesh = {.vertices = {{1, 0, 0}, {-1, 0, 0}}, .tets = {}, .triangles = {}, .segments = {}},
                             .mass = 2});
  NodalField v(2);
  v[0] = Vec3(0, 3, 0);
  v[1] = Vec3(0, -3, 0);
  EXPECT_DOUBLE_EQ(model.kinetic_energy(v), 18);
  EXPECT_EQ(model.linear_momentum(v), Vec3(0, 0, 0));
  EXPECT_EQ(model.angular_momentum(model.rest(), v), Vec3(0, 0, 12));
}

TEST(Model, BadBodiesAreRefusedByIndexAndChangeNothing) {
  Model model;
  Mesh inverted = make_cube({.size = 1, .cells = 1});
  std::swap(inverted.tets[2][0], inverted.tets[2][1]);
  EXPECT_EQ(complaint([&] { model.add(SolidOptions{.name = "jelly", .mesh = inverted}); }),
            "jelly.mesh: tetrahedron 2 is inverted; inspect it with `brio mesh FILE`");
  Mesh loose = make_cube({.size = 1, .cells = 1});
  loose.vertices.emplace_back(5, 5, 5);
  EXPECT_EQ(complaint([&] { model.add(SolidOptions{.name = "jelly", .mesh = loose}); }).substr(0, 50),
            "jelly.mesh: vertex 8 belongs to no tetrahedron; ev");
  Mesh wrong = make_cube({.size = 1, .cells = 1});
  wrong.tets[1][3] = 99;
  EXPECT_EQ(complaint([&] { model.add(SolidOptions{.name = "jelly", .mesh = wrong}); }),
            "jelly.mesh: tetrahedron 1 refers to vertex 99, but there are 8 vertices");
  EXPECT_EQ(complaint([&] { model.add(SolidOptions{.name = "jelly", .mesh = make_sheet({})}); }),
            "jelly.mesh: a solid needs tetrahedra; fill a closed surface with `brio mesh IN OUT --tetrahedralize`");
  EXPECT_EQ(complaint([&] { model.add(SolidOptions{.name = "jelly", .mesh = make_cube({}), .density = -1}); }),
            "jelly.density = -1: must be > 0");
  EXPECT_EQ(model.vertices(), 0U);
  EXPECT_TRUE(model.bodies().empty());
}

TEST(Model, ForcesAndHessiansAreBitwiseTheSameForAnyNumberOfThreads) {
  const Mesh bar = make_bar({.size = {4, 1, 1}, .cells = {40, 10, 10}});  // 20,000 tetrahedra
  const NodalField rest = field(bar.vertices);
  const NodalField x = moved(rest, rotation(0.5, {1, 1, 0}), {0, 0, 0}, 0.02);
  for (const MaterialEntry& entry : materials()) {
    const auto energy = entry.make({.name = entry.name}, bar.tets, rest);
    std::vector<std::uint64_t> hashes;
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      BlockMatrix H = matrix_for(*energy, rest.size());
      NodalField g(rest.size());
      const double value = energy->hessian(x, {}, Projection::psd, g, H);
      const std::uint64_t seed = hash_doubles({g.data(), NodalField::stride * g.size()});
      hashes.push_back(hash_doubles({&value, 1}, hash_doubles(H.values(), seed)));
    }
    set_threads(0);
    EXPECT_EQ(hashes[0], hashes[1]) << entry.name;
    EXPECT_EQ(hashes[0], hashes[2]) << entry.name;
  }
}

TEST(Model, ElementsGiveTheSameAnswerInWhateverOrderTheyAreListed) {
  Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  const NodalField x = shapes(rest)[1].x;
  const auto make = find_material("stable-neo-hookean").make;
  const auto energy = make({}, mesh.tets, rest);
  std::mt19937 random(4);
  std::shuffle(mesh.tets.begin(), mesh.tets.end(), random);
  const auto shuffled = make({}, mesh.tets, rest);
  EXPECT_NEAR(shuffled->value(x) / energy->value(x), 1, 1e-14);
  EXPECT_LT((gradient_of(*shuffled, x) - gradient_of(*energy, x)).norm(), 1e-13 * gradient_of(*energy, x).norm());
}

TEST(Model, ABodyCostsTheSameHoweverManyThereAreBefore) {
  Model model;
  const Mesh cube = make_cube({.size = 0.1, .cells = 1});
  const double* place = nullptr;
  int moves = 0;
  for (int k = 0; k < 3000; ++k) {
    model.add(SolidOptions{.mesh = cube});
    moves += model.rest().data() != place ? 1 : 0;
    place = model.rest().data();
  }
  EXPECT_LT(moves, 50) << "rest positions of all bodies are copied for each";
  EXPECT_EQ(model.rest().size(), 8U * 3000);
}

}  // namespace brio
