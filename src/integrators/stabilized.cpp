#include <cmath>
#include <limits>
#include <numbers>

#include "core/timer.h"
#include "integrators/implicit.h"
#include "model/memory.h"

namespace brio {
namespace {

/// Stabilized integrator: implicit midpoint, blended with just enough backward Euler (where energy grew) or forward
/// Euler (where it fell) to hold the energy. [Dinev, Liu, Li, Thomaszewski & Kavan 2018, algorithm 1]
///   e(α) = E(x) + K(v) − H_total of (x,v) = (1−α)(x,v)_IM + α (x,v)_BE      where e > 0 for α = 0
///                                 or (x,v) = (1−α)(x,v)_FE + α (x,v)_IM     where e < 0 for α = 1
/// α is found by a bracketed search until |e| ≤ ε S, S = kinetic + elastic + gravity energy above the lowest so far,
/// all as the frame of the supports (or of the mean motion) sees it, so that a fast train does not loosen it. e is less
/// the work of what is driven, W(α) = (1−α) W_IM + α W_BE.
/// Reported α: in (0,1] towards backward Euler, in [−1,0) towards forward Euler, 0 for implicit midpoint alone.
/// Departs: S cannot vanish or be negative, unlike their |H|; Illinois's rule instead of bisection; where one iteration
/// of local/global towards backward Euler leaves too much energy, more are done, which they go without.
/// With a half-life the target sinks towards the lowest gravity energy so far, at the same rate whatever h is.
/// Memory: H_total, H at the end of the last step (so that what was done to the state since counts as added), the
/// lowest gravity energy.
class Stabilized final : public ImplicitIntegrator {
 public:
  explicit Stabilized(const IntegratorOptions& options)
      : ImplicitIntegrator(options.solver),
        epsilon_(options.epsilon),
        half_life_(options.half_life),
        contact_counts_(options.contact_energy),
        start_implicit_(options.start == StabilizedStart::implicit_midpoint) {
    SolverOptions backward = options.solver;
    if (find_solver(backward.name).ends_early) backward.iterations = 1;
    backward_solver_ = make_solver(backward);
  }
  void disturbed(State&) const override {}  ///< what was done counts as added
  bool fits(const Memory& memory, const Model&) const override { return memory.empty() || holds(memory, 0, 0, 3); }

 private:
  static constexpr int max_backward_steps = 20;

  struct Energies {
    double total;     ///< [J]
    double relative;  ///< as the reference frame sees it, heights measured from its place
    double gravity;   ///< likewise
  };

  void prepare(const Model& model) override {
    for (NodalField* field : {&predictor_x_, &predictor_v_, &other_x_, &other_v_, &trial_x_, &trial_v_, &a_})
      *field = NodalField(model.vertices());
    mass_ = 0;
    for (const double m : model.mass()) mass_ += m;
  }

  Energies energies(const Configuration& at, const NodalField& v, const ReferenceFrame& frame) const {
    double elastic = 0;
    for (const auto& energy : model().energies())
      if (contact_counts_ || energy->role() == Role::elastic) elastic += energy->value(at);
    const double kinetic = model().kinetic_energy(v);
    const double gravity = model().gravity_energy(at.x);
    const double lifted = gravity + mass_ * model().gravity().dot(frame.place);
    const double moved =
        kinetic - frame.velocity.dot(model().linear_momentum(v)) + 0.5 * mass_ * frame.velocity.squaredNorm();
    return {.total = kinetic + elastic + gravity, .relative = moved + elastic + lifted, .gravity = lifted};
  }

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    const double h = step.h;
    StepReport report;
    Stopwatch watch;
    const ReferenceFrame start = reference_frame(model(), state, step);
    const ReferenceFrame end{.place = start.place + h * start.velocity, .velocity = start.velocity};
    const Energies now = energies(state, state.v, start);
    report.times.blend += watch.milliseconds();
    double owed = 0;  // by the steps so far
    double lowest = now.gravity;
    if (state.memory.numbers.size() == 3) {
      owed = state.memory.numbers[0] - state.memory.numbers[1];
      lowest = std::min(lowest, state.memory.numbers[2]);
    }
    const double before = now.total + owed;  // what the step is to start from
    const double in_play = now.relative + owed - lowest;
    const double decayed = half_life_ > 0 ? -std::expm1(-std::numbers::ln2 * h / half_life_) * in_play : 0;
    const double rounding = 1e-13 * (std::abs(model().gravity_energy(state.x)) + std::abs(before));
    Aim aim{.before = before - std::max(decayed, 0.0),
            .allowed = epsilon_ * std::max(in_play, now.relative - lowest) + rounding,
            .state = state,
            .step = step,
            .frame = end};

