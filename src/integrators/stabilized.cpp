#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/timer.h"
#include "integrators/bracket.h"
#include "integrators/implicit.h"
#include "integrators/islands.h"
#include "model/memory.h"

namespace brio {
namespace {

/// Stabilized integrator: implicit midpoint, blended with just enough backward Euler (where energy grew) or forward
/// Euler (where it fell) to hold the energy. [Dinev, Liu, Li, Thomaszewski & Kavan 2018, algorithm 1]
///   e(α) = E(x) + K(v) − H_total of (x,v) = (1−α)(x,v)_IM + α (x,v)_BE      where e > 0 for α = 0
///                                 or (x,v) = (1−α)(x,v)_FE + α (x,v)_IM     where e < 0 for α = 1
/// Every island of bodies that touch (islands.h) has an α of its own, found by a bracketed search until |e| ≤ ε S, S
/// being the energy in play in that island: kinetic + elastic + gravity above the lowest so far as its supports see it,
/// or kinetic + elastic relative to the mean motion where nothing holds it. Its mean motion is then that of implicit
/// midpoint, a parabola. e is less the work of what is driven, W(α) = (1−α) W_IM + α W_BE.
/// Reported α: in (0,1] towards backward Euler, in [−1,0) towards forward Euler, 0 for implicit midpoint alone; of
/// several islands the largest.
/// Departs: S cannot vanish or be negative, unlike their |H|; Illinois's rule instead of bisection; where one iteration
/// of local/global towards backward Euler leaves too much energy, more are done, which they go without. Backward Euler
/// from the result of implicit midpoint may end in a bad minimum: then it is solved again from x_n and from the inertia
/// target, then the step is halved, and what has too much energy even so is slowed down. What ends outside ε for all
/// that is counted.
/// With a half-life the target sinks towards the lowest gravity energy so far, at the same rate whatever h is.
/// Memory, per body: what the steps so far still owe to H_total (so that what is done to the state between steps counts
/// as added), the lowest gravity energy, and whether it was held.
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
  bool fits(const Memory& memory, const Model& model) const override {
    return memory.empty() || holds(memory, 0, 0, 3 * model.bodies().size());
  }

 private:
  static constexpr int max_backward_steps = 20;
  enum class Aim { keep, backward, forward };
  struct Ends {
    NodalField x, v;
    std::vector<SupportWork> works;  ///< per body
    bool known = false;
  };
  /// What one island is to end with, and how far the search for it has come.
  struct Island {
    IslandEnergy start;
    Vec3 frame = Vec3::Zero();  ///< velocity of what holds it [m/s]
    double before = 0;          ///< energy that it is to have, but for work and losses of the step [J]
    double in_play = 0;         ///< S at the start [J]
    double decayed = 0;         ///< by the half-life [J]
    double lowest = 0;          ///< gravity energy, at the end of the step [J]
    double rounding = 0;        ///< [J]
    double base_work = 0, other_work = 0;
    Aim aim = Aim::keep;
    Bracket bracket{};
    double base_e = 0;    ///< e of the predictor [J]
    double fraction = 0;  ///< of the other end
    bool searching = false;
    double e = 0, allowed = 0;  ///< at that fraction [J]
  };

