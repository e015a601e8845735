#include <cmath>
#include <limits>
#include <utility>

#include "integrators/discrete_gradient.h"

namespace brio {
namespace {

/// The discrete gradient of H(x, v) as a whole, which [Rojas et al. 2018, fig. 2] solves for one particle. Order 2.
/// [Gonzalez 1996]
///   Δx = h v̄ + hσ M⁻¹Δv,   Δv = −h M⁻¹(∇E(x̄) + σ Δx),   σ = (E(x') − E(x_n) − ∇E(x̄)·Δx) / (|Δx|² + |Δv|²)
/// from ∇̄H = ∇H(z̄) + σ Δz, z = (x, v); kinetic energy is quadratic, so it has no part in the defect. Energy is exact.
/// The norm adds m² to m²/s² and depends on the observer, and the correction gives momentum: for comparison only.
/// Newton's method in (x, v), from (x_n + h v_n, v_n), with merit Σ m (|a_x|²/s² + |a_v|²), a the residuals of both
/// equations. It stalls where the Jacobian is singular, as with S0's particle at h = 0.033 s, until rounding throws it
/// somewhere else.
class PhaseSpaceGradient final : public DiscreteGradientIntegrator {
 public:
  using DiscreteGradientIntegrator::DiscreteGradientIntegrator;

  void check(const Model& model) const override {
    if (model.is_driven())
      throw InputError({.key = "integrator.form",
                        .value = "phase-space",
                        .problem = "has no balance with what is driven along a path, as something in this model is",
                        .advice = "use \"elastodynamic\""});
  }

 private:
  void prepare(const Model& model) override {
    check(model);
    const std::size_t count = model.vertices();
    for (NodalField* field : {&z_, &trial_, &a_, &minus_, &other_, &d_}) *field = NodalField(2 * count);
    for (NodalField* field : {&x_, &r_, &mean_, &slope_, &b_, &dx_}) *field = NodalField(count);
    gmres_.prepare(2 * count);
  }

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    static constexpr Impulse impulse[]{{.b = 1, .theta = 0.5}};
    const std::size_t count = state.x.size();
    StepReport report;
    inertial_target(state, step, y_);
    x_next_ = y_;
    declare(step.h, step, state.x, terms);
    if (!admit_guess(solver(), report)) return report;
    state_ = &state;
    step_ = step;
    E_n_ = energy_of({state.x, Moment::at(step.start)}, Averaging::none);
    for_vertices(count, [&](std::size_t i) {
      z_[i] = x_next_[i];
      z_[count + i] = state.v[i];
    });
    merit_ = evaluate(z_, a_);
    if (!std::isfinite(merit_)) {
      for_vertices(count, [&](std::size_t i) { z_[i] = state.x[i]; });
      merit_ = evaluate(z_, a_);
    }
    if (!accept_root(solve_equations(merit_), step.h, report)) return report;
    for_vertices(count, [&](std::size_t i) {
      x_next_[i] = z_[i];
      v_next_[i] = model().pinned()[i] != 0 ? Vec3(Vec3::Zero()) : Vec3(z_[count + i]);
    });
    book_supports(state, step, impulse, report);
    return commit(state, step, std::move(report));
  }

  /// Sets a = (a_x, a_v) at z; returns the merit, or what is not finite.
  double evaluate(const NodalField& z, NodalField& a) {
    const std::size_t count = x_.size();
    const double h = step_.h;
    const State& from = *state_;
    for_vertices(count, [&](std::size_t i) {
      x_[i] = z[i];
      mean_[i] = from.x[i] + 0.5 * (z[i] - from.x[i]);
    });
    // M(Δx − h v_n)/h² + ½(∇E(x̄) − loads + damping); pinned vertices have none.
    const double phi = objective().gradient(x_, r_);
    slope_.set_zero();
    const Configuration middle{mean_, Moment::along(step_, from.x, 0.5)};
    for (const auto& energy : model().energies()) energy->gradient(middle, {}, slope_);
    const double E = energy_of({x_, Moment::along(step_, from.x, 1)}, Averaging::none);
    const double work = sum_(count, [&](std::size_t i) { return slope_[i].dot(x_[i] - from.x[i]); });
    const double squared = sum_(count, [&](std::size_t i) {
      return (z[i] - from.x[i]).squaredNorm() + (z[count + i] - from.v[i]).squaredNorm();
    });
    const double excess = E - E_n_ - work;
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
    const double blur = rounding * (std::abs(E) + std::abs(E_n_) + std::abs(work));
    sigma_ = std::abs(excess) > blur && squared > 0 ? excess / squared : 0;
    const double sum = sum_(count, [&](std::size_t i) {
      if (model().pinned()[i] != 0) {
        a[i].setZero();
        a[count + i].setZero();
        return 0.0;
      }
      const double m = model().mass()[i];
      const Vec3 dx = z[i] - from.x[i];
      const Vec3 dv = z[count + i] - from.v[i];
      const Vec3 force = 2 * (r_[i] - m / (h * h) * (dx - h * from.v[i])) + sigma_ * dx;
      a[i] = dx - h * (from.v[i] + 0.5 * dv) - h * sigma_ / m * dv;
      a[count + i] = dv + h / m * force;
      return m * (a[i].squaredNorm() + a[count + i].squaredNorm());
    });
    return std::isfinite(E) && std::isfinite(phi) ? std::sqrt(sum) : std::numeric_limits<double>::infinity();
  }

