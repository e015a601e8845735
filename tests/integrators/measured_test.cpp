/// What the registry declares of every method is measured: claims that hold, and no claim forgone.
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/measure.h"

namespace brio {
namespace {

/// As precise(); and methods that step in only when the energy leaves its tolerance do so at once.
IntegratorOptions vigilant() {
  IntegratorOptions options = precise();
  options.epsilon = 1e-10;
  return options;
}

bool is_explicit(const Method& method) { return method.family == "explicit"; }

}  // namespace

TEST(Measured, OrderIsWhatTheRegistryDeclares) {
  for (const Problem& problem : order_problems())
    for (const Method& method : integrators())
      EXPECT_NEAR(measured_order(method, precise(), problem), method.order, 0.1) << method.name << ", " << problem.name;
}

TEST(Measured, ExactlyTheSymplecticMethodsKeepTheSymplecticForm) {
  for (const Method& method : integrators()) {
    if (method.symplectic) {
      EXPECT_LT(symplectic_defect(method, precise()), 1e-9) << method.name;
    } else {
      EXPECT_GT(symplectic_defect(method, vigilant()), 1e-4) << method.name;
    }
  }
}

TEST(Measured, ExactlyTheReversibleMethodsComeBack) {
  for (const Problem& problem : {pendulum(), solid()})
    for (const Method& method : integrators()) {
      if (method.reversible) {
        EXPECT_LT(round_trip_error(method, precise(), problem), is_explicit(method) ? 1e-13 : 1e-9)
            << method.name << ", " << problem.name;
      } else {
        EXPECT_GT(round_trip_error(method, vigilant(), problem), 1e-7) << method.name << ", " << problem.name;
      }
    }
}

TEST(Measured, LinearMomentumOfAFreeSolidIsKept) {
  const Problem problem = solid();
  for (const Method& method : integrators())
    if (method.linear_momentum) {
      EXPECT_LT(momentum_drift(method, precise(), problem, 0.03, 200).linear, is_explicit(method) ? 1e-12 : 1e-9)
          << method.name;
    }
}

TEST(Measured, ExactlyTheMethodsThatSaySoKeepAngularMomentum) {
  const Problem problem = solid();
  for (const Method& method : integrators()) {
    if (method.angular_momentum) {
      EXPECT_LT(momentum_drift(method, precise(), problem, 0.03, 200).angular, is_explicit(method) ? 1e-12 : 1e-9)
          << method.name;
    } else {
      EXPECT_GT(momentum_drift(method, vigilant(), problem, 0.03, 200).angular, 1e-8) << method.name;
    }
  }
}

}  // namespace brio
