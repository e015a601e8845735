/// avf keeps energy whatever the material is: its means along the path are exact in energy element by element.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <random>

#include "brio/material.h"
#include "brio/sim.h"
#include "model/only_known.h"

namespace brio {
namespace {

constexpr double frame = 1.0 / 30;  // [s]

Model cube_of(const std::string& material, double unit = 1) {
  Model model;
  const double stiffness = 1e5 * unit;  // [Pa] where lengths are in `unit` metres
  model.add(SolidOptions{.mesh = make_cube({.size = 1 / unit, .cells = 2}),
                         .material = testing::only_known({.name = material,
                                                          .mu = stiffness,
                                                          .lambda = stiffness,
                                                          .kappa = stiffness,
                                                          .a = 0.4 * stiffness,
                                                          .b = 0.1 * stiffness}),
                         .mass = 1000});
  return model;
}

Model cloth() {
  Model model;
  model.add(ClothOptions{
      .mesh = make_sheet({.cells = {5, 5}}), .grid = {5, 5}, .law = SpringLaw::hookean, .bend = 50, .mass = 0.5});
  return model;
}

/// About the middle of the body: turning and stretched ("mild", "violent"), inside out, or anywhere. With a barrier
/// violent is less: neo-Hookean's is so weak that from 2.2 times the size elements collapse to nothing.
State begin(const Model& model, const std::string& how, double size = 1, bool barrier = false) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-size / 2, size / 2);
  std::normal_distribution<double> normal;
  State state = model.rest_state();
  Vec3 middle = Vec3::Zero();
  for (std::size_t i = 0; i < state.x.size(); ++i) middle += state.x[i] / static_cast<double>(state.x.size());
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const Vec3 p = state.x[i] - middle;
    const Vec3 noise = 0.1 * size * Vec3(normal(random), normal(random), normal(random));
    if (how == "quiet") state.x[i] = Vec3(1.0001 * p[0], p[1], p[2]);
    if (how == "mild") state.x[i] = Vec3(1.1 * p[0], p[1], p[2]);
    if (how == "mild") state.v[i] = Vec3(0, 0, 1).cross(Vec3(state.x[i]));
    if (how == "violent") state.x[i] = (barrier ? 1.5 : 2.2) * p;
    if (how == "violent") state.v[i] = Vec3(0, 0, 10).cross(Vec3(state.x[i])) + noise;
    if (how == "mirrored") state.x[i] = Vec3(-p[0], p[1], p[2]);
    if (how == "mirrored") state.v[i] = noise;
    if (how == "scattered") state.x[i] = Vec3(place(random), place(random), place(random));
  }
  return state;
}

struct Course {
  double error = 0;  ///< largest |H/H₀ − 1|
  double iterations = 0;
  int halvings = 0;
};

Course run(Model model, const State& start, int steps, const IntegratorOptions& options = {}) {
  Simulation simulation(std::move(model), start, {.integrator = "avf", .h = frame, .options = options});
  const double total = simulation.ledger().total;
  Course course;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok()) << report.message;
    if (!report.ok()) return {.error = INFINITY};
    course.error = std::max(course.error, std::abs(simulation.ledger().total / total - 1));
    course.iterations += static_cast<double>(report.iterations) / steps;
    course.halvings += report.halvings;
  }
  return course;
}

void print(const std::string& name, const std::string& start, const Course& course) {
  std::printf("%-20s %-10s energy error %.1e, %.1f iterations per step, %d halvings\n", name.c_str(), start.c_str(),
              course.error, course.iterations, course.halvings);
}

}  // namespace

TEST(ExactEnergy, IsKeptForEveryMaterialFromEveryStartOverAThousandSteps) {
  for (const MaterialEntry& material : materials())
    for (const char* start : {"quiet", "mild", "violent", "mirrored", "scattered"}) {
      const bool inverts = start == std::string("mirrored") || start == std::string("scattered");
      if (material.barrier && inverts) continue;  // outside of its domain
      const Course course =
          run(cube_of(material.name), begin(cube_of(material.name), start, 1, material.barrier), 1000);
      print(material.name, start, course);
      EXPECT_LT(course.error, 1e-8) << material.name << ' ' << start;
    }
}

/// So much energy that elements are pressed to a hundred-thousandth of their volume and come out of it within a small
/// part of a step: it is halved until paths stay within what the material allows.
TEST(ExactEnergy, IsKeptWhereABarrierIsAllButBroken) {
  State start = cube_of("neo-hookean").rest_state();
  for (std::size_t i = 0; i < start.x.size(); ++i) start.x[i] *= 1.7;
  const Course course = run(cube_of("neo-hookean"), start, 110);
  print("neo-hookean", "by 1.7", course);
  EXPECT_LT(course.error, 1e-8);
  EXPECT_GT(course.halvings, 0);
}

