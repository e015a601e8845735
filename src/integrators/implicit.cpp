#include "integrators/implicit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/force.h"

namespace brio {
namespace {

/// Where along the step damping of strain measures. The middle: forces of that shape turn nothing there, and their work
/// over the step is what it loses.
constexpr double strain_theta = 0.5;

}  // namespace

ImplicitIntegrator::ImplicitIntegrator(const SolverOptions& options)
    : options_(options), solver_(make_solver(options)) {}

StepReport ImplicitIntegrator::step(const Model& model, State& state, double h) {
  if (model_ != &model || pattern_ != model.pattern()) {
    model_ = &model;
    pattern_ = model.pattern();
    objective_.emplace(model);
    for (NodalField* field : {&y_, &x_next_, &v_next_}) *field = NodalField(model.vertices());
    if (!model.forces().empty()) load_ = NodalField(model.vertices());
    if (model.damping().strain > 0) {
      strain_.prepare(model);
      strain_x_ = strain_g_ = NodalField(model.vertices());
    }
    prepare(model);
  }
  return attempt(state, h, 0);
}

StepReport ImplicitIntegrator::attempt(State& state, double h, int halvings) {
  constexpr int max_halvings = 6;
  v_n_ = &state.v;
  StepReport report = advance(*model_, state, h);
  // Now x_next_ holds the positions before the step.
  if (report.ok() && !damps_strain()) report.damping_loss += strain_loss(x_next_, state.x, h);
  const bool may_halve =
      options_.unconverged == "substep" || (options_.unconverged == "auto" && options_.name != "local-global");
  if (report.ok() || !may_halve || halvings == max_halvings) return report;
  const State before = state;
  report = {.iterations = report.iterations, .halvings = 1, .times = report.times};
  for (int half = 0; half < 2; ++half) {
    StepReport part = attempt(state, h / 2, halvings + 1);
    if (!part.ok()) {
      state = before;
      return part;
    }
    part.follow(report);
    report = std::move(part);
  }
  state.step = before.step + 1;
  return report;
}

void ImplicitIntegrator::inertial_target(const State& state, double h, NodalField& y) const {
  for_vertices(y.size(), [&](std::size_t i) {
    y[i] = state.x[i];
    if (model_->pinned()[i] == 0) y[i] += h * state.v[i];
  });
}

void ImplicitIntegrator::acceleration(const State& state, NodalField& a) {
  model_->force(state, a);
  for_vertices(a.size(), [&](std::size_t i) { a[i] *= model_->pinned()[i] != 0 ? 0 : 1 / model_->mass()[i]; });
}

/// Forces without a potential are taken where the step starts and held. Damping of strain is the force
/// −(δ/h) ∇W_n(x_n + θΔ)/θ ≈ −δ K v, W_n the strain energy with x_n as rest shape, so that neither rigid motion nor
/// stress at rest is damped.
void ImplicitIntegrator::declare(double h, const NodalField& x_n, std::span<const Term> terms) {
  hold_forces(x_n);
  objective_->declare(h, x_n, y_, terms, held_load());
  const double delta = model_->damping().strain;
  if (delta == 0 || damps_strain()) return;
  strain_.set_rest(x_n);
  double weight = strain_rule_.weight;
  if (weight == 0)
    for (const Term& term : terms) weight += term.c * term.theta;
  const double rate = delta / (strain_rule_.time * h);
  strain_.add_to(*objective_, {.c = weight * rate / (strain_theta * strain_theta), .theta = strain_theta});
}

double ImplicitIntegrator::strain_loss(const NodalField& x_n, const NodalField& x_next, double h) {
  const double delta = model_->damping().strain;
  if (delta == 0) return 0;
  strain_.set_rest(x_n);
  for_vertices(x_n.size(), [&](std::size_t i) { strain_x_[i] = x_n[i] + strain_theta * (x_next[i] - x_n[i]); });
  strain_.gradient(strain_x_, strain_g_);
  return delta / (h * strain_theta) *
         sum_(x_n.size(), [&](std::size_t i) { return strain_g_[i].dot(x_next[i] - x_n[i]); });
}

void ImplicitIntegrator::hold_forces(const NodalField& x) {
  if (model_->forces().empty()) return;
  load_.set_zero();
  for (const auto& force : model_->forces()) force->add(x, *v_n_, load_);
}

double ImplicitIntegrator::gain(const NodalField& x_n, const NodalField& x_next, double h) {
  const double loss = strain_loss(x_n, x_next, h);
  const NodalField* const held = held_load();
  if (held == nullptr) return -loss;
  return sum_(x_n.size(), [&](std::size_t i) { return (*held)[i].dot(x_next[i] - x_n[i]); }) - loss;
}

bool ImplicitIntegrator::solve(double h, const NodalField& x_n, std::span<const Term> terms, StepReport& report) {
  return solve(*solver_, h, x_n, terms, report);
}

bool ImplicitIntegrator::solve(Solver& solver, double h, const NodalField& x_n, std::span<const Term> terms,
                               StepReport& report) {
  declare(h, x_n, terms);
  const struct Release {
    StepObjective& objective;
    ~Release() { objective.release_paths(); }
  } release{*objective_};  // also where the step is canceled
  if (follows_paths_) objective_->follow_paths();
  return solve_declared(solver, h, x_n, terms, report);
}

bool ImplicitIntegrator::solve_declared(Solver& solver, double h, const NodalField& x_n, std::span<const Term> terms,
                                        StepReport& report) {
  const bool may_settle = objective_->limits_path() &&
                          std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.theta != 1; });
  if (!objective_->admit(x_next_) && may_settle) objective_->settle();
  const double before = report.residual;
  if (accept(solver.solve(*objective_, x_next_), h, report) || !may_settle || objective_->settled()) return report.ok();
  report.status = StepReport::Status::ok;
  report.message.clear();
  report.residual = before;
  objective_->settle();
  x_next_ = x_n;
  return accept(solver.solve(*objective_, x_next_), h, report);
}

