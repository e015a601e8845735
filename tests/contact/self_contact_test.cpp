#include "contact/self_contact.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numeric>
#include <random>

#include "brio/contact.h"
#include "brio/sim.h"
#include "contact/contact_scenes.h"
#include "core/cancellation.h"
#include "core/memory.h"
#include "core/timer.h"
#include "math/block_matrix.h"
#include "model/energies_under_test.h"

namespace brio {
using namespace testing;

namespace {

Eigen::MatrixXd dense_hessian(const Heap& heap, Projection projection) {
  BlockMatrix H(heap.model.pattern());
  NodalField g(heap.model.vertices());
  heap.contact->hessian(heap.state.x, {}, projection, g, H);
  return Eigen::MatrixXd(to_eigen(H));
}

}  // namespace

TEST(SelfContact, DerivativesAreThoseOfTheEnergyOfAHeapOfBodies) {
  const Heap heap;
  const NodalField& x = heap.state.x;
  ASSERT_TRUE(find_crossings(all_surfaces(heap.model), x).empty());
  EXPECT_GT(heap.contact->active_count(x), 20U);
  const Eigen::VectorXd g = gradient_of(*heap.contact, x);
  const Eigen::MatrixXd H = dense_hessian(heap, Projection::none);
  Eigen::VectorXd expected_g(g.size());
  Eigen::MatrixXd expected_H(H.rows(), H.cols());
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    expected_g[k] = difference(x, k, 1e-6, [&](const NodalField& y) { return heap.contact->value(y); });
    expected_H.col(k) = difference(x, k, 1e-6, [&](const NodalField& y) { return gradient_of(*heap.contact, y); });
  }
  EXPECT_LT((g - expected_g).norm(), 1e-7 * g.norm());
  EXPECT_LT((H - expected_H).norm(), 1e-6 * H.norm());
}

TEST(SelfContact, SimplicesThatTouchAreCoupledByLooseBlocksAndTheRestIsDefiniteWithoutThem) {
  const Heap heap;
  BlockMatrix H(heap.model.pattern());
  NodalField g(heap.model.vertices());
  heap.contact->hessian(heap.state.x, {}, Projection::psd, g, H);
  EXPECT_GT(H.loose().size(), 50U);
  for (const LooseBlock& loose : H.loose()) {
    EXPECT_GT(loose.row, loose.column);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> whole(Eigen::MatrixXd(to_eigen(H)));
  EXPECT_GT(whole.eigenvalues().minCoeff(), -1e-11 * whole.eigenvalues().maxCoeff());
  for (LooseBlock& loose : H.loose()) loose.value.fill(0);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> rest(Eigen::MatrixXd(to_eigen(H)));
  EXPECT_GT(rest.eigenvalues().minCoeff(), -1e-11 * rest.eigenvalues().maxCoeff());
}

TEST(SelfContact, ForcesHaveNeitherResultantNorMoment) {
  const Heap heap;
  NodalField g(heap.model.vertices());
  heap.contact->gradient(heap.state.x, {}, g);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double size = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    force += g[i];
    moment += Vec3(heap.state.x[i]).cross(Vec3(g[i]));
    size += g[i].norm();
  }
  EXPECT_LT(force.norm(), 1e-14 * size);
  EXPECT_LT(moment.norm(), 1e-14 * size);
}

TEST(SelfContact, EnergyIsAFunctionOfPlacesAloneToTheBit) {
  Heap heap;
  const NodalField x = heap.state.x;
  const double fresh = heap.contact->value(x);
  ASSERT_GT(fresh, 0);
  NodalField away(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    away[i] = Vec3(x[i]) + 0.01 * Vec3(std::sin(i), std::cos(i), std::sin(3 * i));
  heap.contact->value(away);
  heap.contact->expect(State{.x = away, .v = x}, 0.3);
  EXPECT_EQ(heap.contact->value(x), fresh);
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    EXPECT_EQ(heap.contact->value(x), fresh);
    NodalField g(x.size());
    EXPECT_EQ(heap.contact->gradient(x, {}, g), fresh);
  }
  set_threads(0);
}

/// A list that was found long ago and one that is new hold different pairs, but allow the same steps.
TEST(SelfContact, StepsAreAFunctionOfPlacesAloneToTheBit) {
  Heap aged;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> offset(-1, 1);
  const std::size_t n = aged.state.x.size();
  int limited = 0;
  for (int k = 0; k < 60; ++k) {
    NodalField x = aged.state.x, d(n);
    const double size = std::pow(10, offset(random));
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += 0.004 * Vec3(offset(random), offset(random), offset(random));
      d[i] = size * Vec3(offset(random), offset(random), offset(random));
    }
    Heap fresh;
    const double step = fresh.contact->domain_step(x, d);
    EXPECT_EQ(aged.contact->domain_step(x, d), step) << k;
    EXPECT_EQ(aged.contact->value(x), fresh.contact->value(x)) << k;
    limited += step < 1 ? 1 : 0;
  }
  EXPECT_GT(limited, 30);
}