  void prepare(const Model& model) override {
    for (Ends* ends : {&predictor_, &backward_, &forward_, &candidate_}) {
      for (NodalField* field : {&ends->x, &ends->v}) *field = NodalField(model.vertices());
      ends->works.resize(model.bodies().size());
    }
    for (NodalField* field : {&base_x_, &base_v_, &other_x_, &other_v_, &trial_x_, &trial_v_, &a_})
      *field = NodalField(model.vertices());
    list_.resize(model.bodies().size());
    saved_.reserve(model.bodies().size());
    lowest_.resize(model.bodies().size());
    energies_.resize(model.bodies().size());
    frames_.resize(model.bodies().size());
    outside_.resize(model.bodies().size());
    islands_.prepare(model);
  }

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    StepReport report;
    state_ = &state;
    step_ = step;
    islands_.begin(step.end);
    islands_.meet(state);
    if (!predictor_step(report)) return report;
    meet_on_the_way(predictor_.x);
    backward_.known = forward_.known = false;
    ends_only_ = !start_implicit_ && objective().free_path(state.x, predictor_.x) < 1;
    bool steered = false;
    for (bool settled = false; !settled;) {
      Stopwatch watch;
      set_up();
      steered = choose_aims();
      report.times.blend += watch.milliseconds();
      if (!steered) break;
      if (!find_ends(report)) return report;
      watch = {};
      if (compose_other(); islands_.meet({other_x_, Moment::at(step.end)})) continue;
      search();
      report.times.blend += watch.milliseconds();
      if (!rescue(report)) continue;
      watch = {};
      settled = is_free_of_surprises();
      report.times.blend += watch.milliseconds();
    }
    if (has_strayed() && !is_last_resort()) {
      missed_energy_ = true;
      report.status = StepReport::Status::failed;
      report.message = "the energy could not be held within epsilon";
      return report;
    }
    gather();
    for (std::size_t i = 0; i < islands_.count(); ++i) {
      const Island& island = list_[i];
      if (island.fraction > std::abs(report.alpha))
        report.alpha = island.aim == Aim::forward ? -island.fraction : island.fraction;
      report.user_work += island.base_work + island.fraction * (island.other_work - island.base_work);
    }
    if (has_strayed()) slow_down();
    x_next_ = steered ? trial_x_ : base_x_;
    v_next_ = steered ? trial_v_ : base_v_;
    return finish(state, std::move(report));
  }

  /// Books how it went, and remembers.
  StepReport finish(State& state, StepReport report) {
    for (std::size_t i = 0; i < islands_.count(); ++i) {
      Island& island = list_[i];
      report.damping_loss += island.decayed - unattainable(island);
      const double error = island.e = error_of(island);
      if (!std::isfinite(error)) {
        report.status = StepReport::Status::failed;
        report.message =
            fmt::format("no end of the step with finite energy was found; choose a smaller h than {} s", step_.h);
        return report;
      }
      const double fraction = error == 0 ? 0 : epsilon_ * std::abs(error) / island.allowed;
      report.energy_error = std::max(report.energy_error, fraction);
      if (fraction <= (1 + 1e-9) * epsilon_) continue;
      report.strayed = 1;
      report.strayed_by = std::max(report.strayed_by, fraction);
    }
    report = commit(state, step_, std::move(report));
    if (!report.ok()) return report;
    std::vector<double>& numbers = state.memory.numbers;
    numbers.resize(3 * islands_.bodies_count());
    for (std::size_t b = 0; b < islands_.bodies_count(); ++b) {
      const Island& island = list_[islands_.of_body(b)];
      const bool held = islands_.is_held(islands_.of_body(b));
      const double level = lowest_[b] - islands_.body_mass(b) * step_.h * model().gravity().dot(island.frame);
      numbers[3 * b + 1] = held ? std::min(level, islands_.body_gravity(b)) : islands_.body_gravity(b);
      numbers[3 * b + 2] = held ? 1 : 0;
    }
    islands_.deal([&](std::size_t i) { return -list_[i].e; },
                  [&](std::size_t b, double owed) { numbers[3 * b] = owed; });
    return report;
  }

  // What each island is held to.

