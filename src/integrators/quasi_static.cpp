#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "brio/force.h"
#include "core/time_budget.h"
#include "integrators/equilibrium.h"
#include "integrators/implicit.h"
#include "model/interaction.h"

namespace brio {
namespace {

/// Each step ends in the equilibrium under the loads of its end: inertia has no part, and h only says when.
///   x' = argmin E(x) − Σ (m g + load)·x,   v' = 0,   supports where the step's end has them
/// Found by proximal rounds, x_{k+1} = argmin w_k/2 |x − x_k|²_M + E(x) − …, with w_k falling to next to nothing
/// [Rockafellar 1976; as pseudo-transient continuation: Kelley & Keyes 1998]. The term makes every round a well-posed
/// minimization, holds what no load moves (rigid motion of what is free) where it is, and has no part in where the
/// rounds end: that is where the unbalanced force alone, without it, is within the solver's tolerance.
///
/// Loads without a potential are taken at the place reached, at rest. Friction holds with the caps of the step before;
/// damping of motion has nothing to damp. Work of supports is taken by the trapezoid rule. What of it, of the energy
/// before and of the kinetic energy that the state had is not there afterwards was lost while things settled: it is
/// booked as damping.
class QuasiStatic final : public ImplicitIntegrator {
 public:
  explicit QuasiStatic(const SolverOptions& options)
      : ImplicitIntegrator(sharper(options)), goal_(options.tolerance), unconverged_(options.unconverged) {
    searches_long_ = true;
  }
  void disturbed(State&) const override {}

 private:
  /// What a round leaves and what its term leaves are together within the tolerance.
  static SolverOptions sharper(SolverOptions options) {
    options.tolerance *= 0.5;
    return options;
  }
  std::string remedy() const override {
    return "bring loads on in smaller parts, stiffen what gives way, or raise solver.iterations";
  }
  bool damps_strain() const override { return true; }  // there is no rate of strain
  void prepare(const Model& model) override {
    g_ = NodalField(model.vertices());
    at_.x = at_.v = NodalField(model.vertices());
  }

  StepReport advance(const Model& model, State& state, const TimeStep& step) override {
    static constexpr Impulse impulse[]{{.b = 0.5, .theta = 0}, {.b = 0.5, .theta = 1}};
    // Where nothing is driven, half a step is the same equilibrium again.
    const bool halves = unconverged_ == Unconverged::substep ||
                        (unconverged_ == Unconverged::automatic && !find_solver(options_.name).ends_early);
    options_.unconverged = halves && !model.is_driven() ? Unconverged::stop : unconverged_;
    const double before = model.potential_energy(state) + model.kinetic_energy(state.v);
    StepReport report;
    x_next_ = state.x;
    place_driven(model, state, step.end, Side::before, x_next_, v_next_);
    if (!relax(state, step, report)) return report;
    v_next_.set_zero();
    place_driven(model, state, step.end, Side::after, x_next_, v_next_);
    book_supports(state, step, impulse, report);
    const double given = report.user_work + external_work(state.x, x_next_);
    const double after = model.potential_energy({x_next_, Moment::at(step.end)}) + model.kinetic_energy(v_next_);
    report.damping_loss += before + given - after;
    return commit(state, step, std::move(report));
  }

  /// From x_next_, a guess with supports in place.
  bool relax(const State& state, const TimeStep& step, StepReport& report) {
    // In all rounds; where there is an equilibrium, mostly some dozens do. Small bodies have more patience.
    const int max_iterations =
        static_cast<int>(std::clamp(8e6 / static_cast<double>(objective().pattern()->blocks()), 2000.0, 40000.0));
    const int max_rounds = max_iterations / 33;
    constexpr double first = 1e-2, least = 1e-11;  // of w, beside stiffness over mass
    constexpr double far = 1e3;                    // sizes of the model: nothing that is held goes there
    constexpr double max_path = 0.25;              // sizes of the model, in a round among bodies in contact
    constexpr double long_way = 5;                 // sizes: whoever went so far in such rounds goes on
    const double size = std::max(extent(state.x), extent(model().rest()));  // it may start collapsed
    const TimeStep at_end{.start = step.end, .end = step.end, .h = 0};
    at_.v.set_zero();
    double w = first;
    int round = 0;
    for (; round < max_rounds && report.iterations < max_iterations; ++round) {
      if (round == 0) {
        at_.x = state.x;  // where a guess outside of the domain returns to
      } else {
        at_.x = x_next_;
      }
      hold_forces(at_, at_end);
      objective().declare_equilibrium(w, at_.x, held_load(), step);
      if (round == 0 && !admit_guess(solver(), report)) return false;
      if (round > 0) {
        objective().gradient(x_next_, g_);
        const double norm = objective().norm(g_);
        report.residual = objective().relative(norm);
        if (norm <= objective().goal(goal_) || objective().at_rounding(norm)) return true;
        if (out_of_time()) return report.out_of_time = report.unconverged = true;
      }
      const SolveReport solved = solver().solve(objective(), x_next_);
      report.iterations += solved.iterations;
      report.times += solved.times;
      report.linear = solved.linear;
      if (solved.status == SolveReport::Status::failed) return accept(solved, step.h, report);
      const double moved = farthest(x_next_, at_.x);
      if (!(moved < far * size)) return refuse_endless(report, body_that_left());
      // What falls goes by 1/w; where paths are looked at for collisions, long ones cost minutes.
      const double bearable = objective().limits_path() ? std::min(w, w * moved / (max_path * size)) : 0;
      w = solved.converged() ? std::max({0.01 * w, least, bearable}) : std::min(10 * w, first);
      last_ = solved;
    }
    if (farthest(x_next_, state.x) > long_way * size) return refuse_endless(report, body_that_left());
    last_.status = SolveReport::Status::unconverged;
    last_.residual = report.residual;
    last_.message = fmt::format("no equilibrium in {} rounds of {} iterations in all", round, report.iterations);
    last_.iterations = 0;
    last_.times = {};
    return accept(last_, step.h, report);
  }

