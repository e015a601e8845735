#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "brio/force.h"
#include "integrators/implicit.h"
#include "integrators/strain_damping.h"
#include "solvers/constrained_newton.h"

namespace brio {
namespace {

/// Variational (Hamilton–Pontryagin) integrators of the discrete Lagrangian h[½vᵀMv − E(x_n + αhv)]. Order 1, order 2
/// for α = ½. Symplectic, keep both momenta for every α. [Kharevych et al. 2006]
///   y = x_n + h M⁻¹p_n;   terms ((1−α)/α at θ=α);   p' = M(x' − x_n)/h − αh ∇E(x_n + α(x' − x_n))
/// The state's velocity is M⁻¹p. α = 0 and α = 1 are explicit. α = ½ has the trajectories of implicit midpoint; orders
/// 4 and 6 are compositions of it [Yoshida 1990]. Of forces without a potential p_n takes (1−α)hF(x_n) before the step
/// and p' takes αhF(x') after it, the weights that ∇E has: so a held load and the forces that balance it cancel within
/// the step, α = ½ stays of order 2, and forces that turn with the body leave angular momentum alone.
///
/// Departs: with α = ½ colliders push with the mean of their force along the step, which does exactly the work by which
/// their energy changes (contact/collider_contact.h). At the middle of a step alone, one in which a vertex arrives
/// gives it the energy of its depth for nothing: a soft bunny that hops at h = 0.01 s gained 13 % so. Elements that h
/// does not resolve and that are squeezed flat gain energy too, in flight as well: as with implicit midpoint nothing
/// bounds it, and no halving of steps helps (measured down to h/32). The damping below does.
///
/// Constraints: ∇Φ(x') = J(x_n)ᵀλ, g(x') = 0, then p' is projected onto what the constraints allow, which changes no
/// trajectory (the next λ takes it up) but makes v' a velocity of the constrained body. [RATTLE, Andersen 1983]
///
/// Damping: the impulse D = −(k_D/θ) ∇W_n(z), z = x_n + θ(x' − x_n), W_n the strain energy with x_n as rest shape, of
/// which p_n takes 1−θ before the step and p' the rest after it. Explicit: θ = 1, as in their section 5.2. Departs:
/// implicit with θ = ½ instead of all of it before the step, taken at x'. That would turn the body, since forces of the
/// shape x' act at x_n: x_n × ∇W_n(x') ≠ 0. Shared out like this, z × ∇W_n(z) = 0 keeps angular momentum exactly, for
/// every θ. Besides, damping before the step alone drives a vertex on against what is about to throw it back, and it
/// comes back faster than it came: with the impulse P of all other forces and u = (x' − x_n)/h kinetic energy changes
/// by
///   P·u + D·u − (½−θ) D·M⁻¹(P + D),
/// whose last term is a gain where damping resists what P does. With θ = ½ only P·u and D·u ≤ 0 are left. The price:
/// modes that are far too stiff for h turn around in each step, and are damped slowly.
class Variational final : public ImplicitIntegrator {
 public:
  Variational(const IntegratorOptions& options, std::vector<double> parts)
      : ImplicitIntegrator(options.solver),
        alpha_(options.alpha),
        option_k_D_(options.damping),
        theta_D_(explicit_form() ? 1 : 0.5),
        parts_(std::move(parts)) {}

  void check(const Model& model) const override {
    if (parts_.size() > 1 && model.damping().strain > 0)
      throw InputError({.key = "damping.strain",
                        .value = fmt::format("{}", model.damping().strain),
                        .problem = "does not go with variational of order 4 or 6, part of whose steps run backwards",
                        .advice = "set integrator.order = 2, or damping.strain = 0"});
  }

  bool limits_paths() const override { return !explicit_form(); }

 private:
  bool damps_strain() const override { return true; }
  bool explicit_form() const { return alpha_ == 0 || alpha_ == 1; }

