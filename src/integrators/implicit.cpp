#include "integrators/implicit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "brio/force.h"
#include "core/time_budget.h"
#include "model/domain.h"

namespace brio {
namespace {

/// Where along the step damping of strain measures. The middle: forces of that shape turn nothing there, and their work
/// over the step is what it loses.
constexpr double strain_theta = 0.5;

/// Of the smallest steps there are, so many tolerances may be left: no method shows it.
constexpr double next_to_nothing = 100;

}  // namespace

ImplicitIntegrator::ImplicitIntegrator(const SolverOptions& options)
    : options_(options), ends_early_(find_solver(options.name).ends_early), solver_(make_solver(options)) {}

StepReport ImplicitIntegrator::step(const Model& model, State& state, const TimeStep& step) {
  if (model_ != &model || pattern_ != model.pattern()) {
    model_ = &model;
    pattern_ = model.pattern();
    objective_.emplace(model);
    supports_.emplace(model);
    for (NodalField* field : {&y_, &x_next_, &v_next_}) *field = NodalField(model.vertices());
    if (!model.forces().empty()) load_ = external_ = drag_ = drag_v_ = NodalField(model.vertices());
    if (model.damping().strain > 0) strain_.prepare(model);
    rayleigh_.reset();
    if (RayleighDamping::acts_in(model)) rayleigh_.emplace().prepare(model);
    if (model.damping().strain > 0 || rayleigh_) strain_x_ = strain_g_ = NodalField(model.vertices());
    has_domain_ = has_domain(model);
    if (has_domain_) unlimited_ = NodalField(model.vertices());
    prepare(model);
  }
  supports_->clear();
  whole_h_ = step.h;
  effort_ = Effort(*objective_);
  objective_->limit_work(effort_.max_in_all);
  persists_ = takes_residual_ = ends_at_guess_ = false;  // as a step leaves them that was canceled
  return attempt(state, step, 0);
}

void ImplicitIntegrator::inertial_target(const State& state, const TimeStep& step, NodalField& y) {
  for_vertices(y.size(), [&](std::size_t i) {
    y[i] = state.x[i];
    if (model_->pinned()[i] == 0) y[i] += step.h * state.v[i];
  });
  place_driven(*model_, state, step.end, Side::before, y, v_next_);
}

void ImplicitIntegrator::acceleration(const State& state, const TimeStep& step, NodalField& a) {
  for_vertices(a.size(), [&](std::size_t i) { a[i] = model_->mass()[i] * model_->gravity(); });
  const Configuration at{state.x, Moment::stage(step.start, step.end)};  // without what is let go in this step
  for (const auto& energy : model_->energies()) energy->gradient(at, {.gradient = -1}, a);
  const NodalField* const held = held_load();
  for_vertices(a.size(), [&](std::size_t i) {
    if (held != nullptr) a[i] += (*held)[i];
    a[i] *= model_->pinned()[i] != 0 ? 0 : 1 / model_->mass()[i];
  });
}

/// Damping of strain is the force −(δ/h) ∇W_n(x_n + θΔ)/θ ≈ −δ K v, W_n the strain energy with x_n as rest shape, so
/// that neither rigid motion nor stress at rest is damped.
void ImplicitIntegrator::declare(double h, const TimeStep& time, const NodalField& x_n, std::span<const Term> terms) {
  objective_->declare(h, x_n, y_, terms, held_load(), time);
  const double delta = model_->damping().strain;
  double weight = strain_rule_.weight;
  if (weight == 0)
    for (const Term& term : terms) weight += term.c * term.theta;
  if (rayleigh_) {
    rayleigh_->begin(x_n);
    rayleigh_->add_to(*objective_, weight, h);
  }
  if (delta == 0 || damps_strain()) return;
  strain_.set_rest(x_n);
  const double rate = delta / (strain_rule_.time * h);
  strain_.add_to(*objective_, {.c = weight * rate / (strain_theta * strain_theta), .theta = strain_theta});
}

const NodalField* ImplicitIntegrator::strain_gradient(const NodalField& x_n, const NodalField& x_next, double h) {
  const double delta = damps_strain() ? 0 : model_->damping().strain;
  if (delta == 0 && !rayleigh_) return nullptr;
  strain_g_.set_zero();
  if (delta > 0) {
    strain_.set_rest(x_n);
    for_vertices(x_n.size(), [&](std::size_t i) { strain_x_[i] = x_n[i] + strain_theta * (x_next[i] - x_n[i]); });
    strain_.gradient(strain_x_, strain_g_);
    for_vertices(x_n.size(), [&](std::size_t i) { strain_g_[i] *= delta / (h * strain_theta); });
  }
  if (rayleigh_) {
    rayleigh_->force(x_next, h, strain_x_);
    for_vertices(x_n.size(), [&](std::size_t i) { strain_g_[i] += strain_x_[i]; });
  }
  return &strain_g_;
}

double ImplicitIntegrator::strain_loss(const NodalField& x_n, const NodalField& x_next, double h) {
  const NodalField* const g = strain_gradient(x_n, x_next, h);
  if (g == nullptr) return 0;
  return sum_(x_n.size(), [&](std::size_t i) { return (*g)[i].dot(x_next[i] - x_n[i]); });
}

/// Forces without a potential are taken at the positions and velocities where the step starts, at the time of its
/// middle, and held.
void ImplicitIntegrator::hold_forces(const State& state, const TimeStep& step) {
  limited_drag_ = 0;
  if (model_->forces().empty()) return;
  load_.set_zero();
  external_.set_zero();
  for (const auto& force : model_->forces()) {
    force->add(state.x, state.v, step.at(0.5), load_);
    if (force->external()) force->add(state.x, state.v, step.at(0.5), external_);
  }
  limit_drag(state, step);
}

/// z = −h ∂(f/m)/∂v along f is how often a force that falls with the velocity, as that of wind does, would bring its
/// vertex to rest within the step if it were held: beyond 2 each step turns the vertex around, faster than it was.
void ImplicitIntegrator::limit_drag(const State& state, const TimeStep& step) {
  constexpr double part = 1e-6, max_z = 1.5;
  for_vertices(external_.size(), [&](std::size_t i) {
    drag_v_[i] = state.v[i];
    if (model_->pinned()[i] == 0) drag_v_[i] += part * step.h / model_->mass()[i] * external_[i];
  });
  drag_.set_zero();
  for (const auto& force : model_->forces())
    if (force->external()) force->add(state.x, drag_v_, step.at(0.5), drag_);
  // Next to a vertex that is pushed hard, z of one that is hardly pushed is the other's: it is limited, but not told.
  const auto squared_push = [&](const Vec3& f, std::size_t i) {
    return model_->pinned()[i] != 0 ? 0 : f.squaredNorm() / (model_->mass()[i] * model_->mass()[i]);
  };
  constexpr double notable = 0.01;
  const auto vertices = static_cast<double>(external_.size());
  const double mean_square =
      sum_(external_.size(), [&](std::size_t i) { return squared_push(external_[i], i); }) / vertices;
  limited_drag_ = static_cast<int>(sum_(external_.size(), [&](std::size_t i) {
    const double squared = external_[i].squaredNorm();
    const double z = -(drag_[i] - external_[i]).dot(external_[i]) / (part * squared);
    if (!(z > max_z)) return 0.0;
    const Vec3 taken = (max_z / z - 1) * external_[i];
    external_[i] += taken;
    load_[i] += taken;
    return squared_push(taken, i) > notable * notable * mean_square ? 1.0 : 0.0;
  }));
}

double ImplicitIntegrator::external_work(const NodalField& x_n, const NodalField& x_next) {
  if (model_->forces().empty()) return 0;
  return sum_(x_n.size(), [&](std::size_t i) { return external_[i].dot(x_next[i] - x_n[i]); });
}

SupportWork ImplicitIntegrator::support_work(const State& state, const NodalField& x_next, const TimeStep& step,
                                             std::span<const Impulse> rule) {
  if (!supports_->wanted()) return {};
  gather_supports(state, x_next, step, rule);
  return supports_->work(state, x_next, step);
}

void ImplicitIntegrator::support_work(const State& state, const NodalField& x_next, const TimeStep& step,
                                      std::span<const Impulse> rule, const Parts& parts, std::span<SupportWork> works) {
  std::ranges::fill(works, SupportWork{});
  if (!model_->is_driven()) return;
  gather_supports(state, x_next, step, rule);
  supports_->add_work(state, x_next, step, parts, works);
}

void ImplicitIntegrator::gather_supports(const State& state, const NodalField& x_next, const TimeStep& step,
                                         std::span<const Impulse> rule) {
  supports_->clear();
  const bool is_explicit = std::ranges::all_of(rule, [](const Impulse& part) { return part.theta == 0; });
  supports_->add(state.x, x_next, step, rule, averages_paths_, objective_->settled() && !is_explicit);
  supports_->add_loads(held_load());
  if (model_->is_driven()) supports_->add_damping(strain_gradient(state.x, x_next, step.h));
}

bool ImplicitIntegrator::solve(Solver& solver, double h, const TimeStep& time, const NodalField& x_n,
                               std::span<const Term> terms, StepReport& report) {
  declare(h, time, x_n, terms);
  objective_->average_paths(averages_paths_);
  return solve_declared(solver, h, x_n, terms, report);
}

double ImplicitIntegrator::seen_from_the_world(const SupportWork& work, const State& state, const TimeStep& step,
                                               const Vec3& frame) {
  place_driven(*model_, state, step.end, Side::after, x_next_, v_next_);
  Vec3 given = model_->linear_momentum(v_next_) - model_->linear_momentum(state.v);
  const NodalField* const held = held_load();
  for (std::size_t i = 0; i < x_next_.size(); ++i) {
    given -= step.h * model_->mass()[i] * model_->gravity();
    if (held != nullptr) given -= step.h * (*held)[i];
  }
  return work.seen_from(frame) + frame.dot(given);
}

void ImplicitIntegrator::choose_first_guess() {
  if (options_.guess == FirstGuess::start) objective_->return_to_start(x_next_);
}

bool ImplicitIntegrator::admit_guess(Solver& solver, StepReport& report) {
  if (model_->is_driven()) target_ = x_next_;
  choose_first_guess();
  return objective_->admit(x_next_) || bring_pinned(solver, report);
}

bool ImplicitIntegrator::bring_pinned(Solver& solver, StepReport& report) {
  if (!model_->is_driven() || !objective_->limits_path()) return true;
  constexpr int max_rounds = 50;
  for (int round = 0; round < max_rounds; ++round) {
    if (objective_->bring_pinned(target_, x_next_)) return true;
    // What is in the way is pushed aside by its own forces.
    report.iterations += solver.solve(*objective_, x_next_).iterations;
  }
  objective_->finish();
  report.status = StepReport::Status::failed;
  report.message =
      "what is driven cannot follow its path: something that does not give way lies in it; move it slower or "
      "elsewhere, "
      "or make way";
  return false;
}

bool ImplicitIntegrator::solve_declared(Solver& solver, double h, const NodalField& x_n, std::span<const Term> terms,
                                        StepReport& report) {
  if (objective_->averages_path_forces()) return solve_root(solver, h, x_n, report);
  const bool may_settle = objective_->limits_path() &&
                          std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.theta != 1; });
  if (model_->is_driven()) target_ = x_next_;
  choose_first_guess();
  if (!objective_->admit(x_next_)) {
    if (may_settle) objective_->settle();
    if (!bring_pinned(solver, report)) return false;
  }
  give_momentum_to_guess();
  if ((takes_residual_ || options_.unconverged == Unconverged::accept) && !objective_->limits_path()) choose_guess();
  const double before = report.residual;
  SolveReport solved = solver.solve(*objective_, x_next_);
  if (takes_residual_ && solved.status == SolveReport::Status::unconverged &&
      solved.residual <= next_to_nothing * options_.tolerance) {
    solved.status = SolveReport::Status::converged;
    report.unconverged = true;
  }
  const bool accepted = accept(solved, h, report);
  const bool is_crossed = accepted && may_settle && !objective_->settled() && objective_->is_crossed(x_next_);
  if (!is_crossed && (accepted || !may_settle || objective_->settled())) {
    if (report.ok()) bring_end_within(report, [&] { return solver.solve(*objective_, x_next_); });
    return report.ok();
  }
  report.residual = before;
  return solve_settled(solver, h, x_n, report);
}