    if (!predictor_step(state, step, report)) return report;
    watch = {};
    aim.allowed += epsilon_ * std::abs(predictor_support_.seen_from(end.velocity));  // put in, so in play as well
    double target = target_at(predictor_x_, predictor_work_, aim);
    double reached = energies({predictor_x_, Moment::at(step.end)}, predictor_v_, end).total;
    const bool blocked = !start_implicit_ && objective().free_path(state.x, predictor_x_) < 1;
    if (blocked) reached = std::numeric_limits<double>::infinity();
    report.times.blend += watch.milliseconds();
    if (!(std::abs(reached - target) <= aim.allowed)) {
      const bool grew = !(reached < target);  // also where it is not finite
      const double strayed = reached - target;
      if (!(grew ? backward_step(predictor_x_, state, step, report) : forward_step(state, step))) return report;
      watch = {};
      double blend = find_blend(strayed, aim, blocked, grew, target, reached);
      report.times.blend += watch.milliseconds();
      for (int more = 0; more < max_backward_steps && grew && reached - target > aim.allowed; ++more) {
        const int done = report.iterations;
        if (!backward_step(other_x_, state, step, report)) return report;
        if (report.iterations == done) break;  // it was backward Euler to the solver's tolerance
        watch = {};
        blend = find_blend(strayed, aim, blocked, grew, target, reached);
        report.times.blend += watch.milliseconds();
      }
      report.alpha = grew ? blend : -blend;
      gather(state, step, blend, grew);
      report.user_work += predictor_work_ + blend * (other_work_ - predictor_work_);
      std::swap(x_next_, trial_x_);
      std::swap(v_next_, trial_v_);
    } else {
      gather(state, step, 0, true);
      report.user_work += predictor_work_;
      std::swap(x_next_, predictor_x_);
      std::swap(v_next_, predictor_v_);
    }
    const double gravity = model().gravity_energy(x_next_) + mass_ * model().gravity().dot(end.place);
    if (half_life_ > 0) {
      // What lies still can lose no more: a target below that would be held against what is added later.
      const double unattainable = std::clamp(reached - target - aim.allowed, 0.0, std::max(decayed, 0.0));
      target += unattainable;
      report.damping_loss += std::max(decayed, 0.0) - unattainable;
    }
    if (const double error = std::abs(reached - target); !(error <= (1 + 1e-9) * aim.allowed)) {
      report.strayed = 1;
      report.strayed_by = epsilon_ * error / aim.allowed;
    }
    report = commit(state, step, std::move(report));
    if (report.ok()) state.memory.numbers.assign({target, reached, std::min(lowest, gravity)});
    return report;
  }

  /// The energy that a step is to end with, give or take what is allowed. What forces from outside and supports do on
  /// the way, and what damping of strain takes, depend on where it ends.
  struct Aim {
    double before, allowed;
    const State& state;
    const TimeStep& step;
    const ReferenceFrame& frame;
  };
  double target_at(const NodalField& x, double work, const Aim& aim) {
    return aim.before + work + external_work(aim.state.x, x) - strain_loss(aim.state.x, x, aim.step.h);
  }

  /// Implicit midpoint (or symplectic Euler) into predictor_x_, predictor_v_.
  bool predictor_step(const State& state, const TimeStep& step, StepReport& report) {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    const double h = step.h;
    inertial_target(state, step, y_);
    x_next_ = y_;
    if (start_implicit_) {
      if (!solve(step, state.x, terms, report)) return false;
      set_velocity(state, h, 2, 1);
    } else {
      acceleration(state, step, a_);
      for_vertices(y_.size(), [&](std::size_t i) {
        if (model().pinned()[i] != 0) return;
        v_next_[i] = state.v[i] + h * a_[i];
        x_next_[i] = state.x[i] + h * v_next_[i];
      });
    }
    predictor_support_ = take(state, step, start_implicit_ ? at_middle : at_start, predictor_x_, predictor_v_);
    predictor_work_ = predictor_support_.energy;
    return true;
  }

  /// Backward Euler into other_x_, other_v_, from the guess given.
  bool backward_step(const NodalField& guess, const State& state, const TimeStep& step, StepReport& report) {
    static constexpr Term terms[]{{.c = 1, .theta = 1}};
    x_next_ = guess;
    if (!solve(*backward_solver_, step.h, step, state.x, terms, report)) return false;
    set_velocity(state, step.h, 1, 0);
    other_work_ = take(state, step, at_end, other_x_, other_v_).energy;
    return true;
  }

  /// Forward Euler into other_x_, other_v_.
  bool forward_step(const State& state, const TimeStep& step) {
    acceleration(state, step, a_);
    for_vertices(y_.size(), [&](std::size_t i) {
      x_next_[i] = state.x[i] + step.h * state.v[i];
      v_next_[i] = state.v[i] + step.h * a_[i];
    });
    other_work_ = take(state, step, at_start, other_x_, other_v_).energy;
    return true;
  }