  void set_up() {
    const State& state = *state_;
    islands_.number();
    islands_.measure(
        state, state.v, contact_counts_, [](std::size_t) { return true; }, energies_);
    const std::size_t count = islands_.count();
    std::fill_n(frames_.begin(), count, SupportFrame{});
    for (const Driven* support : model().supports()) support->add_to_frames(state, step_, islands_.parts(), frames_);
    list_.assign(list_.size(), Island{});
    for (std::size_t i = 0; i < count; ++i) {
      list_[i].start = energies_[i];
      if (islands_.is_held(i) && frames_[i].points > 0)
        list_[i].frame = frames_[i].displacement / (frames_[i].points * step_.h);
    }
    const std::vector<double>& numbers = state.memory.numbers;
    for (std::size_t b = 0; b < islands_.bodies_count(); ++b) {
      Island& island = list_[islands_.of_body(b)];
      lowest_[b] = islands_.body_gravity(b);
      if (!numbers.empty()) {
        island.before += numbers[3 * b];
        if (numbers[3 * b + 2] != 0) lowest_[b] = std::min(lowest_[b], numbers[3 * b + 1]);
      }
      island.lowest += lowest_[b];
      island.rounding += model_rounding(b);
    }
    const double noise = step_.h * objective().goal(0), left = step_.h * objective().goal(options_.tolerance);
    for (std::size_t i = 0; i < count; ++i) {
      Island& island = list_[i];
      island.in_play = std::max(island.before, 0.0) + std::max(seen(i, island.start, island.lowest), 0.0);
      island.decayed = half_life_ > 0 ? std::max(0.0, -std::expm1(-std::numbers::ln2 * step_.h / half_life_) *
                                                          (island.before + seen(i, island.start, island.lowest)))
                                      : 0;
      const double energy = steered_energy(i, island.start);
      island.before += energy - island.decayed;
      island.lowest -= islands_.mass(i) * step_.h * model().gravity().dot(island.frame);
      island.rounding += 1e-13 * (std::abs(energy) + (islands_.is_held(i) ? std::abs(island.start.gravity) : 0)) +
                         noise * std::sqrt(2 * island.in_play) + 0.5 * left * left;
    }
  }
  double model_rounding(std::size_t body) {
    const std::size_t first = model().bodies()[body].first_vertex;
    return 16 * std::numeric_limits<double>::epsilon() *
           objective().stored(first, first + model().bodies()[body].mesh.vertices.size());
  }
  double steered_energy(std::size_t i, const IslandEnergy& energy) const {
    return energy.kinetic + energy.stored + (islands_.is_held(i) ? energy.gravity : 0);
  }
  /// The energy in play, as who moves along sees it.
  double seen(std::size_t i, const IslandEnergy& energy, double lowest) const {
    if (!islands_.is_held(i)) return energy.kinetic + std::abs(energy.stored);
    const Vec3& u = list_[i].frame;
    return energy.kinetic - u.dot(energy.momentum) + 0.5 * islands_.mass(i) * u.squaredNorm() +
           std::abs(energy.stored) + energy.gravity - std::min(lowest, energy.gravity);
  }

  /// Sets e and `allowed` of the islands wanted, for a step that ends there. What forces from outside and supports do
  /// on the way, and what damping of strain takes, depend on where it ends.
  template <class Wanted>
  void judge(const NodalField& x, const NodalField& v, Wanted wanted) {
    islands_.measure({x, Moment::at(step_.end)}, v, contact_counts_, wanted, energies_);
    gather_outside(x);
    for (std::size_t i = 0; i < islands_.count(); ++i) {
      if (!wanted(i)) continue;
      Island& island = list_[i];
      const IslandEnergy& energy = energies_[i];
      double gained = outside_[i].work;
      if (islands_.is_held(i))
        gained += island.base_work + island.fraction * (island.other_work - island.base_work);
      else
        gained -= outside_[i].force.dot(energy.moment - island.start.moment) / islands_.mass(i);
      island.e = steered_energy(i, energy) - (island.before + gained);
      const double ends_with = seen(i, energy, island.lowest) - island.e;
      island.allowed = epsilon_ * std::max(island.in_play, ends_with) + island.rounding;
    }
  }
  void gather_outside(const NodalField& x) {
    std::fill_n(outside_.begin(), islands_.count(), Outside{});
    const NodalField* const damping = strain_gradient(state_->x, x, step_.h);
    if (damping == nullptr && model().forces().empty()) return;
    const Parts parts = islands_.parts();
    for (std::size_t k = 0; k < x.size(); ++k) {
      Outside& outside = outside_[parts[static_cast<int>(k)]];
      const Vec3 moved = x[k] - state_->x[k];
      if (damping != nullptr) outside.work -= (*damping)[k].dot(moved);
      if (model().forces().empty()) continue;
      outside.work += external()[k].dot(moved);
      outside.force += external()[k];
    }
  }
  /// What lies still can lose no more: a target below that would be held against what is added later.
  static double unattainable(const Island& island) {
    return std::clamp(island.e - island.allowed, 0.0, island.decayed);
  }
  static double error_of(const Island& island) { return island.e - unattainable(island); }
  static bool strays(const Island& island) { return !(std::abs(error_of(island)) <= (1 + 1e-9) * island.allowed); }
  bool has_strayed() const {
    return std::any_of(list_.begin(), list_.begin() + static_cast<long>(islands_.count()), strays);
  }

