/// Simulations: a model, its state, an integrator and the account of every joule.
///
///   Model model;
///   const BodyId bar = model.add(SolidOptions{.mesh = make_bar({})});
///   Simulation simulation(std::move(model), {.h = 1e-3});
///   while (simulation.state().time < 1 && simulation.step().ok()) {}
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "brio/integrators.h"

namespace brio {

class GrabSprings;
class Hands;
struct ColliderOptions;
struct Grab;

struct SimulationOptions {
  std::string integrator = "symplectic-euler";  ///< any of `brio list integrators`
  double h = 1e-3;                              ///< integration step [s], > 0
  IntegratorOptions options{};                  ///< of the integrator and its solver
};

/// A moment of a simulation to return to: what follows is bit for bit what followed before, unless gravity, wind,
/// damping or a material were changed since, which stay as they are.
struct Snapshot {
  State state;
  LedgerRow ledger;
  Clock clock;
  double start_total = 0;         ///< energy at the start of the simulation [J]
  std::string integrator{};       ///< that was in use
  std::uint64_t composition = 0;  ///< of the model: Model::composition; 0: not known
  std::uint64_t changes = 0;      ///< of gravity and materials until then, as a hash of them; 0: none
};

/// To the disk, and from there; what a file says is checked by `restore`. They throw InputError for files that cannot
/// be written or read, or are damaged.
void save(const Snapshot& snapshot, const std::filesystem::path& path);
Snapshot load_snapshot(const std::filesystem::path& path);

/// What becomes of a call of `step` whose time is up.
enum class OnTimeOut {
  cancel,  ///< nothing is done
  /// Solvers end with the best that they have, after one iteration at least, and the call goes on to its end with that:
  /// a whole state, through no contact, of lower objective than any before it. The report is ok and says `out_of_time`,
  /// `unconverged`, the iterations done and the residual reached. Methods whose equations must be met exactly
  /// (constraints, discrete-gradient, lagrange-energy) cancel. An explicit step takes the time it takes. What methods
  /// promise of energy holds for steps that converge: on a budget, backward-euler, bdf2 and stabilized stay calm, while
  /// avf, implicit-midpoint and newmark may explode, so that not even all the time there is solves the next step.
  finish_with_best,
};

/// What may end a call of `step` before its time. It is looked at many times within a step, whatever the step is doing;
/// only a sparse factorization that is under way is finished first.
struct StepControl {
  const std::atomic<bool>* stop = nullptr;  ///< ends the call once it is true; any thread or signal handler may set it
  double milliseconds = std::numeric_limits<double>::infinity();  ///< that the call may take [ms], >= 0
  OnTimeOut on_time_out = OnTimeOut::cancel;
};

/// A point of a body: at one of its vertices, or on a triangle of its surface.
struct BodyPoint {
  std::array<int, 3> vertices{};  ///< of the body
  Vec3 weights = Vec3(1, 0, 0);   ///< barycentric; of sum 1
  static BodyPoint at_vertex(int vertex) { return {.vertices = {vertex, vertex, vertex}}; }
};
/// The point where a ray first meets the surface of a body.
struct RayHit {
  BodyId body{};  ///< none: it meets none
  BodyPoint point{};
  Vec3 place = Vec3::Zero();  ///< [m]
};

class Simulation {
 public:
  /// Starts from the model's rest shape.
  Simulation(Model model, const SimulationOptions& options);
  /// Starts from `state`; pinned vertices get the velocity of their path, or none.
  Simulation(Model model, State state, const SimulationOptions& options);

  /// All or nothing: `count` integration steps, then a new row in the ledger. When a step fails or is canceled, or the
  /// energy it leads to is not finite, the state and the ledger stay those of before the call. So they do when an
  /// energy, force or method of others throws, which reaches the caller.
  StepReport step(int count = 1, const StepControl& control = {});

  /// Goes on from the present state with another integrator or step.
  void use(const SimulationOptions& options);

  // Edits, between steps. Each books in the ledger, as work of the user, by how much it changes the energy; those that
  // move something do so within the next step. What is restored knows of hands and of what was moved by hand. An edit
  // that cannot be done, or would make the energy infinite, throws InputError and changes nothing.

  /// Holds a point by a spring, from where it is now. Throws InputError for a point that pins hold.
  GrabId grab(BodyId body, const BodyPoint& point, double stiffness);
  void move(GrabId grab, const Vec3& to);  ///< the hand is there after the next step
  void let_go(GrabId grab);
  /// Where the hand is, and the point that it holds [m].
  std::pair<Vec3, Vec3> held(GrabId grab) const;
  RayHit pick(const Vec3& origin, const Vec3& direction) const;  ///< the direction may have any length but zero

  /// Of all vertices; pinned ones stay as they are.
  void set_state(const NodalField& x, const NodalField& v);
  /// Pinned vertices stay as they are; throws InputError where all of them are.
  void set_velocity(BodyId body, std::span<const int> vertices, const Vec3& velocity);
  void apply_impulse(BodyId body, int vertex, const Vec3& impulse);  ///< [N s]
  /// Places pins or a collider by hand instead of by keyframes: displaced so from where they began, after the next
  /// step, whatever the time of the key. They turn about the pivot; where none is given about that of the move before,
  /// at first about the center of the path that they had (Motion::center), or without a path about the middle of the
  /// pins, or of the collider, as it is then.
  void move_pins(PinId pins, const Motion::Key& to, const std::optional<Vec3>& pivot = {});
  void move_collider(ColliderId collider, const Motion::Key& to, const std::optional<Vec3>& pivot = {});
  void set_gravity(const Vec3& acceleration);
  void set_wind(BodyId body, const Wind& wind);  ///< in place of what blew on it
  void set_damping(const Damping& damping);
  void set_material(BodyId body, const Material& material);  ///< of a solid