  /// That of the vertex which went farthest in the last round.
  const Body& body_that_left() const {
    std::size_t vertex = 0;
    for (std::size_t i = 0; i < at_.x.size(); ++i)
      if ((x_next_[i] - at_.x[i]).squaredNorm() > (x_next_[vertex] - at_.x[vertex]).squaredNorm()) vertex = i;
    const std::vector<Body>& bodies = model().bodies();
    return *std::ranges::find_if(bodies, [&](const Body& body) {
      return vertex < static_cast<std::size_t>(body.first_vertex) + body.mesh.vertices.size();
    });
  }
  static bool refuse_endless(StepReport& report, const Body& body) {
    report.status = StepReport::Status::failed;
    report.message = no_equilibrium("\"" + body.name + "\"") +
                     "; pin or attach it, or put a collider under it; friction counts only once it was felt";
    return false;
  }

  static double extent(const NodalField& x) {
    Vec3 low = x[0], high = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) {
      low = low.cwiseMin(Vec3(x[i]));
      high = high.cwiseMax(Vec3(x[i]));
    }
    return std::max((high - low).norm(), 1e-3 * (1 + high.cwiseAbs().maxCoeff()));
  }
  static double farthest(const NodalField& a, const NodalField& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).squaredNorm());
    return std::sqrt(most);
  }

  double goal_;
  Unconverged unconverged_;  ///< as asked for
  NodalField g_;
  State at_;  ///< where a round starts, at rest
  SolveReport last_;
};

}  // namespace

Method quasi_static() {
  return {
      .name = "quasi-static",
      .aliases = {"equilibrium", "static"},
      .family = "static",
      .order = 0,
      .dynamic = false,
      .linear_momentum = false,
      .energy = EnergyBehavior::decays,
      .reference = "Rockafellar 1976; Kelley & Keyes 1998",
      .sentence = "no motion at all: every step ends in the equilibrium under its loads and supports; h only says when",
      .cost = "a few solves per step",
      .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
        return std::make_unique<QuasiStatic>(options.solver);
      }};
}

int unheld_body(const Model& model) {
  if (model.gravity().isZero(0)) return -1;
  for (const auto& energy : model.energies())
    if (energy->is_anchored() || energy->role() == Role::contact) return -1;  // which may hold any of them
  const std::vector<Body>& bodies = model.bodies();
  const BlockPattern& pattern = *model.pattern();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const int first = bodies[b].first_vertex, last = first + static_cast<int>(bodies[b].mesh.vertices.size());
    const auto inside = [&](int vertex) { return vertex >= first && vertex < last; };
    bool held = std::ranges::any_of(model.constraints(), [&](const Constraint& c) {
      const bool joins = c.kind == Constraint::Kind::distance || c.kind == Constraint::Kind::together;
      return joins ? inside(c.a) != inside(c.b) : inside(c.a);
    });
    for (int i = first; i < last; ++i) held = held || model.pinned()[static_cast<std::size_t>(i)] != 0;
    for (int j = 0; j < pattern.vertices() && !held; ++j)
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
        held = held || inside(j) != inside(pattern.row[k]);
    if (!held) return static_cast<int>(b);
  }
  return -1;
}

std::string no_equilibrium(const std::string& body) {
  return fmt::format("there is no equilibrium: nothing holds {}, and it moves away without end", body);
}

StepReport find_equilibrium(const Model& model, State& state, const SolverOptions& options) {
  constexpr int max_passes = 30;  // contacts that are found where the last pass ended change where the next one does
  SolverOptions chosen = options;
  if (chosen.unconverged != Unconverged::accept) chosen.unconverged = Unconverged::stop;  // there is no step to halve
  if (model.vertices() == 0) return {.status = StepReport::Status::failed, .message = "the model has no bodies"};
  if (!model.constraints().empty())
    return {.status = StepReport::Status::failed,
            .message =
                "equilibria of models with constraints are not looked for; let it come to rest under damping, or "
                "pin vertices instead of constraining them"};
  const auto integrator = make_integrator(find_integrator("quasi-static"), {.solver = chosen}, model);
  if (const int body = unheld_body(model); body >= 0)
    return {.status = StepReport::Status::failed,
            .message = no_equilibrium("\"" + model.bodies()[static_cast<std::size_t>(body)].name + "\"") +
                       "; pin or attach it, put a collider under it, or take the load away"};
  State found = state;
  found.memory.clear();
  for (std::size_t i = 0; i < found.v.size(); ++i) found.v[i].setZero();
  recall_interactions(model, found);
  const Clock clock{.start = state.time, .first = 0, .h = 0};
  StepReport all;
  for (int pass = 0; pass < max_passes; ++pass) {
    const State before = found;
    Exchange exchange;
    begin_interactions(model, found, clock, exchange);
    StepReport report = integrator->step(model, found, TimeStep{.start = state.time, .end = state.time, .h = 0});
    const bool moved = report.iterations > 0;
    const double residual = report.residual;
    report.follow(all);
    all = std::move(report);
    all.residual = residual;  // the last pass has the last word
    if (!all.ok()) return all;
    exchange.path_was_limited = integrator->limits_paths();
    end_interactions(model, before, found, clock, exchange);
    if (!moved || all.out_of_time) break;
  }
  found.time = state.time;
  found.step = state.step;
  found.histories.clear();
  state = found;
  recall_interactions(model, found);  // the model as it is there, without its histories, which are of who simulates it
  return all;
}

}  // namespace brio