void ImplicitIntegrator::give_momentum_to_guess() {
  if (takes_residual_ || ends_early_ || options_.unconverged == Unconverged::accept)
    objective_->take_mean_motion(x_next_);
}

/// Where the step begins, if Φ is less there: at the guess stiff forces may be beyond all that is in play.
void ImplicitIntegrator::choose_guess() {
  start_ = x_next_;
  objective_->return_to_start(start_);
  objective_->take_mean_motion(start_);
  if (!(objective_->value(x_next_) <= objective_->value(start_))) std::swap(x_next_, start_);
}

bool ImplicitIntegrator::solve_settled(Solver& solver, double h, const NodalField& x_n, StepReport& report) {
  report.status = StepReport::Status::ok;
  report.message.clear();
  objective_->settle();
  x_next_ = x_n;
  if (!model_->is_driven()) return accept(solver.solve(*objective_, x_next_), h, report);
  if (objective_->free_path(x_n, target_) == 1) {
    x_next_ = target_;
  } else {
    objective_->restart(x_next_);
  }
  return bring_pinned(solver, report) && accept(solver.solve(*objective_, x_next_), h, report);
}

bool ImplicitIntegrator::leaves_domain() {
  if (!has_domain_ || objective_->can_end_at(x_next_)) return false;
  unlimited_ = x_next_;
  objective_->limit_end();
  if (objective_->admit(x_next_) || objective_->bring_pinned(unlimited_, x_next_)) return true;
  x_next_ = unlimited_;  // something is in the way of what is driven: shorter steps see to it
  return false;
}