  /// A body, where its mesh is, all of it moving with that velocity [m/s]; it meets the colliders and contacts that are
  /// for all bodies. The energy that it brings is the user's work. What moves already goes on with the same bits under
  /// explicit methods that remember nothing from step to step; the others solve for all bodies at once, or start
  /// afresh. Throws InputError, and changes nothing, where the body passes through another that it is in contact with.
  BodyId add(const SolidOptions& options, const Vec3& velocity = Vec3::Zero());
  BodyId add(const ClothOptions& options, const Vec3& velocity = Vec3::Zero());
  BodyId add(const WireOptions& options, const Vec3& velocity = Vec3::Zero());
  BodyId add(const ParticlesOptions& options, const Vec3& velocity = Vec3::Zero());
  /// The same for bodies that come with pins, attachments, pushes, constraints or energies of one's own: `build` adds
  /// them to the model. `start` may then place them elsewhere than at rest, and set them in motion, in a state where
  /// they are at rest until then; of other bodies nothing may change. Paths of pins lead on from where these come.
  std::vector<BodyId> add(const std::function<void(Model&)>& build,
                          const std::function<void(const Model&, State&)>& start = {});
  /// With what holds and pushes it; hands let go of it. Never the last one. Vertices of others move up in the state;
  /// ids stay good.
  void remove(BodyId body);
  ColliderId add_collider(const ColliderOptions& options);
  void remove(ColliderId collider);

  Snapshot snapshot() const {
    return {.state = state_,
            .ledger = row_,
            .clock = clock_,
            .start_total = start_total_,
            .integrator = method_->name,
            .composition = model_.composition(),
            .changes = changes_};
  }
  /// Of this simulation, or of one made alike, perhaps by way of a file. The integrator and step stay those in use:
  /// where the snapshot is of another integrator the one in use starts afresh, of another step the clock does. So do
  /// gravity, wind, damping and materials: what their change makes of the energy is booked as work of the user. Throws
  /// InputError, and changes nothing, for a snapshot of other bodies and colliders than there are now, a state of
  /// another size, numbers that are not finite, and memories that neither the integrator in use nor the model's
  /// interactions can have left.
  void restore(const Snapshot& snapshot);

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  const Method& method() const { return *method_; }
  const Clock& clock() const { return clock_; }  ///< state().time is its time_of(state().step)
  double h() const { return clock_.h; }
  const LedgerRow& ledger() const { return row_; }    ///< of the present state
  const SolveTimes& times() const { return times_; }  ///< of all steps
  /// Which linear solvers were used, and why, with the number of steps that each ended.
  const std::vector<std::pair<std::string, long>>& linear_solvers() const { return linear_solvers_; }
  std::uint64_t hash() const;  ///< of the state's bits

  /// The memory that holds positions and velocities now, for whoever has pointers into it that are to outlive the next
  /// step: it is his from here on, and the simulation goes on with a copy.
  std::pair<NodalField, NodalField> part_with_state();

 private:
  /// Books by how much `change` changes the energy.
  void edit(const std::function<void()>& change);
  /// The row of the present state after an edit, which found that much energy.
  void book(double energy_before);
  template <class Options>
  BodyId add_body(const Options& options, const Vec3& velocity);
  /// Goes on with another model in that state. Throws, and changes nothing, where it cannot.
  void adopt(Model model, State state);
  GrabSprings& springs();
  Grab& find(GrabId grab);
  void remember_hands();
  void count_hands();  ///< those that came with a state: none gets the id of another
  /// Steps from here on; what is to move within the next one does so within that of this clock.
  void set_clock(const Clock& clock);
  void undo_step(bool cut_short);
  StepReport step_once();
  /// The steps of one call, and what they lead to.
  StepReport advance(int count, LedgerRow& row);
  void count_linear_solver(const char* used);

  Model model_;                ///< a copy of its own, with hands
  Hands* hands_ = nullptr;     ///< among its interactions
  std::uint64_t changes_ = 0;  ///< Snapshot::changes
  std::uint32_t next_grab_ = 0;
  State state_;
  State good_;    ///< what a failed call returns to
  State before_;  ///< where the step at hand began
  const Method* method_;
  IntegratorOptions options_;
  std::unique_ptr<Integrator> integrator_;
  Clock clock_;
  double start_total_ = 0;  ///< energy at the start [J]
  LedgerRow row_;
  SolveTimes times_;
  std::vector<std::pair<std::string, long>> linear_solvers_;
};

/// What counts as an explosion in a run: a step that fails, or energy drift (the ledger's residual) beyond
/// `growth` times the energy in play: kinetic and elastic at the start, the most gravity energy exchanged, and the
/// user's work.
struct StableRun {
  int steps = 200;
  double duration = 0;  ///< [s]; if positive it decides the number of steps, at most a million
  double growth = 1;
  double longest = 1;        ///< no longer steps are tried [s]
  double resolution = 0.01;  ///< relative, of the answer
};

/// The largest step [s] found by bisection with which a run from the simulation's present state does not explode, by
/// the integrator and options given; infinity when even the longest does not, zero when a step of a millionth of it
/// does. The simulation ends where it was, with the step found last. Throws InputError when there is no energy.
double max_stable_step(Simulation& simulation, const SimulationOptions& options, const StableRun& run);

}  // namespace brio