  /// Makes x_next_, v_next_ with driven vertices in place x, v; returns what supports did for it.
  SupportWork take(const State& state, const TimeStep& step, std::span<const Impulse> rule, NodalField& x,
                   NodalField& v) {
    place_driven(model(), state, step.end, Side::after, x_next_, v_next_);
    x = x_next_;
    v = v_next_;
    return model().is_driven() ? support_work(state, x, step, rule) : SupportWork{};
  }

  /// Tells supports the mean forces of the blend, as friction wants to know them.
  void gather(const State& state, const TimeStep& step, double blend, bool towards_backward) {
    if (!supports().wanted()) return;
    supports().clear();
    supports().add(state.x, predictor_x_, step, start_implicit_ ? at_middle : at_start, Averaging::none, 1 - blend);
    if (blend > 0)
      supports().add(state.x, other_x_, step, towards_backward ? at_end : at_start, Averaging::none, blend);
  }

  /// Fraction of the other step in [0, 1] for which |e| ≤ allowed, or the end nearest to it. Leaves the blend in
  /// trial_x_, trial_v_, its energy in `reached` and what that should be in `target`. `e_predictor` is e without any
  /// fraction. No blend passes through a contact: where one is in the way, the backward step alone is taken, or less of
  /// the forward one.
  double find_blend(double e_predictor, const Aim& aim, bool blocked, bool backward, double& target, double& reached) {
    constexpr int max_evaluations = 60;
    const auto e = [&](double fraction) {
      for_vertices(y_.size(), [&](std::size_t i) {
        trial_x_[i] = predictor_x_[i] + fraction * (other_x_[i] - predictor_x_[i]);
        trial_v_[i] = predictor_v_[i] + fraction * (other_v_[i] - predictor_v_[i]);
      });
      target = target_at(trial_x_, predictor_work_ + fraction * (other_work_ - predictor_work_), aim);
      reached = energies({trial_x_, Moment::at(aim.step.end)}, trial_v_, aim.frame).total;
      return reached - target;
    };
    const double open = blocked ? 0 : objective().free_path(predictor_x_, other_x_);
    double low = 0, e_low = e_predictor;
    double high = backward ? 1 : open, e_high = e(high);
    if (backward && open < 1) return 1;
    const bool too_high = !(e_low <= 0);  // infinite, and what is no number, too
    if (too_high == (e_high > 0)) {       // no root: the end that is nearer
      if (!(std::abs(e_high) > std::abs(e_low))) return high;
      e(0);
      return 0;
    }
    if (std::abs(e_high) <= aim.allowed) return high;
    double fraction = high;
    for (int evaluations = 0; evaluations < max_evaluations; ++evaluations) {
      const double secant = (low * e_high - high * e_low) / (e_high - e_low);
      fraction = std::isfinite(secant) && secant > low && secant < high ? secant : 0.5 * (low + high);
      const double now = e(fraction);
      if (std::abs(now) <= aim.allowed) break;
      if ((now > 0) == (e_high > 0)) {
        high = fraction;
        e_high = now;
        e_low *= 0.5;  // Illinois: an end that stays is drawn in
      } else {
        low = fraction;
        e_low = now;
        e_high *= 0.5;
      }
    }
    return fraction;
  }

  static constexpr Impulse at_start[]{{.b = 1, .theta = 0}};
  static constexpr Impulse at_middle[]{{.b = 1, .theta = 0.5}};
  static constexpr Impulse at_end[]{{.b = 1, .theta = 1}};

  double epsilon_;
  double half_life_;     ///< [s]; 0: none
  bool contact_counts_;  ///< energy of contact is part of H
  bool start_implicit_;
  double mass_ = 0;                             ///< of all vertices [kg]
  double predictor_work_ = 0, other_work_ = 0;  ///< of supports [J]
  SupportWork predictor_support_;
  std::unique_ptr<Solver> backward_solver_;
  NodalField predictor_x_, predictor_v_, other_x_, other_v_, trial_x_, trial_v_, a_;
};

}  // namespace

Method stabilized() {
  return {.name = "stabilized",
          .family = "stabilized",
          .order = 2,
          .energy = EnergyBehavior::tracked,
          .options = {"epsilon", "start", "half_life", "contact_energy"},
          .reference = "Dinev, Liu, Li, Thomaszewski & Kavan 2018",
          .sentence = "lively and unbreakable in real time, also with few iterations of local-global",
          .cost = "one solve per step; a second, and energy evaluations, where energy strays",
          .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
            return std::make_unique<Stabilized>(options);
          }};
}

}  // namespace brio