  /// From the predictor. Returns whether anything is to be steered.
  bool choose_aims() {
    base_x_ = predictor_.x;
    base_v_ = predictor_.v;
    for (std::size_t b = 0; b < islands_.bodies_count(); ++b)
      list_[islands_.of_body(b)].base_work += predictor_.works[b].energy;
    if (!start_implicit_) straighten_means();
    judge(base_x_, base_v_, [](std::size_t) { return true; });
    bool steered = false;
    for (std::size_t i = 0; i < islands_.count(); ++i) {
      Island& island = list_[i];
      if (!ends_only_ && std::abs(island.e) <= island.allowed) continue;
      island.aim = ends_only_ || !(island.e < 0) ? Aim::backward : Aim::forward;
      island.base_e = island.e;
      steered = true;
    }
    return steered;
  }
  /// Symplectic Euler lets what is free fall too far: h²/2 of its acceleration.
  void straighten_means() {
    gather_outside(base_x_);
    const Parts parts = islands_.parts();
    for_vertices(base_x_.size(), [&](std::size_t k) {
      const std::size_t i = parts[static_cast<int>(k)];
      if (!islands_.is_held(i))
        base_x_[k] -= 0.5 * step_.h * step_.h * (model().gravity() + outside_[i].force / islands_.mass(i));
    });
  }

  // Steps to blend.

  /// Implicit midpoint or symplectic Euler.
  bool predictor_step(StepReport& report) {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    const State& state = *state_;
    inertial_target(state, step_, y_);
    x_next_ = y_;
    if (start_implicit_) {
      if (!solve(step_, state.x, terms, report)) return false;
      set_velocity(state, step_.h, 2, 1);
    } else {
      declare(step_.h, step_, state.x, terms);
      acceleration(state, step_, a_);
      for_vertices(y_.size(), [&](std::size_t i) {
        if (model().pinned()[i] != 0) return;
        v_next_[i] = state.v[i] + step_.h * a_[i];
        x_next_[i] = state.x[i] + step_.h * v_next_[i];
      });
    }
    take(start_implicit_ ? at_middle : at_start, predictor_);
    return true;
  }
  /// From the guess in x_next_.
  bool backward_step(Solver& solver, Ends& to, StepReport& report) {
    static constexpr Term terms[]{{.c = 1, .theta = 1}};
    if (!solve(solver, step_.h, step_, state_->x, terms, report)) return false;
    set_velocity(*state_, step_.h, 1, 0);
    take(at_end, to);
    return true;
  }
  void forward_step() {
    acceleration(*state_, step_, a_);
    for_vertices(y_.size(), [&](std::size_t i) {
      x_next_[i] = state_->x[i] + step_.h * state_->v[i];
      v_next_[i] = state_->v[i] + step_.h * a_[i];
    });
    take(at_start, forward_);
  }
  /// What is in x_next_, v_next_, with driven vertices in place.
  void take(std::span<const Impulse> rule, Ends& to) {
    place_driven(model(), *state_, step_.end, Side::after, x_next_, v_next_);
    to.x = x_next_;
    to.v = v_next_;
    to.known = true;
    support_work(*state_, to.x, step_, rule, islands_.bodies(), to.works);
  }
  bool aims(Aim aim) const {
    return std::any_of(list_.begin(), list_.begin() + static_cast<long>(islands_.count()),
                       [&](const Island& island) { return island.aim == aim; });
  }
  /// The ends that islands aim at.
  bool find_ends(StepReport& report) {
    if (aims(Aim::forward) && !forward_.known) forward_step();
    if (!aims(Aim::backward) || backward_.known) return true;
    x_next_ = predictor_.x;
    if (ends_only_) objective().return_to_start(x_next_);
    const double residual = report.residual;
    if (backward_step(*backward_solver_, backward_, report)) return true;
    report.status = StepReport::Status::ok;
    report.message.clear();
    report.residual = residual;
    guess_start();
    return backward_step(solver(), backward_, report);
  }
  void guess_start() {
    x_next_ = y_;
    for_vertices(y_.size(), [&](std::size_t i) {
      if (model().pinned()[i] == 0) x_next_[i] = state_->x[i];
    });
  }