void ImplicitIntegrator::count(const SolveReport& solved, StepReport& report) {
  report.iterations += solved.iterations;
  report.times += solved.times;
  objective_->add_work(solved.iterations + solved.factorizations);
}

bool ImplicitIntegrator::accept(const SolveReport& solved, double h, StepReport& report) {
  count(solved, report);
  report.residual = std::max(report.residual, solved.residual);
  if (*solved.linear != 0) report.linear = solved.linear;
  const bool automatic = options_.unconverged == Unconverged::automatic, survives = takes_residual_ && bears_residual_;
  const bool ends_early = ends_early_ && !solves_itself_;
  const bool lenient = options_.unconverged == Unconverged::accept || (automatic && (ends_early || survives));
  if (solved.converged()) return true;
  if (solved.out_of_time) return report.out_of_time = report.unconverged = true;
  if (solved.status == SolveReport::Status::unconverged && lenient) {
    report.unconverged = report.unconverged || options_.unconverged == Unconverged::accept || survives;
    return true;
  }
  report.status = StepReport::Status::failed;
  const std::string halved = h < whole_h_ ? fmt::format(", nor in steps of {:.3g} s", h) : "";
  report.message = fmt::format("the solver did not converge{}: {}, residual {:.1e}; {}", halved, solved.message,
                               solved.residual, remedy());
  return false;
}