TEST(SelfContact, ShapesAtRestAreFreeOfItEvenWhenThickerThanTheirElements) {
  Model model;
  model.add(
      WireOptions{.mesh = make_helix({.radius = 0.1, .pitch = 0.03, .turns = 3, .segments = 120}), .radius = 0.02});
  model.add(ClothOptions{.mesh = make_sheet({.size = {0.1, 0.1}, .cells = {20, 20}})});
  const EnergyId index = add_self_contact(model, {.thickness = 0.02, .between = false});
  EXPECT_EQ(model.energy(index).value(model.rest()), 0);
}

/// A vertex that slides over the edge between two triangles of a flat sheet, and over the corner of six.
TEST(SelfContact, ForceDoesNotJumpBetweenNeighboringTriangles) {
  Model model;
  model.add(ClothOptions{.mesh = make_sheet({.size = {0.4, 0.4}, .cells = {4, 4}})});
  const BodyId cube = model.add(SolidOptions{.mesh = make_cube({.size = 0.1, .cells = 1}), .material = soft(1e3)});
  const EnergyId index = add_self_contact(model, {.thickness = 0.02, .stiffness = 100});
  State start = model.rest_state();
  move(model, start, cube, turned(0.9, {1, 0.3, 0.8}), {0, 0.1, 0}, Vec3::Zero());
  double lowest = 1;
  const Body& b = model.body(cube);
  for (std::size_t k = 0; k < b.mesh.vertices.size(); ++k) lowest = std::min(lowest, start.x[b.first_vertex + k][1]);
  constexpr int steps = 4000;
  constexpr double stride = 0.2 / steps;  // [m]
  Eigen::VectorXd before;
  double most = 0, largest = 0;
  for (int s = 0; s <= steps; ++s) {
    State state = start;
    move(model, state, cube, Eigen::Matrix3d::Identity(), {-0.1 + s * stride, 0.015 - lowest, 0.37 * s * stride},
         Vec3::Zero());
    const Eigen::VectorXd g = gradient_of(model.energy(index), state.x);
    largest = std::max(largest, g.norm());
    if (s > 0) most = std::max(most, (g - before).norm());
    before = g;
  }
  // Half the thickness compressed changes the force by that much per meter; sixteen pairs may meet at a corner.
  EXPECT_GT(largest, 0.3);
  EXPECT_LT(most, 16 * 8 * 100 * stride);
}

TEST(SelfContact, RefusesBodiesThatStartEntangled) {
  Model model;
  const Mesh cube = make_cube({.size = 0.2, .cells = 1});
  model.add(SolidOptions{.name = "left", .mesh = cube, .material = soft(1e3)});
  model.add(SolidOptions{.name = "right", .mesh = cube, .material = soft(1e3)});
  add_self_contact(model, {});
  State state = model.rest_state();
  move(model, state, BodyId(1), turned(0.3, {1, 1, 0}), {0.1, 0.05, 0.02}, Vec3::Zero());
  try {
    const Simulation simulation(std::move(model), state, {.integrator = "backward-euler"});
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("passes through"), std::string::npos) << error.what();
  }
}

TEST(SelfContact, RefusesOptionsOutOfBounds) {
  Model model;
  model.add(ClothOptions{.mesh = make_sheet({})});
  EXPECT_THROW(add_self_contact(model, {.thickness = 0}), InputError);
  EXPECT_THROW(add_self_contact(model, {.stiffness = -1}), InputError);
  EXPECT_THROW(add_self_contact(model, {.speed = 0}), InputError);
  EXPECT_THROW(add_self_contact(model, {.bodies = {BodyId(1)}}), InputError);
  EXPECT_TRUE(model.interactions().empty());
}

TEST(SelfContact, ABodyNamedTwiceTakesPartOnce) {
  const auto contact = [](std::vector<BodyId> bodies) {
    Model model;
    for (int b = 0; b < 2; ++b) model.add(SolidOptions{.mesh = make_cube({.size = 0.2, .cells = 1})});
    add_self_contact(model, {.thickness = 0.02, .bodies = std::move(bodies)});
    State state = model.rest_state();
    for (std::size_t i = model.vertices() / 2; i < model.vertices(); ++i) state.x[i] += Vec3(0.03, 0.21, 0.02);
    const Simulation simulation(std::move(model), state, {});
    return simulation.ledger().contact;
  };
  const BodyId a(0), b(1);
  EXPECT_GT(contact({a, b}), 0);
  EXPECT_EQ(contact({a, b}), contact({b, a, b, a}));
}