  /// Each island's own end, with the mean motion of the predictor where nothing holds it.
  void compose_other() {
    const Parts parts = islands_.parts();
    for_vertices(y_.size(), [&](std::size_t k) {
      const Aim aim = list_[parts[static_cast<int>(k)]].aim;
      other_x_[k] = aim == Aim::keep ? base_x_[k] : aim == Aim::backward ? backward_.x[k] : forward_.x[k];
      other_v_[k] = aim == Aim::keep ? base_v_[k] : aim == Aim::backward ? backward_.v[k] : forward_.v[k];
    });
    for (std::size_t i = 0; i < islands_.count(); ++i) list_[i].other_work = 0;
    for (std::size_t b = 0; b < islands_.bodies_count(); ++b) {
      Island& island = list_[islands_.of_body(b)];
      if (island.aim != Aim::keep)
        island.other_work += (island.aim == Aim::backward ? backward_ : forward_).works[b].energy;
      else
        island.other_work = island.base_work;
    }
    share_mean_motion();
  }
  void share_mean_motion() {
    std::fill_n(frames_.begin(), islands_.count(), SupportFrame{});  // by how much they are apart
    const Parts parts = islands_.parts();
    for (std::size_t k = 0; k < y_.size(); ++k) {
      SupportFrame& apart = frames_[parts[static_cast<int>(k)]];
      apart.place += model().mass()[k] * (base_x_[k] - other_x_[k]);
      apart.displacement += model().mass()[k] * (base_v_[k] - other_v_[k]);
    }
    for_vertices(y_.size(), [&](std::size_t k) {
      const std::size_t i = parts[static_cast<int>(k)];
      if (islands_.is_held(i)) return;
      other_x_[k] += frames_[i].place / islands_.mass(i);
      other_v_[k] += frames_[i].displacement / islands_.mass(i);
    });
  }

  // The search.

  void blend() {
    const Parts parts = islands_.parts();
    for_vertices(y_.size(), [&](std::size_t k) {
      const double fraction = list_[parts[static_cast<int>(k)]].fraction;
      trial_x_[k] = base_x_[k] + fraction * (other_x_[k] - base_x_[k]);
      trial_v_[k] = base_v_[k] + fraction * (other_v_[k] - base_v_[k]);
    });
  }
  void judge_blend() {
    blend();
    judge(trial_x_, trial_v_, [&](std::size_t i) { return list_[i].searching; });
  }
  template <class Each>
  void for_searching(Each each) {
    for (std::size_t i = 0; i < islands_.count(); ++i)
      if (list_[i].searching) each(list_[i]);
  }

  /// Fractions of the other ends in [0, 1] for which |e| ≤ allowed, or the ends nearest to it; the blends are then in
  /// trial_x_, trial_v_. None passes through a contact: where one is between both ends, only blends near the backward
  /// step are tried, which is reached without passing through anything, and less of the forward one.
  void search() {
    constexpr int max_evaluations = 60;
    const double open = ends_only_ ? 0 : objective().free_path(base_x_, other_x_);
    const double back = open == 1 ? 1 : ends_only_ ? 0 : objective().free_path(other_x_, base_x_);
    for (std::size_t i = 0; i < islands_.count(); ++i) {
      Island& island = list_[i];
      island.searching = island.aim != Aim::keep;
      if (!island.searching) continue;
      const bool forward = island.aim == Aim::forward;
      island.bracket = {.low = forward ? 0 : 1 - back, .f_low = island.base_e, .high = forward ? open : 1};
      island.fraction = island.bracket.high;
    }
    judge_blend();
    for_searching([](Island& island) { island.bracket.f_high = island.e; });
    if (open < 1) {
      for_searching([](Island& island) { island.fraction = island.bracket.low; });
      judge_blend();
      for_searching([](Island& island) { island.bracket.f_low = island.e; });
    }
    bool is_elsewhere = false;
    for_searching([&](Island& island) {
      const double judged = island.fraction;
      choose_end(island);
      is_elsewhere = is_elsewhere || island.fraction != judged;
    });
    if (is_elsewhere) judge_blend();
    for (int evaluations = 0; evaluations < max_evaluations; ++evaluations) {
      bool done = true;
      for_searching([&](Island& island) {
        if (std::abs(island.e) <= island.allowed || !island.bracket.holds_root()) {
          island.searching = false;
          return;
        }
        if (evaluations > 0) island.bracket.narrow(island.fraction, island.e);
        island.fraction = island.bracket.next();
        done = false;
      });
      if (done) break;
      judge_blend();
    }
    // What jumps across its target, as to infinity, ends on the lower side.
    for_searching([](Island& island) {
      island.fraction = island.bracket.f_high <= 0 ? island.bracket.high : island.bracket.low;
    });
    if (std::ranges::any_of(list_, &Island::searching)) judge_blend();
    blend();
  }
  /// The nearer end.
  static void choose_end(Island& island) {
    const Bracket& bracket = island.bracket;
    island.fraction = bracket.holds_root() || bracket.high_is_nearer() ? bracket.high : bracket.low;
  }