bool ImplicitIntegrator::accept(const SolveReport& solved, double h, StepReport& report) const {
  report.iterations += solved.iterations;
  report.times += solved.times;
  report.residual = std::max(report.residual, solved.residual);
  if (*solved.linear != 0) report.linear = solved.linear;
  const bool lenient =
      options_.unconverged == "accept" || (options_.unconverged == "auto" && options_.name == "local-global");
  if (solved.converged()) return true;
  if (solved.status == SolveReport::Status::unconverged && lenient) {
    report.unconverged = report.unconverged || options_.unconverged == "accept";
    return true;
  }
  report.status = StepReport::Status::failed;
  report.message = fmt::format(
      "the solver did not converge: {}, residual {:.1e}; choose a smaller h than {} s, or solver.unconverged = "
      "\"substep\" or \"accept\"",
      solved.message, solved.residual, h);
  return false;
}

void ImplicitIntegrator::set_velocity(const State& state, double h, double rate, double rest) {
  for_vertices(state.x.size(), [&](std::size_t i) {
    if (model_->pinned()[i] != 0) {
      v_next_[i].setZero();
    } else {
      v_next_[i] = rate / h * (x_next_[i] - state.x[i]) - rest * state.v[i];
    }
  });
}

StepReport ImplicitIntegrator::commit(State& state, double h, StepReport report) {
  if (!report.ok()) return report;
  if (!sum_.finite(x_next_) || !sum_.finite(v_next_)) {
    report.status = StepReport::Status::failed;
    report.message =
        fmt::format("positions are no longer finite after step {}; choose a smaller h than {} s", state.step + 1, h);
    return report;
  }
  std::swap(state.x, x_next_);
  std::swap(state.v, v_next_);
  state.time += h;
  ++state.step;
  return report;
}

}  // namespace brio