TEST(SelfContact, AStepInWhichAllMeetsAllFailsWithFiguresAndChangesNothing) {
  set_memory_limit(1e8);
  for (const char* integrator : {"backward-euler", "symplectic-euler"}) {
    Model model;
    model.add(ClothOptions{.mesh = make_sheet({.cells = {40, 40}})});
    add_self_contact(model, {.thickness = 5e-3});
    State state = model.rest_state();
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = Vec3(0, 1e5, 0).cross(Vec3(state.x[i]));
    Simulation simulation(std::move(model), std::move(state), {.integrator = integrator, .h = 0.01});
    const std::uint64_t before = simulation.hash();
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepReport::Status::failed);
    EXPECT_NE(report.message.find("million pairs"), std::string::npos) << report.message;
    EXPECT_NE(report.message.find("choose a smaller h"), std::string::npos) << report.message;
    EXPECT_EQ(simulation.hash(), before);
    EXPECT_TRUE(simulation.ledger().failed);
  }
  set_memory_limit(0);
}

TEST(SelfContact, WhatCouldNeverTouchIsRefused) {
  const auto complaint = [](const SelfContactOptions& options, double place = 0) -> std::string {
    Model model;
    for (int k = 0; k < 2; ++k) {
      Mesh cube = make_cube({.size = 0.2, .cells = 1});
      for (Vec3& p : cube.vertices) p += Vec3(place, 0.25 * k, 0);
      model.add(SolidOptions{.name = k == 0 ? "below" : "above", .mesh = cube});
    }
    try {
      add_self_contact(model, options);
      Simulation(std::move(model), {.h = 1e-3}).step();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(complaint({.thickness = 0.1}), "accepted");
  EXPECT_EQ(
      complaint({.thickness = 1e-300}),
      "contact.thickness = 1e-300 m: is lost in the rounding of positions: below reaches to 0.1 m; choose at least "
      "2e-13 m, or bring below nearer to the origin");
  EXPECT_EQ(complaint({.thickness = 1e-3}, 1e10),
            "contact.thickness = 0.001 m: is lost in the rounding of positions: below reaches to 1e+10 m; choose at "
            "least 2e-02 m, or bring below nearer to the origin");
  for (const double speed : {1e-200, 1e200})
    EXPECT_NE(complaint({.thickness = 0.1, .speed = speed}).find("give a stiffness, or another contact.thickness"),
              std::string::npos)
        << complaint({.thickness = 0.1, .speed = speed});
}

/// Eight times as many bodies in a row, each near two others: looking at all pairs would take 64 times as long.
TEST(SelfContact, BodiesThatAreFarApartCostNothing) {
  const auto seconds = [](int bodies) {
    Model model;
    for (int k = 0; k < bodies; ++k) {
      Mesh cube = make_cube({.size = 0.2, .cells = 1});
      for (Vec3& p : cube.vertices) p.x() += 0.25 * k;
      model.add(SolidOptions{.mesh = cube});
    }
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
      const Stopwatch watch;
      std::vector<BodyId> all;
      for (const Body& body : model.bodies()) all.push_back(body.id);
      const std::vector<ContactSurface> surfaces = contact_surfaces(model, all, 0.06);
      EXPECT_TRUE(find_crossings(surfaces, model.rest()).empty());
      EXPECT_FALSE(went_through(surfaces, model.rest(), model.rest()));
      PairList list(model, surfaces, {.speed = 1});
      list.cover(model.rest());
      EXPECT_GT(list.pairs().size(), static_cast<std::size_t>(bodies));
      least = std::min(least, watch.seconds());
    }
    return least;
  };
  EXPECT_LT(seconds(1600), 30 * seconds(200));
}

/// Simplices that slide past each other at a hair's breadth take hundreds of strides each, all in one chunk of work.
TEST(SelfContact, ALongContinuousSearchCanBeCanceledBetweenPairs) {
  Model model;
  for (int k = 0; k < 2; ++k) {
    Mesh sheet = make_sheet({.size = {1, 1}, .cells = {3, 2}});
    for (Vec3& p : sheet.vertices) p.y() += 1e-4 * k;
    model.add(ClothOptions{.mesh = sheet});
  }
  add_self_contact(model, {.thickness = 2e-4, .self = false});
  const auto& contact = dynamic_cast<const SelfContact&>(*model.energies().back());
  NodalField d(model.vertices());
  for (std::size_t i = d.size() / 2; i < d.size(); ++i) d[i] = Vec3(1, 0, 0.3);
  double whole = std::numeric_limits<double>::infinity();  // ms
  for (int k = 0; k < 5; ++k) {
    const Stopwatch watch;
    EXPECT_GT(contact.domain_step(model.rest(), d), 0);
    whole = std::min(whole, watch.milliseconds());
  }
  ASSERT_LT(contact.elements(), 1024U) << "more would be several chunks";
  ASSERT_GT(whole, 0.05) << "the search must take long to be cut short";
  const Cancellation cancellation(nullptr, whole / 4);
  const CancelScope scope(&cancellation);
  EXPECT_THROW(contact.domain_step(model.rest(), d), Canceled);
}

}  // namespace brio