  /// Where the backward step has too much energy. False when other bodies were met, and all must be done again.
  bool rescue(StepReport& report) {
    const auto is_bad = [](const Island& island) {
      return island.aim == Aim::backward && strays(island) && !(error_of(island) <= 0);
    };
    const auto any_bad = [&] {
      return std::any_of(list_.begin(), list_.begin() + static_cast<long>(islands_.count()), is_bad);
    };
    // Local/global stops short of the minimum.
    for (int more = 0; more < max_backward_steps && any_bad(); ++more) {
      const int done = report.iterations;
      x_next_ = backward_.x;
      if (!backward_step(*backward_solver_, candidate_, report)) return give_up(report);
      if (report.iterations == done) break;  // it was backward Euler to the solver's tolerance
      std::swap(backward_, candidate_);
      if (!search_again()) return false;
    }
    // Another minimum.
    for (const bool from_target : {false, true}) {
      if (!any_bad()) break;
      guess_start();
      const Parts parts = islands_.parts();
      for_vertices(y_.size(), [&](std::size_t k) {
        const Island& island = list_[parts[static_cast<int>(k)]];
        if (!is_bad(island))
          x_next_[k] = island.aim == Aim::backward ? backward_.x[k] : predictor_.x[k];
        else if (from_target)
          x_next_[k] = y_[k];
      });
      if (!backward_step(solver(), candidate_, report)) return give_up(report);
      if (!prefer_candidate(is_bad)) continue;
      if (!search_again()) return false;
    }
    return true;
  }
  /// A second attempt that cannot be solved leaves what the first one had.
  static bool give_up(StepReport& report) {
    report.status = StepReport::Status::ok;
    report.message.clear();
    return true;
  }
  bool search_again() {
    compose_other();
    if (islands_.meet({other_x_, Moment::at(step_.end)})) return false;
    search();
    return true;
  }
  /// Takes the candidate for islands that have less energy there.
  template <class Bad>
  bool prefer_candidate(Bad is_bad) {
    for (std::size_t i = 0; i < islands_.count(); ++i) {
      list_[i].searching = is_bad(list_[i]);
    }
    saved_.assign(list_.begin(), list_.end());
    for_searching([](Island& island) {
      island.fraction = 1;
      island.other_work = 0;
    });
    for (std::size_t b = 0; b < islands_.bodies_count(); ++b)
      list_[islands_.of_body(b)].other_work += candidate_.works[b].energy;
    judge(candidate_.x, candidate_.v, [&](std::size_t i) { return list_[i].searching; });
    bool any = false;
    for (std::size_t i = 0; i < islands_.count(); ++i) {
      const bool better = list_[i].searching && list_[i].e < saved_[i].e;
      list_[i] = saved_[i];
      list_[i].searching = better;
      any = any || better;
    }
    const Parts parts = islands_.parts();
    for_vertices(y_.size(), [&](std::size_t k) {
      if (!list_[parts[static_cast<int>(k)]].searching) return;
      backward_.x[k] = candidate_.x[k];
      backward_.v[k] = candidate_.v[k];
    });
    for (std::size_t b = 0; b < islands_.bodies_count(); ++b)
      if (list_[islands_.of_body(b)].searching) backward_.works[b] = candidate_.works[b];
    return any;
  }

