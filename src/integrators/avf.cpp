#include "integrators/implicit.h"
#include "integrators/quadrature.h"

namespace brio {
namespace {

/// Average vector field: the force of a step is its mean along the straight path. Order 2. [Rojas, Liu & Kavan 2018,
/// eq. 12; Quispel & McLaren 2008]
///   y = x_n + h v_n + (h²/2) b_0 M⁻¹f(x_n);   terms (b_i/(2 s_i) at θ=s_i), s_i > 0;   v' = 2(x' − x_n)/h − v_n
/// Conserves energy exactly when the rule (nodes s_i, weights b_i) is exact for the forces along the step: Simpson or
/// two Gauss points for StVK, three for quintic forces. Keeps linear, not angular momentum.
/// Departs: any rule (their appendix B; its eq. 33 has a stray h). Forces that are no polynomials are averaged by as
/// many points per element as its energy needs, with a correction for the rest (model/energies/path_means.h); Hookean
/// springs and contact with planes in closed form. Bodies that touch each other, or barriers, have a discrete gradient
/// instead of a mean (contact/pair_path.h), which has no potential: such steps are roots, found from the minimum with
/// contact at the end of the step, and halved where they are not. Energy is then exact but for what the solver leaves:
/// at most its tolerance times the work of the forces in play in each step.
class Avf final : public ImplicitIntegrator {
 public:
  /// An empty rule: the one that suits the model, with adaptive means of what no rule suits.
  Avf(const SolverOptions& options, Quadrature rule) : ImplicitIntegrator(options), rule_(std::move(rule)) {
    strain_rule_ = {.weight = 0.5};
    averages_paths_ = rule_.nodes.empty() ? Averaging::adaptive : Averaging::closed;
  }

 private:
  void prepare(const Model& model) override {
    a_ = NodalField(model.vertices());
    const Quadrature rule = rule_.nodes.empty() ? exact_quadrature(model, averages_paths_) : rule_;
    terms_.clear();
    impulse_.clear();
    start_weight_ = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      impulse_.push_back({.b = rule.weights[i], .theta = rule.nodes[i]});
      if (rule.nodes[i] > 0) {
        terms_.push_back({.c = rule.weights[i] / (2 * rule.nodes[i]), .theta = rule.nodes[i]});
      } else {
        start_weight_ += rule.weights[i];
      }
    }
  }

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    const double h = step.h;
    StepReport report;
    expect_velocity(state, h, 2, 1);
    inertial_target(state, step, y_);
    x_next_ = y_;
    if (start_weight_ != 0) {
      start_acceleration(state, step);
      const double coefficient = h * h / 2 * start_weight_;
      for_vertices(y_.size(), [&](std::size_t i) { y_[i] += coefficient * a_[i]; });
    }
    if (!solve(step, state.x, terms_, report)) return report;
    set_velocity(state, h, 2, 1);
    book_supports(state, step, impulse_, report);
    return commit(state, step, std::move(report));
  }

  /// Of all that a rule averages, loads and gravity; means along the path have no part at the start.
  void start_acceleration(const State& state, const TimeStep& step) {
    for_vertices(a_.size(), [&](std::size_t i) { a_[i] = model().mass()[i] * model().gravity(); });
    const Configuration at{state.x, Moment::stage(step.start, step.end)};  // without what is let go in this step
    for (const auto& energy : model().energies())
      if (!energy->takes_mean(averages_paths_)) energy->gradient(at, {.gradient = -1}, a_);
    const NodalField* const held = held_load();
    for_vertices(a_.size(), [&](std::size_t i) {
      if (held != nullptr) a_[i] += (*held)[i];
      a_[i] *= model().pinned()[i] != 0 ? 0 : 1 / model().mass()[i];
    });
  }

  Quadrature rule_;
  std::vector<Term> terms_;
  std::vector<Impulse> impulse_;
  double start_weight_ = 0;  ///< b_0 of a node at the start of the step
  NodalField a_;
};

}  // namespace

Method avf() {
  return {
      .name = "avf",
      .aliases = {"average-vector-field"},
      .family = "implicit",
      .order = 2,
      .rayleigh_s0 = true,
      .reversible = true,
      .energy = EnergyBehavior::kept,
      .energy_unless =
          "unless a rule of quadrature is given that the forces are too high for, or something touches a collider "
          "that is no plane and has not the law barrier, or more energy is in play than it takes to press an element "
          "of "
          "a material that forbids inversion to a millionth of its volume, where rounding shows (of neo-hookean 14 mu "
          "times the volume of its smallest element: steps are halved, and the run stops where that does not help), or "
          "a wire that resists torsion starts collapsed to less than a thousandth of its length (likewise): "
          "forces of planes, of barriers and between bodies do exactly "
          "the work that contact stores, springs of other colliders are averaged by points",
      .options = {"quadrature", "nodes", "weights"},
      .reference = "Rojas, Liu & Kavan 2018; Quispel & McLaren 2008",
      .sentence =
          "lively at any step: energy is conserved exactly, so nothing explodes and nothing dies down; the "
          "error of a step is at most solver.tolerance times the work of the forces in play",
      .cost =
          "one solve per step, each evaluation once per quadrature node; some three times as much in violent "
          "motion of materials whose forces are no polynomials",
      .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
        return std::make_unique<Avf>(options.solver, quadrature(options));
      }};
}

}  // namespace brio