bool ImplicitIntegrator::accept_root(const SolveReport& solved, double h, StepReport& report) {
  solves_itself_ = true;
  return accept(solved, h, report);
}

std::string ImplicitIntegrator::remedy() const {
  return fmt::format("choose a smaller h than {} s, or solver.unconverged = {}\"accept\"", whole_h_,
                     options_.unconverged == Unconverged::stop ? "\"substep\" or " : "");
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

StepReport ImplicitIntegrator::commit(State& state, const TimeStep& step, StepReport report) {
  if (!report.ok()) return report;
  place_driven(*model_, state, step.end, Side::after, x_next_, v_next_);
  if (!sum_.finite(x_next_) || !sum_.finite(v_next_)) {
    report.status = StepReport::Status::failed;
    report.message = fmt::format("positions are no longer finite after step {}; choose a smaller h than {} s",
                                 state.step + 1, step.h);
    return report;
  }
  if (has_domain_ && !is_within_domain(*model_, {x_next_, Moment::at(step.end)})) {
    left_domain_ = true;
    report.status = StepReport::Status::failed;
    report.message = fmt::format("elements are inside out where step {} ends, which their material forbids; {}",
                                 state.step + 1, remedy());
    return report;
  }
  const double contact_loss = objective_->path_loss(x_next_);
  report.contact_loss += contact_loss;
  report.damping_loss += contact_loss + strain_loss(state.x, x_next_, step.h);
  report.user_work += external_work(state.x, x_next_);
  report.limited_drag += limited_drag_;
  std::swap(state.x, x_next_);
  std::swap(state.v, v_next_);
  state.time = step.end;
  ++state.step;
  return report;
}

}  // namespace brio