  /// Whether islands that were blended apart stay apart, and none passes through another.
  bool is_free_of_surprises() {
    if (islands_.meet({trial_x_, Moment::at(step_.end)})) return false;
    if (!objective().limits_path() || ends_only_) return true;
    if (objective().free_path(base_x_, trial_x_) == 1 || objective().free_path(other_x_, trial_x_) == 1) return true;
    ends_only_ = !islands_.join_all();
    return false;
  }
  void meet_on_the_way(const NodalField& x) {
    for_vertices(y_.size(), [&](std::size_t i) { trial_x_[i] = 0.5 * (state_->x[i] + x[i]); });
    islands_.meet({trial_x_, Moment::along(step_, state_->x, 0.5)});
    islands_.meet({x, Moment::at(step_.end)});
  }

  /// The last resort: what has too much energy is taken back towards where it was, without motion but the mean.
  void slow_down() {
    bool any = false;
    for (std::size_t i = 0; i < islands_.count(); ++i) {
      Island& island = list_[i];
      const bool too_much = strays(island) && !(error_of(island) <= 0);
      island.base_work = island.other_work =
          island.base_work + island.fraction * (island.other_work - island.base_work);
      island.aim = too_much ? Aim::forward : Aim::keep;
      island.fraction = 0;
      island.base_e = island.e;
      any = any || too_much;
    }
    if (!any) return;
    base_x_ = trial_x_;
    base_v_ = trial_v_;
    other_x_ = trial_x_;
    other_v_ = trial_v_;
    const Parts parts = islands_.parts();
    for_vertices(y_.size(), [&](std::size_t k) {
      if (list_[parts[static_cast<int>(k)]].aim == Aim::keep || model().pinned()[k] != 0) return;
      other_x_[k] = state_->x[k];
      other_v_[k].setZero();
    });
    share_mean_motion();
    ends_only_ = false;
    search();
  }

  /// Tells supports the mean forces of the step, as friction wants to know them: of several islands by the blend of
  /// the one that was steered most.
  void gather() {
    if (!supports().wanted() || islands_.count() == 0) return;
    const Island* steered = &list_[0];
    for (std::size_t i = 1; i < islands_.count(); ++i)
      if (list_[i].fraction > steered->fraction) steered = &list_[i];
    const double blend = steered->fraction;
    supports().clear();
    supports().add(state_->x, predictor_.x, step_, start_implicit_ ? at_middle : at_start, Averaging::none, 1 - blend);
    if (blend > 0)
      supports().add(state_->x, steered->aim == Aim::backward ? backward_.x : forward_.x, step_,
                     steered->aim == Aim::backward ? at_end : at_start, Averaging::none, blend);
  }

  static constexpr Impulse at_start[]{{.b = 1, .theta = 0}};
  static constexpr Impulse at_middle[]{{.b = 1, .theta = 0.5}};
  static constexpr Impulse at_end[]{{.b = 1, .theta = 1}};

  double epsilon_;
  double half_life_;     ///< [s]; 0: none
  bool contact_counts_;  ///< energy of contact is part of H
  bool start_implicit_;
  std::unique_ptr<Solver> backward_solver_;

  // Of the step at hand.
  const State* state_ = nullptr;
  TimeStep step_;
  Islands islands_;
  std::vector<Island> list_, saved_;
  std::vector<IslandEnergy> energies_;
  std::vector<SupportFrame> frames_;
  /// What forces from outside do to an island, and damping of strain takes.
  struct Outside {
    double work = 0;            ///< [J]
    Vec3 force = Vec3::Zero();  ///< [N]
  };
  std::vector<Outside> outside_;
  std::vector<double> lowest_;  ///< per body [J]
  bool ends_only_ = false;      ///< something is in the way of all blends
  Ends predictor_, backward_, forward_, candidate_;
  NodalField base_x_, base_v_, other_x_, other_v_, trial_x_, trial_v_, a_;
};

}  // namespace

Method stabilized() {
  return {
      .name = "stabilized",
      .family = "stabilized",
      .order = 2,
      .energy = EnergyBehavior::tracked,
      .options = {"epsilon", "start", "half_life", "contact_energy"},
      .reference = "Dinev, Liu, Li, Thomaszewski & Kavan 2018",
      .sentence = "lively and unbreakable in real time, also with few iterations of local-global",
      .cost =
          "one solve per step; where energy strays a second one by backward Euler, and energy evaluations that blend "
          "both; where neither holds it the step is halved",
      .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
        return std::make_unique<Stabilized>(options);
      }};
}

}  // namespace brio
