/// Newmark's family. [Newmark 1959]
///   y = x_n + h v_n + h²(½−β) a_n;   terms (β at θ=1);   v' = v_n + h((1−γ) a_n + γ a'),   a' = (x'−y)/(βh²)
/// β = ¼, γ = ½ is the trapezoid rule, of order 2; γ > ½ damps and has order 1.
#pragma once

#include <array>

#include "integrators/implicit.h"

namespace brio {

struct NewmarkRule {
  double beta = 0.25;
  double gamma = 0.5;
};

class NewmarkIntegrator : public ImplicitIntegrator {
 public:
  NewmarkIntegrator(const SolverOptions& options, const NewmarkRule& rule) : ImplicitIntegrator(options), rule_(rule) {}

 protected:
  void prepare(const Model& model) override { a_ = NodalField(model.vertices()); }

  /// Sets x_next_ and v_next_.
  bool newmark_step(const State& state, const TimeStep& step, StepReport& report) {
    const double h = step.h;
    acceleration(state, step, a_);
    inertial_target(state, step, y_);
    x_next_ = y_;
    const double coefficient = h * h * (0.5 - rule_.beta);
    for_vertices(y_.size(), [&](std::size_t i) { y_[i] += coefficient * a_[i]; });
    const Term terms[]{{.c = rule_.beta, .theta = 1}};
    // Damping of strain is not part of a_n, so a' takes all of what v' needs.
    strain_rule_ = {.weight = rule_.gamma > 0 ? rule_.beta / rule_.gamma : rule_.beta};
    const double gamma = rule_.gamma;
    const double rate = gamma / (rule_.beta * h);
    if (gamma > 0)
      expect_velocity(rate * h,
                      [&](std::size_t i) -> Vec3 { return y_[i] - (state.v[i] + h * (1 - gamma) * a_[i]) / rate; });
    if (!solve(step, state.x, terms, report)) return false;
    for_vertices(y_.size(), [&](std::size_t i) {
      v_next_[i] = state.v[i] + h * (1 - gamma) * a_[i] + rate * (x_next_[i] - y_[i]);
    });
    return true;
  }

  const NewmarkRule& rule() const { return rule_; }
  /// Of the velocity update, not the weights of positions.
  std::array<Impulse, 2> impulse() const {
    return {{{.b = 1 - rule_.gamma, .theta = 0}, {.b = rule_.gamma, .theta = 1}}};
  }

 private:
  NewmarkRule rule_;
  NodalField a_;
};

}  // namespace brio