  void prepare(const Model& model) override {
    for (NodalField* field : {&f_, &z_, &start_x_, &start_v_}) *field = NodalField(model.vertices());
    if (!model.forces().empty()) end_load_ = end_external_ = NodalField(model.vertices());
    check(model);
    k_D_ = option_k_D_ + model.damping().strain;
    if (k_D_ > 0) damping_.prepare(model);
    const bool only_contact = std::ranges::all_of(model.energies(), [](const auto& energy) {
      return energy->role() == Role::contact || !energy->takes_mean(Averaging::closed);
    });
    averages_ = alpha_ == 0.5 && only_contact ? Averaging::closed : Averaging::none;
    constrained_.reset();
    if (!model.constraints().empty()) constrained_.emplace(options_, model);
  }

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    if (parts_.size() == 1) return advance_part(state, step);
    start_x_ = state.x;
    start_v_ = state.v;
    const double time = state.time;
    const long before = state.step;
    double from = 0;
    StepReport all;
    part_forces_.resize(supports().numbers());
    forces_.assign(part_forces_.size(), 0);
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const double to = k + 1 == parts_.size() ? 1 : from + parts_[k];
      StepReport report = advance_part(state, {.start = step.at(from), .end = step.at(to), .h = parts_[k] * step.h});
      from = to;
      report.user_work += all.user_work;
      report.iterations += all.iterations;
      report.times += all.times;
      report.residual = std::max(report.residual, all.residual);
      all = std::move(report);
      if (!all.ok()) break;
      if (forces_.empty()) continue;
      supports().write(part_forces_);
      for (std::size_t i = 0; i < forces_.size(); ++i) forces_[i] += parts_[k] * part_forces_[i];
    }
    if (all.ok() && !forces_.empty()) {
      supports().clear();
      supports().add(forces_, 1);
    }
    if (!all.ok()) {
      std::swap(state.x, start_x_);
      std::swap(state.v, start_v_);
    }
    state.time = all.ok() ? step.end : time;
    state.step = all.ok() ? before + 1 : before;
    return all;
  }

  StepReport advance_part(State& state, const TimeStep& step) {
    const double h = step.h;
    StepReport report;
    if (parts_.size() > 1) hold_forces(state, step);
    inertial_target(state, step, y_);
    x_next_ = y_;
    if (alpha_ == 0 || (alpha_ < 1 && !model().forces().empty())) {
      force_at_start(state, step);
      for_vertices(y_.size(), [&](std::size_t i) {
        if (model().pinned()[i] == 0) y_[i] += h * h * (1 - alpha_) / model().mass()[i] * f_[i];
      });
    }
    if (!find_positions(state, step, report)) return report;
    find_velocities(state, step, report);
    book(state, step, report);
    return commit(state, step, std::move(report));
  }

  /// What acts before the step, into f_: forces without a potential, and with α = 0, which leaves nothing for its end,
  /// all.
  void force_at_start(const State& state, const TimeStep& step) {
    f_.set_zero();
    if (held_load() != nullptr) f_ = *held_load();
    if (alpha_ > 0) return;
    const Configuration at{state.x, Moment::stage(step.start, step.end)};
    for (const auto& energy : model().energies()) energy->gradient(at, {.gradient = -1}, f_);
    for_vertices(f_.size(), [&](std::size_t i) { f_[i] += model().mass()[i] * model().gravity(); });
  }

