#include "experiments/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "brio/sim.h"

namespace brio {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

State advance(const Method& method, const IntegratorOptions& options, const Problem& problem, State state, int steps) {
  const auto integrator = make_integrator(method, options, problem.model);
  for (int i = 0; i < steps; ++i)
    if (!integrator->step(problem.model, state, problem.duration / steps).ok()) {
      state.x[0] = Vec3::Constant(nan);
      break;
    }
  return state;
}

}  // namespace

IntegratorOptions precise() {
  IntegratorOptions options;
  options.solver.tolerance = 1e-12;
  return options;
}

double distance(const State& a, const State& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) sum += (a.x[i] - b.x[i]).squaredNorm() + (a.v[i] - b.v[i]).squaredNorm();
  return std::sqrt(sum);
}

State run(const Method& method, const IntegratorOptions& options, const Problem& problem, int steps) {
  return advance(method, options, problem, problem.start, steps);
}

namespace {

/// run(steps): the problem after its duration, and `exact` what should come out, where that is known.
template <class Run>
double order_of(const Problem& problem, const std::function<State(double)>& exact, Run run) {
  constexpr int levels = 10;
  constexpr double floor = 1e-10;    // of the error: solvers and rounding stay below
  constexpr double settled = 0.004;  // of the order, from one level to the next
  double order = nan, error = nan;
  State before = run(problem.steps);
  if (exact) error = distance(before, exact(problem.duration));
  for (int level = 1; level < levels; ++level) {
    State end = run(problem.steps << level);
    const double finer = distance(end, exact ? exact(problem.duration) : before);
    if (finer < floor && std::isfinite(order)) break;
    const double next = std::log2(error / finer);  // NaN until there are two errors
    const bool steady = std::abs(next - order) < settled;
    if (std::isfinite(next)) order = next;
    if (steady) break;
    error = finer;
    before = std::move(end);
  }
  return std::isfinite(error) ? order : nan;
}

}  // namespace

double measured_order(const Method& method, const IntegratorOptions& options, const Problem& problem) {
  return order_of(problem, problem.exact, [&](int steps) { return run(method, options, problem, steps); });
}

double measured_order(const Method& method, const IntegratorOptions& options, const Problem& problem,
                      const Damping& damping) {
  return order_of(problem, {}, [&](int steps) {
    Model model = problem.model;
    model.set_damping(damping);
    Simulation simulation(std::move(model), problem.start,
                          {.integrator = method.name, .h = problem.duration / steps, .options = options});
    if (simulation.step(steps).ok()) return simulation.state();
    State failed = problem.start;
    failed.x[0] = Vec3::Constant(nan);
    return failed;
  });
}

double round_trip_error(const Method& method, const IntegratorOptions& options, const Problem& problem) {
  const auto turn_round = [](State& state) {
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] *= -1;
    state.memory.clear();
  };
  State state = run(method, options, problem, problem.steps);
  turn_round(state);
  state = advance(method, options, problem, std::move(state), problem.steps);
  turn_round(state);
  return distance(state, problem.start);
}

double symplectic_defect(const Method& method, const IntegratorOptions& options) {
  const Problem problem = planar_spring();
  using Phase = Eigen::Vector4d;
  const auto map = [&](const Phase& offset) {
    State state = problem.start;
    state.x[1].head<2>() += offset.head<2>();
    state.v[1].head<2>() += offset.tail<2>();
    state = advance(method, options, problem, std::move(state), problem.steps);
    return Phase(state.x[1][0], state.x[1][1], state.v[1][0], state.v[1][1]);
  };
  // Central differences of order eight: arms as wide as that allow divide what solvers leave by much.
  constexpr double arm = 3e-3;
  constexpr double weights[]{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  Eigen::Matrix4d J = Eigen::Matrix4d::Zero();
  for (int k = 0; k < 4; ++k)
    for (int n = 0; n < 4; ++n) {
      const Phase offset = (n + 1) * arm * Phase::Unit(k);
      J.col(k) += weights[n] / arm * (map(offset) - map(-offset));
    }
  Eigen::Matrix4d omega = Eigen::Matrix4d::Zero();  // the mass is 1 kg, so v is the momentum
  omega.topRightCorner<2, 2>().setIdentity();
  omega.bottomLeftCorner<2, 2>() = -Eigen::Matrix2d::Identity();
  return (J.transpose() * omega * J - omega).cwiseAbs().maxCoeff();
}

MomentumDrift momentum_drift(const Method& method, const IntegratorOptions& options, const Problem& problem, double h,
                             int steps) {
  const Model& model = problem.model;
  State state = problem.start;
  const Vec3 linear = model.linear_momentum(state.v);
  const Vec3 angular = model.angular_momentum(state.x, state.v);
  MomentumDrift drift{0, 0};
  const auto integrator = make_integrator(method, options, model);
  for (int i = 0; i < steps; ++i) {
    if (!integrator->step(model, state, h).ok()) return {nan, nan};
    drift.linear = std::max(drift.linear, (model.linear_momentum(state.v) - linear).norm() / linear.norm());
    drift.angular =
        std::max(drift.angular, (model.angular_momentum(state.x, state.v) - angular).norm() / angular.norm());
  }
  return drift;
}

}  // namespace brio