TEST(ExactEnergy, IsKeptForHookeanSpringsFromEveryStartOverAThousandSteps) {
  for (const char* start : {"mild", "violent", "mirrored", "scattered"}) {
    const Course course = run(cloth(), begin(cloth(), start), 1000);
    print("hookean springs", start, course);
    EXPECT_LT(course.error, 1e-8) << start;
  }
}

/// A mirrored start costs thirty times as much: fewer steps of a shorter wire.
TEST(ExactEnergy, IsKeptForWiresWithTheirVolumesAndTorsion) {
  struct WireStart {
    const char* name;
    int points, steps;
  };
  for (const auto& [start, points, steps] :
       {WireStart{"mild", 12, 1000}, {"stirred", 12, 1000}, {"mirrored", 6, 200}}) {
    const auto wire = [count = points] {
      Mesh mesh;
      for (int i = 0; i < count; ++i) mesh.vertices.emplace_back(0.02 * i, 0, 0);
      for (int i = 0; i + 1 < count; ++i) mesh.segments.push_back({i, i + 1});
      Model model;
      model.add(WireOptions{.mesh = mesh, .radius = 0.01});
      return model;
    };
    State state = begin(wire(), start == std::string("stirred") ? "quiet" : start, 0.1);
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    if (start == std::string("stirred"))
      for (std::size_t i = 0; i < state.v.size(); ++i)
        state.v[i] = 0.5 * Vec3(normal(random), normal(random), normal(random));
    const Course course = run(wire(), state, steps);
    print("wire", start, course);
    EXPECT_LT(course.error, 1e-8) << start;
  }
}

/// What is left is the solver's: ten times less with a tolerance ten times smaller, until rounding shows.
TEST(ExactEnergy, ErrsInProportionToTheTolerance) {
  const auto stiff = [] {
    Model model;
    model.add(SolidOptions{
        .mesh = make_cube({.cells = 2}), .material = {.name = "stvk", .mu = 4e8, .lambda = 4e8}, .mass = 1000});
    return model;
  };
  const State start = begin(stiff(), "mild");
  double errors[5];
  for (int k = 0; k < 5; ++k) {
    const double tolerance = std::pow(10, -8 - k);
    errors[k] = run(stiff(), start, 300, {.solver = {.tolerance = tolerance}}).error;
    std::printf("E = 1e9 Pa, tolerance %.0e: energy error %.1e\n", tolerance, errors[k]);
    EXPECT_LT(errors[k], 300 * tolerance);
  }
  EXPECT_LT(errors[2], 0.05 * errors[0]);
  EXPECT_LT(errors[4], 1e-11);
}

TEST(ExactEnergy, IsKeptByEverySolverThatConverges) {
  for (const char* solver : {"newton", "lbfgs", "root"}) {
    const Course course =
        run(cube_of("corotated"), begin(cube_of("corotated"), "violent"), 60, {.solver = {.name = solver}});
    print("corotated", solver, course);
    EXPECT_LT(course.error, 1e-8) << solver;
  }
}

/// Back to the start after velocities are turned round. Where points were added, forward and backward steps may choose
/// others: they agree to what corrections leave across the path.
TEST(ExactEnergy, StepsCanBeTakenBack) {
  for (const char* material : {"corotated", "neo-hookean", "mooney-rivlin"}) {
    Model model = cube_of(material);
    const State start = begin(model, "mild");
    State state = start;
    const auto integrator = find_integrator("avf").make({.solver = {.tolerance = 1e-13}});
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(integrator->step(model, state, frame).ok());
      for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = -1.0 * state.v[i];
    }
    double away = 0;
    for (std::size_t i = 0; i < state.x.size(); ++i) away = std::max(away, (state.x[i] - start.x[i]).norm());
    std::printf("%-14s 20 steps and back: %.1e m\n", material, away);
    EXPECT_LT(away, 1e-8) << material;
  }
}

/// One violent step, seen turned, or in millimetres and kilometres.
TEST(ExactEnergy, StepsAreTheSameTurnedAndInAnyUnit) {
  const auto after = [](const std::string& material, const Eigen::Matrix3d& turn, double unit) {
    Model model = cube_of(material, unit);
    State state = begin(model, "violent", 1 / unit, true);
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.x[i] = turn * Vec3(state.x[i]);
      state.v[i] = turn * Vec3(state.v[i]);
    }
    EXPECT_TRUE(find_integrator("avf").make({})->step(model, state, frame).ok());
    for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] = unit * (turn.transpose() * Vec3(state.x[i]));
    return state;
  };
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Eigen::Matrix3d still = Eigen::Matrix3d::Identity();
  for (const char* material : {"corotated", "mooney-rivlin"}) {
    const State here = after(material, still, 1);
    for (const State& other : {after(material, turn, 1), after(material, still, 1e-3), after(material, still, 1e3)})
      for (std::size_t i = 0; i < here.x.size(); ++i) EXPECT_LT((here.x[i] - other.x[i]).norm(), 1e-8) << material;
  }
}