  bool find_positions(const State& state, const TimeStep& step, StepReport& report) {
    const double h = step.h;
    if (constrained_) {
      if (std::string violation = constrained_->constraints().violation(state.x); !violation.empty()) {
        report.status = StepReport::Status::failed;
        report.message = violation + "; begin with positions that keep the constraints";
        return false;
      }
    }
    const Term terms[]{{.c = (1 - alpha_) / alpha_, .theta = alpha_}};
    objective().declare(h, state.x, y_, explicit_form() ? std::span<const Term>() : terms, nullptr, step);
    objective().average_paths(averages_);
    if (k_D_ > 0) {
      damping_.set_rest(state.x);
      if (!explicit_form())
        damping_.add_to(objective(), {.c = (1 - theta_D_) / (theta_D_ * theta_D_) * k_D_ / h, .theta = theta_D_});
    }
    // Between a start and an end that are on either side of something, its middle may feel nothing of it.
    if (!explicit_form() && objective().free_path(state.x, x_next_) < 1) objective().settle();
    if (!explicit_form() && !admit_guess(solver(), report)) return false;
    if (!explicit_form()) give_momentum_to_guess();
    const auto minimize = [&] {
      return constrained_ ? constrained_->solve(objective(), state.x, x_next_) : solver().solve(objective(), x_next_);
    };
    if (constrained_) {
      if (!accept(minimize(), h, report)) return false;
      bring_end_within(report, minimize);
      return true;
    }
    if (!explicit_form()) {
      // The end of a step feels nothing of the contact that its middle feels: it may creep up to something until
      // rounding carries it across.
      const bool solved = accept(minimize(), h, report);
      const bool is_free = objective().settled() || (solved && objective().free_path(state.x, x_next_) == 1);
      if (!is_free && objective().limits_path()) {
        if (!solve_settled(solver(), h, state.x, report)) return false;
      } else if (!solved) {
        return false;
      }
      bring_end_within(report, minimize);
      return true;
    }
    x_next_ = y_;
    return true;
  }

  void find_velocities(const State& state, const TimeStep& step, StepReport& report) {
    const double h = step.h;
    set_velocity(state, h, 1, 0);
    if (explicit_form() && !constrained_) keep_momenta(state, h);
    if (alpha_ > 0) {
      along_the_step(state, alpha_);
      f_.set_zero();
      const Configuration at{z_, Moment::along(step, state.x, alpha_)};
      const Configuration end{x_next_, Moment::along(step, state.x, 1)};
      Configuration mean = end;
      mean.when.mean = true;
      for (const auto& energy : model().energies()) {
        if (energy->takes_mean(averages_)) {
          energy->gradient(mean, {.gradient = h}, f_);  // half of the mean force
          continue;
        }
        energy->gradient(objective().is_settled(*energy) ? end : at, {.gradient = alpha_ * h}, f_);
      }
      push(f_, alpha_ * h * model().gravity());
    }
    if (k_D_ > 0) {
      along_the_step(state, theta_D_);
      damping_.gradient(z_, f_);
      for_vertices(f_.size(), [&](std::size_t i) { f_[i] *= k_D_; });
      report.damping_loss = sum_(f_.size(), [&](std::size_t i) { return f_[i].dot(x_next_[i] - state.x[i]); });
      report.damping_loss /= theta_D_ * h;
      push(f_, Vec3::Zero());
    }
    if (alpha_ > 0 && held_load() != nullptr) push_at_end(state, step);
    if (constrained_) constrained_->project(x_next_, v_next_);
  }

  /// From p_n, not from positions, whose rounding over h would add up.
  void keep_momenta(const State& state, double h) {
    for_vertices(v_next_.size(), [&](std::size_t i) {
      if (model().pinned()[i] != 0) return;
      v_next_[i] = state.v[i];
      if (alpha_ == 0) v_next_[i] += h / model().mass()[i] * f_[i];
    });
  }

  /// Forces without a potential where the step ends; from here on those from outside are the mean of the step's.
  void push_at_end(const State& state, const TimeStep& step) {
    place_driven(model(), state, step.end, Side::before, x_next_, v_next_);  // wind sees how fast pins move
    end_load_.set_zero();
    end_external_.set_zero();
    for (const auto& force : model().forces()) {
      force->add(x_next_, v_next_, step.at(0.5), end_load_);
      if (force->external()) force->add(x_next_, v_next_, step.at(0.5), end_external_);
    }
    for_vertices(v_next_.size(), [&](std::size_t i) {
      if (model().pinned()[i] == 0) v_next_[i] += alpha_ * step.h / model().mass()[i] * end_load_[i];
      external()[i] += alpha_ * (end_external_[i] - external()[i]);
    });
  }

