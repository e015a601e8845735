/// What the registry declares of every method is measured: claims that hold, and no claim forgone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiments/measure.h"

namespace brio {
namespace {

/// As precise(); and methods that step in only when the energy leaves its tolerance do so at once.
IntegratorOptions vigilant(const Method& method) {
  IntegratorOptions options = precise();
  if (std::ranges::count(method.options, "epsilon") > 0) options.epsilon = 1e-10;
  return options;
}

/// Those that follow Newton's law: what is declared of others is in tests/sim/equilibrium_test.cpp.
std::vector<Method> dynamic_methods() {
  std::vector<Method> methods;
  for (const Method& method : integrators())
    if (method.dynamic) methods.push_back(method);
  return methods;
}

/// Energy of a mass on a nonlinear spring over many turns, relative to its start.
struct EnergyCourse {
  double early = 0, late = 0;  ///< means over the first and the last quarter
  double widest = 0;           ///< largest deviation from 1
};

EnergyCourse energy_course(const Method& method) {
  const Problem problem = planar_spring();
  const double start = measure(problem.model, problem.start).total;
  const int quarter = 1000;  // of all steps
  const auto integrator = make_integrator(method, precise(), problem.model);
  EnergyCourse course;
  State state = problem.start;
  for (int i = 0; i < 4 * quarter; ++i) {
    if (!integrator->step(problem.model, state, 0.03).ok()) return {1, 1e9, 1e9};  // it exploded
    const double energy = measure(problem.model, state).total / start;
    if (i < quarter) course.early += energy / quarter;
    if (i >= 3 * quarter) course.late += energy / quarter;
    course.widest = std::max(course.widest, std::abs(energy - 1));
  }
  return course;
}

bool is_explicit(const Method& method) { return method.family == "explicit"; }

}  // namespace

TEST(Measured, OrderIsWhatTheRegistryDeclares) {
  for (const Problem& problem : order_problems())
    for (const Method& method : dynamic_methods())
      EXPECT_NEAR(measured_order(method, precise(), problem), method.order, 0.1) << method.name << ", " << problem.name;
}

TEST(Measured, OrderWithDampingIsWhatTheRegistryDeclares) {
  const Problem problem = solid();
  for (const Method& method : dynamic_methods()) {
    const double drag = measured_order(method, precise(), problem, {.drag = 0.3});
    const double relative = measured_order(method, precise(), problem, {.relative = 0.3});
    const double strain = measured_order(method, precise(), problem, {.strain = 0.02});
    const double linear = measured_order(method, precise(), oscillator(), {.drag = 0.3});
    std::printf("%-20s order %d, with drag %.2f, relative %.2f, damping of strain %.2f; linear with drag %.2f\n",
                method.name.c_str(), method.order, drag, relative, strain, linear);
    EXPECT_NEAR(linear, method.order_with_damping.drag, 0.1) << method.name;
    EXPECT_NEAR(drag, method.order_with_damping.drag, 0.1) << method.name;
    EXPECT_NEAR(relative, method.order_with_damping.drag, 0.1) << method.name;
    EXPECT_NEAR(strain, method.order_with_damping.strain, 0.1) << method.name;
  }
}

TEST(Measured, ExactlyTheSymplecticMethodsKeepTheSymplecticForm) {
  for (const Method& method : dynamic_methods()) {
    if (method.symplectic) {
      EXPECT_LT(symplectic_defect(method, precise()), 1e-9) << method.name;
    } else {
      EXPECT_GT(symplectic_defect(method, vigilant(method)), 1e-4) << method.name;
    }
  }
}

TEST(Measured, ExactlyTheReversibleMethodsComeBack) {
  for (const Problem& problem : {pendulum(), solid()})
    for (const Method& method : dynamic_methods()) {
      if (method.reversible) {
        EXPECT_LT(round_trip_error(method, precise(), problem), is_explicit(method) ? 1e-13 : 1e-9)
            << method.name << ", " << problem.name;
      } else {
        EXPECT_GT(round_trip_error(method, vigilant(method), problem), 1e-7) << method.name << ", " << problem.name;
      }
    }
}

TEST(Measured, LinearMomentumOfAFreeSolidIsKept) {
  const Problem problem = solid();
  for (const Method& method : dynamic_methods())
    if (method.linear_momentum) {
      EXPECT_LT(momentum_drift(method, precise(), problem, 0.03, 200).linear, is_explicit(method) ? 1e-12 : 1e-9)
          << method.name;
    }
}

TEST(Measured, ExactlyTheMethodsThatSaySoKeepAngularMomentum) {
  const Problem problem = solid();
  for (const Method& method : dynamic_methods()) {
    if (method.angular_momentum) {
      EXPECT_LT(momentum_drift(method, precise(), problem, 0.03, 200).angular, is_explicit(method) ? 1e-12 : 1e-9)
          << method.name;
    } else {
      EXPECT_GT(momentum_drift(method, vigilant(method), problem, 0.03, 200).angular, 1e-8) << method.name;
    }
  }
}

/// As docs/integrators.md says: the judge of the torture test does not ask explicit ones for it.
TEST(Measured, UnderDampingOfStrainImplicitMethodsKeepAngularMomentumAndExplicitOnesDoNot) {
  Problem problem = solid();
  problem.model.set_damping({.strain = 1e-3});
  for (const Method& method : dynamic_methods()) {
    if (!method.angular_momentum) continue;
    const double drift = momentum_drift(method, precise(), problem, 0.03, 200).angular;
    if (is_explicit(method)) {
      EXPECT_GT(drift, 1e-10) << method.name;
    } else {
      EXPECT_LT(drift, 1e-9) << method.name;
    }
  }
}

TEST(Measured, EnergyBehavesAsTheRegistryDeclares) {
  for (const Method& method : dynamic_methods()) {
    const EnergyCourse course = energy_course(method);
    switch (method.energy) {
      case EnergyBehavior::grows:
        EXPECT_GT(course.late - course.early, 0.01) << method.name;
        break;
      case EnergyBehavior::decays:
        EXPECT_LT(course.late - course.early, -0.001) << method.name;
        break;
      case EnergyBehavior::oscillates:
        EXPECT_LT(std::abs(course.late - course.early), 0.01 * course.widest) << method.name;
        EXPECT_GT(course.widest, 1e-7) << method.name;
        break;
      case EnergyBehavior::kept:
        EXPECT_LT(course.widest, 1e-8) << method.name;
        break;
      case EnergyBehavior::tracked:
        EXPECT_LT(course.widest, 1.5 * precise().epsilon) << method.name;
        break;
      case EnergyBehavior::drifts:
        EXPECT_GT(std::abs(course.late - course.early), 1e-6) << method.name;
        break;
    }
  }
}

}  // namespace brio