/// What refined paths leave behind is scratch: a step depends on the state alone.
TEST(ExactEnergy, RefinedPathsAreForgottenBySnapshots) {
  for (const char* material : {"corotated", "mooney-rivlin"}) {
    const Model model = cube_of(material);
    const State start = begin(model, "violent", 1, true);
    EXPECT_GT(run(cube_of(material), start, 10, {.quadrature = QuadratureRule::gauss3}).error, 1e-7)
        << material << ": nothing has to be refined";
    Simulation simulation(cube_of(material), start, {.integrator = "avf", .h = frame});
    ASSERT_TRUE(simulation.step(3).ok());
    const Snapshot snapshot = simulation.snapshot();
    ASSERT_TRUE(simulation.step(5).ok());
    const std::uint64_t once = simulation.hash();
    simulation.restore(snapshot);
    ASSERT_TRUE(simulation.step(5).ok());
    EXPECT_EQ(simulation.hash(), once) << material;
  }
}

/// A cube of six tets of 1000 kg/m³, stretched by 1.1 along x and turning, as an independent version of this method in
/// NumPy computes it: dense matrices, strain by singular values or invariants, three Gauss points with corrections in
/// every element, residuals of 1e-13. Each: the first vertex, and the velocity of the last, after 30 steps of 1/30 s.
TEST(ExactEnergy, AgreesWithAnIndependentVersionToRounding) {
  struct Reference {
    const char* material;
    Vec3 x_first, v_last;
  };
  const Reference references[]{
      {"corotated",
       {0.21696866578780527, -0.7192265554751669, -0.37830243645716777},
       {-1.321369905106128, 0.058794597084236955, 0.3559286055217422}},
      {"mooney-rivlin",
       {0.2136694710772273, -0.7210613618817957, -0.3787097899643274},
       {-1.385361599231289, -0.2751429738994232, 0.11935495918946903}},
  };
  Mesh mesh;  // vertex 4i + 2j + k at (i, j, k); a tet for every order in which to walk along the axes
  for (int i = 0; i < 8; ++i) mesh.vertices.emplace_back((i >> 2) - 0.5, ((i >> 1) & 1) - 0.5, (i & 1) - 0.5);
  mesh.tets = {{0, 4, 6, 7}, {0, 4, 5, 7}, {0, 2, 6, 7}, {0, 2, 3, 7}, {0, 1, 5, 7}, {0, 1, 3, 7}};
  for (Tet& tet : mesh.tets) {
    const auto edge = [&](int a) -> Vec3 { return mesh.vertices[tet[a]] - mesh.vertices[tet[0]]; };
    if (edge(1).cross(edge(2)).dot(edge(3)) < 0) std::swap(tet[1], tet[2]);
  }
  for (const Reference& reference : references) {
    Model model;
    model.add(
        SolidOptions{.mesh = mesh,
                     .material = testing::only_known(
                         {.name = reference.material, .mu = 1e5, .lambda = 1e5, .kappa = 1e5, .a = 4e4, .b = 1e4}),
                     .density = 1000});
    State state = model.rest_state();
    for (std::size_t i = 0; i < 8; ++i) {
      state.x[i][0] *= 1.1;
      state.v[i] = Vec3(-state.x[i][1], state.x[i][0], 0);
      for (int c = 0; c < 3; ++c) state.v[i][c] += 0.1 * std::sin(1 + 12.9898 * static_cast<double>(3 * i + c));
    }
    const auto integrator = find_integrator("avf").make({.solver = {.tolerance = 1e-13}});
    for (int k = 0; k < 30; ++k) ASSERT_TRUE(integrator->step(model, state, frame).ok());
    const double off = (state.x[0] - reference.x_first).norm(), off_v = (state.v[7] - reference.v_last).norm();
    std::printf("%-14s differs by %.1e m, %.1e m/s\n", reference.material, off, off_v);
    EXPECT_LT(off, 1e-10) << reference.material;
    EXPECT_LT(off_v, 1e-9) << reference.material;
  }
}

TEST(ExactEnergy, HasTheSameBitsForAnyNumberOfThreads) {
  std::vector<State> states;
  for (const int threads : {1, 3}) {
    set_threads(threads);
    Model model;
    model.add(SolidOptions{
        .mesh = make_cube({.cells = 9}), .material = {.name = "corotated", .mu = 1e5, .lambda = 1e5}, .mass = 1000});
    State state = begin(model, "violent");
    const auto integrator = find_integrator("avf").make({});
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(integrator->step(model, state, frame).ok());
    states.push_back(std::move(state));
  }
  set_threads(0);
  for (std::size_t i = 0; i < states[0].x.size(); ++i) EXPECT_EQ(Vec3(states[0].x[i]), Vec3(states[1].x[i]));
}

}  // namespace brio