  /// Momenta change by ∇E at α; forces without a potential act at both ends, damping in both parts.
  void book(const State& state, const TimeStep& step, StepReport& report) {
    if (!supports().wanted()) return;
    const Impulse impulse[]{{.b = 1, .theta = alpha_}};
    supports().clear();
    supports().add(state.x, x_next_, step, impulse, averages_, objective().settled());
    supports().add_loads(held_load(), 1 - alpha_);
    supports().add_loads(held_load() != nullptr && alpha_ > 0 ? &end_load_ : nullptr, alpha_);
    if (k_D_ > 0 && model().is_driven()) {
      along_the_step(state, theta_D_);
      damping_.gradient(z_, f_);
      supports().add_damping(&f_, k_D_ / (theta_D_ * step.h));
    }
    report.user_work += supports().work(state, x_next_, step).energy;
  }

  /// z_ = x_n + θ(x' − x_n).
  void along_the_step(const State& state, double theta) {
    for_vertices(z_.size(), [&](std::size_t i) { z_[i] = state.x[i] + theta * (x_next_[i] - state.x[i]); });
  }

  /// v' ← v' + kick − M⁻¹ impulse.
  void push(const NodalField& impulse, const Vec3& kick) {
    for_vertices(v_next_.size(), [&](std::size_t i) {
      if (model().pinned()[i] == 0) v_next_[i] += kick - impulse[i] / model().mass()[i];
    });
  }

  double alpha_;
  Averaging averages_ = Averaging::none;  ///< of contact, unless springs with a rest length hold something
  double option_k_D_;                     ///< [s]
  double k_D_ = 0;                        ///< with that of the model [s]
  double theta_D_;                        ///< where along the step damping measures
  std::vector<double> parts_;
  StrainDamping damping_;
  std::optional<ConstrainedNewton> constrained_;
  NodalField f_, z_, start_x_, start_v_;
  NodalField end_load_, end_external_;        ///< forces without a potential where the step ends [N]
  std::vector<double> part_forces_, forces_;  ///< what supports felt in a part, and in the step
  NodalSum sum_;
};

/// Parts of a step whose composition has the order wanted, from a symmetric method of order 2: again and again, three
/// steps of order p, the middle one backwards, make one of order p + 2. [Yoshida 1990]
std::vector<double> triple_jump(int order) {
  if (order == 2) return {1};
  const std::vector<double> inner = triple_jump(order - 2);
  const double root = std::pow(2, 1.0 / (order - 1));
  const double outside = 1 / (2 - root);
  std::vector<double> parts;
  for (const double size : {outside, -root * outside, outside})
    for (const double part : inner) parts.push_back(size * part);
  return parts;
}

std::unique_ptr<Integrator> make(const IntegratorOptions& options) {
  const auto refuse = [&](const char* problem, const char* advice) {
    throw InputError(
        {.key = "integrator.order", .value = std::to_string(options.order), .problem = problem, .advice = advice});
  };
  if (options.order != 2 && options.order != 4 && options.order != 6)
    refuse("must be 2, 4 or 6", "compositions of symmetric steps have even orders");
  if (options.order > 2 && options.alpha != 0.5)
    refuse("needs alpha = 1/2, the only symmetric step", "set alpha = 0.5, or order = 2");
  if (options.order > 2 && options.damping > 0)
    refuse("does not go with damping, which cannot run backwards", "set damping = 0, or order = 2");
  return std::make_unique<Variational>(options, triple_jump(options.order));
}

}  // namespace

Method variational() {
  return {.name = "variational",
          .aliases = {"hamilton-pontryagin"},
          .family = "variational",
          .order = 2,
          .symplectic = true,
          .reversible = true,
          .angular_momentum = true,
          .constraints = true,
          .energy = EnergyBehavior::oscillates,
          .resolves = 1,
          .options = {"alpha", "order", "damping"},
          .reference = "Kharevych et al. 2006; Yoshida 1990; Andersen 1983",
          .sentence =
              "physically faithful motion with damping in physical units, constraints and orders up to 6; undamped it "
              "may explode at frame-size steps, as implicit midpoint does",
          .cost = "one solve per step, 3 for order 4, 9 for order 6; alpha = 0 or 1: one force evaluation",
          .make = make};
}

}  // namespace brio