  /// As forces: M a_x/h² and M a_v/(2h) are what is out of balance in x [N/√kg].
  double unbalanced(const NodalField& a) {
    const std::size_t count = x_.size();
    const double h = step_.h;
    return std::sqrt(sum_(count, [&](std::size_t i) {
      return model().mass()[i] * (a[i].squaredNorm() / (h * h * h * h) + a[count + i].squaredNorm() / (4 * h * h));
    }));
  }
  bool converged(SolveReport& report) override {
    const double norm = unbalanced(a_);
    report.residual = objective().relative(norm);
    return norm <= objective().goal(options_.tolerance);
  }
  double max_step() override {
    const std::size_t count = x_.size();
    for_vertices(count, [&](std::size_t i) {
      x_[i] = z_[i];
      dx_[i] = d_[i];
    });
    return objective().domain_step(x_, dx_);
  }
  double try_step(double step) override {
    for_vertices(z_.size(), [&](std::size_t i) { trial_[i] = z_[i] + step * d_[i]; });
    return evaluate(trial_, other_);
  }
  void accept(double) override {
    std::swap(z_, trial_);
    std::swap(a_, other_);
  }
  bool only_rounding_left() override {
    evaluate(z_, a_);
    return objective().at_rounding(unbalanced(a_));
  }

  /// d_ = −J⁻¹a at z_. Without σ it is M/h² + K/4, applied to −(M/h² a_x + M/(2h) a_v).
  bool find_direction(SolveReport& report) override {
    const std::size_t count = x_.size();
    const double h = step_.h;
    for_vertices(count, [&](std::size_t i) { x_[i] = z_[i]; });
    for_vertices(a_.size(), [&](std::size_t i) { minus_[i] = -a_[i]; });
    const auto gather = [&](const NodalField& v) {
      for_vertices(count,
                   [&](std::size_t i) { b_[i] = model().mass()[i] * (v[i] / (h * h) + v[count + i] / (2 * h)); });
    };
    gather(minus_);
    if (!hessian_.make_and_solve(objective(), x_, r_, b_, dx_, report)) return false;
    const auto precondition = [&](const NodalField& v, NodalField& z) {
      gather(v);
      const bool solved = hessian_.solve(b_, dx_, report);
      for_vertices(count, [&](std::size_t i) {
        z[i] = dx_[i];
        z[count + i] = 2 / h * (dx_[i] - v[i]);
      });
      return solved;
    };
    const auto product = [&](const NodalField& v, NodalField& Jv) {
      report.evaluations += 5;  // two, and a linear solve
      differentiate(z_, v, Jv, [&](const NodalField& z, NodalField& a) { evaluate(z, a); });
    };
    const auto weight = [&](std::size_t i) {
      return model().pinned()[i % count] != 0 ? 0.0 : model().mass()[i % count];
    };
    gmres_.solve(minus_, direction_tolerance, product, precondition, weight, d_);
    return sum_.finite(d_);
  }

  NodalField z_, d_;      ///< (x, v) and the direction
  NodalField a_, minus_;  ///< residuals
  NodalField x_, r_, mean_, slope_, b_, dx_;
  double E_n_ = 0, sigma_ = 0, merit_ = 0;
  const State* state_ = nullptr;  ///< where the step starts
  TimeStep step_;
};

}  // namespace

std::unique_ptr<Integrator> make_phase_space_gradient(const SolverOptions& options) {
  return std::make_unique<PhaseSpaceGradient>(options);
}

}  // namespace brio
