/// Models: bodies made of vertices with mass, and the energies and forces between them.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "brio/choices.h"
#include "brio/ids.h"
#include "brio/mesh.h"
#include "brio/motion.h"

namespace brio {

class Energy;
class Force;
class Interaction;
class Driven;
struct BlockPattern;

/// Lamé moduli [Pa].
struct Lame {
  double mu = 0;      ///< shear modulus
  double lambda = 0;  ///< second modulus
};
Lame lame(double young, double poisson);

/// What a solid is made of: any of `brio list materials`. A member that a material does not know must be left as it is.
struct Material {
  std::string name = "stable-neo-hookean";
  double mu = 1e5;      ///< shear modulus [Pa]
  double lambda = 4e5;  ///< second Lamé modulus [Pa]
  double kappa = 1e5;   ///< volume stiffness of stvk-volume, bulk modulus of mooney-rivlin [Pa]
  double a = 2.5e4;     ///< first Mooney–Rivlin constant [Pa]
  double b = 2.5e4;     ///< second Mooney–Rivlin constant [Pa]
};

/// Tetrahedra of one material. The mass is spread over the vertices in proportion to the volume around them.
struct SolidOptions {
  std::string name = "solid";
  Mesh mesh{};
  Material material{};
  double mass = 0;        ///< of the whole body [kg]; 0: from the density
  double density = 1000;  ///< [kg/m³]
};

/// Triangles held by springs: along edges (stretch), and across them (bend). A grid of make_sheet gets the classical
/// pattern: rows and columns (stretch), both diagonals (shear), and every second vertex in both directions (bend).
struct ClothOptions {
  std::string name = "cloth";
  Mesh mesh{};
  std::array<int, 2> grid{0, 0};  ///< cells of the make_sheet grid that the mesh is; 0: any triangle mesh
  SpringLaw law = SpringLaw::hookean;
  double stretch = 100;
  double shear = 100;
  double bend = 10;
  double mass = 1;  ///< of the whole body [kg], spread by area
};

/// A wire, hose, thread or rope along a curve: three vertices per point of the curve span tetrahedra whose edges are
/// springs and whose volumes are kept; every segment resists twist. [S2 section 4]
/// A straight wire of length L twisted by φ from end to end holds torsion/L φ²/2 [J] of torsion energy.
struct WireOptions {
  std::string name = "wire";
  Mesh mesh{};           ///< one open polyline of segments
  double radius = 0.01;  ///< [m]
  SpringLaw law = SpringLaw::hookean;
  double stiffness = 1000;  ///< of the springs: [N/m] or [N/m³]
  double volume = 0.03;     ///< volume stiffness K_V [J]; a third of stiffness radius² keeps links from collapsing
  double torsion = 1e-4;    ///< torsional rigidity [N m²]
  TorsionLaw torsion_law = TorsionLaw::potential;
  bool improved = true;   ///< volume law that grows towards collapse [S2 eq. 14]
  double collapse = 0.1;  ///< improved: relative volume below which its force grows no further, in [1e-6, 1]
  double mass = 0.1;      ///< of the whole body [kg]
};

/// Points joined by springs along the segments of the mesh, each of them in a potential of its own place.
struct ParticlesOptions {
  std::string name = "particles";
  Mesh mesh{};
  SpringLaw law = SpringLaw::hookean;
  double stiffness = 1000;  ///< [N/m] or [N/m³]
  double mass = 1;          ///< of each particle [kg]
  PointPotential potential = PointPotential::none;
  double strength = 1;  ///< of the potential [J], at the length of 1 m
};

/// A vertex joined by a spring to a point that the simulation does not move.
struct Attachment {
  int vertex = 0;
  Vec3 point = Vec3::Zero();  ///< [m]
  double stiffness = 1e4;     ///< [N/m]
  double rest_length = 0;     ///< [m]
};

/// A force on vertices of a body that changes with time: linear between keys, zero before the first and after the last.
struct Push {
  struct Key {
    double time = 0;            ///< [s]
    Vec3 force = Vec3::Zero();  ///< on each vertex [N]
  };
  std::vector<int> vertices{};
  std::vector<Key> keys{};
};

/// Moving air. Each triangle of the body's surface feels, over its area A with unit normal n, what its speed through
/// the air presses on it: density/2 A (u.n) |u.n| n, u = air - triangle.
struct Wind {
  Vec3 velocity = Vec3(5, 0, 0);  ///< of the air [m/s]
  double density = 1.2;           ///< of the air [kg/m³]
  double gust = 0;                ///< relative amplitude: velocity (1 + gust sin(2π time / period))
  double period = 1;              ///< of gusts [s]
};

/// How motion is damped. All but drag leave the momentum of every body alone, so that nothing falls or spins slower.
struct Damping {
  double strain = 0;    ///< δ [s]: resists the rate of strain, as Rayleigh's δK and S3's variational damping do
  double relative = 0;  ///< η [1/s]: velocities relative to the body's rigid motion decay as exp(-η t)
  double per_step = 0;  ///< in [0, 1]: the same, by this fraction in every step, whatever its length [S1 eq. 36]
  double drag = 0;      ///< [kg/s]: every vertex of mass m slows down as exp(-drag t / m) [S1 eq. 31]
  /// Rayleigh's damping as [Rojas et al. 2018, eq. 13–16] has it, for comparison: the force -(ηM + δK) v' at the end of
  /// a step, K the Hessian where it starts, made positive semi-definite. Rigid motion is damped too.
  double s0_mass = 0;       ///< η [1/s]
  double s0_stiffness = 0;  ///< δ [s]
};

struct Body {
  BodyId id{};
  std::string name;
  BodyKind kind = BodyKind::solid;
  int first_vertex = 0;              ///< vertices [first_vertex, first_vertex + mesh.vertices.size()) of the model
  Mesh mesh{};                       ///< at rest, its own indices; of wires the tetrahedra
  std::vector<EnergyId> energies{};  ///< its own
};

/// What a method remembers from step to step beyond positions and velocities: earlier steps, energy targets. Empty at
/// the start, and cleared by whoever changes x or v by hand: the method then starts afresh.
struct Memory {
  std::vector<NodalField> fields{};
  std::vector<double> numbers{};

  bool empty() const { return fields.empty() && numbers.empty(); }
  void clear() {
    fields.clear();
    numbers.clear();
  }
};

/// What changes with time: all that the future depends on, so that a copy of it is a snapshot.
struct State {
  NodalField x;     ///< positions [m]
  NodalField v;     ///< velocities [m/s]
  double time = 0;  ///< [s]
  long step = 0;
  Memory memory{};                  ///< of the integrator
  std::vector<Memory> histories{};  ///< of the model's interactions, such as anchors of friction
};

/// The time of one step, or of a part of one.
struct TimeStep {
  double start = 0;  ///< [s]
  double end = 0;    ///< [s]
  double h = 0;      ///< end - start but for rounding; negative in the backward parts of some methods [s]

  double at(double fraction) const { return fraction == 1 ? end : start + fraction * h; }
  TimeStep part(double from, double to) const { return {.start = at(from), .end = at(to), .h = (to - from) * h}; }
};

/// A time, or a place θ along a step. What is driven from outside is where its path has it: along a step on the
/// straight line between where the step begins and ends, as every vertex is, so that energies, which depend on
/// differences, are the same for an observer who moves along.
struct Moment {
  double from = 0;  ///< [s]
  double to = 0;    ///< [s]
  double theta = 1;
  const NodalField* x_n = nullptr;  ///< positions at `from` [m]; null: a time, `from` and `to` alike
  double end = 0;                   ///< of the step at hand [s]: what is let go within a step is gone for all of it
  double reach = 1;       ///< while a step is solved: how far along their way rigid surfaces are that push others aside
  bool mean = false;      ///< energies that average along a path (Energy::averages_path) stand for that average
  bool discrete = false;  ///< with `mean`: a discrete gradient takes its place (Energy::has_discrete_gradient)

  static Moment at(double time) { return {.from = time, .to = time, .end = time}; }
  /// Of an explicit method's stage.
  static Moment stage(double time, double end) { return {.from = time, .to = time, .end = end}; }
  static Moment along(const TimeStep& step, const NodalField& x_n, double theta) {
    return {.from = step.start, .to = step.end, .theta = theta, .x_n = &x_n, .end = step.end};
  }
};

/// Where everything is.
struct Configuration {
  const NodalField& x;  ///< [m]
  Moment when;

  Configuration(const NodalField& positions, const Moment& moment = {}) : x(positions), when(moment) {}  // NOLINT
  Configuration(const State& state) : x(state.x), when(Moment::at(state.time)) {}                        // NOLINT
};

/// When steps begin: the only way in which time is computed, so that it has the same bits whoever asks, and after a
/// restart. (A sum of steps would collect rounding, and differ from the product.)
struct Clock {
  double start = 0;  ///< time of the step `first` [s]
  long first = 0;
  double h = 1e-3;  ///< length of a step [s]

  /// Of a fraction of the way from that step to the next: time_of(step, 1) is time_of(step + 1) but for rounding.
  double time_of(long step, double fraction = 0) const {
    return start + h * (static_cast<double>(step - first) + fraction);
  }
  TimeStep step_from(long step) const { return {.start = time_of(step), .end = time_of(step + 1), .h = h}; }
};

/// g(x) = 0, kept by integrators that declare it.
struct Constraint {
  enum class Kind {
    distance,  ///< |x_a - x_b| = length
    plane,     ///< (x_a - point) . direction = 0
    line,      ///< x_a on the line through `point` along `direction`
    sphere,    ///< |x_a - point| = length
    point,     ///< x_a = point
    together,  ///< x_a - x_b as at the start: equal displacements
  };
  Kind kind = Kind::distance;
  int a = 0;                       ///< vertex
  int b = 0;                       ///< second vertex of distance and together
  Vec3 point = Vec3::Zero();       ///< [m]; of `together` the difference x_a - x_b
  Vec3 direction = Vec3(0, 1, 0);  ///< of any length but zero
  double length = 0;               ///< [m]

  int equations() const;  ///< 1, 2 or 3
};

/// What became of a model from which something was removed: new indices of what was there, -1 of what is gone.
struct Renumbering {
  std::vector<int> vertices{};
  std::vector<int> interactions{};

  /// A state of the model before as one of the model after; the integrator starts afresh.
  State apply(const State& state) const;
};

/// Bodies, masses and energies: what a simulation is of. A simulation works on a copy of its own. Adding returns the
/// id of what was added; bad options, and ids of what is not there, throw InputError and change nothing.
class Model {
 public:
  Model();
  ~Model();
  /// Models are data: a copy shares nothing that changes, so that each may be simulated on a thread of its own. Several
  /// threads may copy one model at once, and make simulations of it; to evaluate its energies each needs a copy.
  Model(const Model&);
  Model& operator=(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  BodyId add(const SolidOptions& options);
  BodyId add(const ClothOptions& options);
  BodyId add(const WireOptions& options);
  BodyId add(const ParticlesOptions& options);
  /// Vertices of a body; joins them to their points by springs that count as energy of the body.
  AttachmentId attach(BodyId body, std::vector<Attachment> attachments);
  /// Moves the points of an attachment from outside, from where the path has them at the start: a spring may start
  /// stretched. Throws InputError where two paths that differ would pull at one vertex, and neither lets go.
  void drive(AttachmentId attachment, const Motion& motion, Forcing forcing = Forcing::path);
  /// From `time` [s] on the springs of an attachment hold no more. The energy that is left in them goes with them: it
  /// is booked as work of the user, who takes his hands off.
  void release(AttachmentId attachment, double time);
  /// Vertices of a body that never move, or only as they are told to.
  PinId pin(BodyId body, std::span<const int> vertices, const Motion& motion = {});
  void push(BodyId body, Push push);
  void blow(BodyId body, const Wind& wind);
  /// Instead of what blows on that body.
  void set_wind(BodyId body, const Wind& wind);
  /// Of a solid; its mass stays.
  void set_material(BodyId body, const Material& material);
  /// Of all bodies; what was set before is forgotten.
  void set_damping(const Damping& damping);
  /// Vertices are those of the body.
  void constrain(BodyId body, Constraint constraint);
  void set_gravity(const Vec3& acceleration);  ///< [m/s²]
  /// With all that holds and pushes it: pins, attachments, pushes, wind, constraints. Ids of others stay good; their
  /// vertices move up.
  Renumbering remove(BodyId body);
  /// An energy of one's own, over the vertices of the model; counts as elastic energy of the body.
  EnergyId add(BodyId body, std::unique_ptr<Energy> energy);
  /// An energy that belongs to no body, as that of contact.
  EnergyId add_free(std::unique_ptr<Energy> energy);
  void add(std::unique_ptr<Interaction> interaction);
  /// Over the vertices of the model.
  void add(std::unique_ptr<Force> force);
  void add_support(std::unique_ptr<Driven> support);

  std::size_t vertices() const { return mass_.size(); }
  const std::vector<double>& mass() const { return mass_; }    ///< per vertex [kg]
  const std::vector<char>& pinned() const { return pinned_; }  ///< per vertex, 1 = never moves
  const std::vector<Body>& bodies() const { return bodies_; }  ///< in the order of their ids
  bool has(BodyId body) const;
  const Body& body(BodyId body) const;
  std::size_t index(BodyId body) const;             ///< among bodies()
  const Vec3& gravity() const { return gravity_; }  ///< [m/s²]
  const NodalField& rest() const { return rest_; }  ///< [m]
  State rest_state() const;                         ///< at rest, at time 0

  // For integrators and solvers.
  /// Elastic and of contact; gravity stands apart.
  const std::vector<std::unique_ptr<Energy>>& energies() const { return energies_; }
  const std::vector<std::unique_ptr<Interaction>>& interactions() const { return interactions_; }
  /// What holds vertices from outside: pins, attachments, colliders. All are interactions too.
  const std::vector<Driven*>& supports() const { return supports_; }
  bool is_driven() const;  ///< whether a support may take or give energy, since it has a path or lets go
  const Damping& damping() const { return damping_; }
  const std::vector<std::shared_ptr<const Force>>& forces() const { return forces_; }  ///< without a potential
  Energy& energy(EnergyId id);
  const Energy& energy(EnergyId id) const;
  ColliderId new_collider() { return next_collider_.next(); }
  void replace(EnergyId id, std::unique_ptr<Energy> energy);  ///< by one between the same vertices
  /// A support that belongs to no body, and its energy.
  Renumbering remove(const Driven& support, EnergyId energy);
  /// Which bodies and interactions there are, in which order: states of models where it differs do not fit.
  std::uint64_t composition() const;
  const std::vector<Constraint>& constraints() const { return constraints_; }
  /// Which vertices the energies couple; they are bound to it. Made on first use, by one thread if several ask at once.
  const std::shared_ptr<const BlockPattern>& pattern() const;

  /// Elastic energy of one body [J].
  double elastic_energy(BodyId body, const Configuration& at) const;
  double contact_energy(const Configuration& at) const;                   ///< [J]
  double potential_energy(const Configuration& at) const;                 ///< elastic, contact and gravity [J]
  double gravity_energy(const NodalField& x) const;                       ///< [J], zero at height zero
  double kinetic_energy(const NodalField& v) const;                       ///< [J]
  Vec3 linear_momentum(const NodalField& v) const;                        ///< [kg m/s]
  Vec3 angular_momentum(const NodalField& x, const NodalField& v) const;  ///< about the origin [kg m²/s]

  /// f = -∇(elastic + gravity) + forces without a potential [N], at pinned vertices too. Returns the elastic energy.
  double force(const State& state, NodalField& f) const { return force(state, state.v, f); }
  double force(const Configuration& at, const NodalField& v, NodalField& f) const;

 private:
  std::size_t place_of(EnergyId id) const;
  void erase(EnergyId id);
  std::vector<int> erase_interactions(const std::function<bool(const Interaction&)>& goes);
  bool is_watched() const;                 ///< whether an interaction follows bodies that come
  std::vector<int> same_vertices() const;  ///< 0, 1, 2, …
  void tell_interactions(std::span<const int> vertices);
  BodyId append(Body body, const std::vector<double>& mass);

  std::vector<Body> bodies_;
  std::vector<double> mass_;
  std::vector<char> pinned_;
  NodalField rest_;
  Vec3 gravity_ = Vec3::Zero();
  std::vector<std::unique_ptr<Energy>> energies_;
  std::vector<EnergyId> energy_ids_;                  ///< of each, ascending
  std::vector<std::shared_ptr<const Force>> forces_;  ///< without anything that changes: copies share them
  std::vector<std::unique_ptr<Interaction>> interactions_;
  std::vector<Driven*> supports_;
  Damping damping_;
  std::vector<Constraint> constraints_;
  /// Of this model alone: copies have their own.
  struct Lock {
    Lock() = default;
    Lock(const Lock&) {}
    Lock& operator=(const Lock&) { return *this; }
    std::mutex mutex{};
  };
  mutable Lock pattern_lock_;  ///< while the pattern is made, and energies are bound to it
  mutable std::shared_ptr<const BlockPattern> pattern_;
  IdCounter<Body> next_body_;
  IdCounter<Energy> next_energy_;
  IdCounter<Attachment> next_attachment_;
  IdCounter<Pins> next_pins_;
  IdCounter<AnyCollider> next_collider_;
  IdCounter<Interaction> next_interaction_;
};

/// One line of the energy balance: what the state holds by definition, and what entered or left since the start.
struct LedgerRow {
  double time = 0;              ///< [s]
  double kinetic = 0;           ///< [J]
  double elastic = 0;           ///< of all bodies, attachments included [J]
  double gravity = 0;           ///< zero at height zero [J]
  double contact = 0;           ///< [J]
  double total = 0;             ///< kinetic + elastic + gravity + contact [J]
  double user_work = 0;         ///< put in from outside since the start [J]
  double damping_loss = 0;      ///< taken out since the start [J]
  double friction_loss = 0;     ///< taken out since the start [J]
  double residual = 0;          ///< total - (total at the start + user_work - damping_loss - friction_loss) [J]
  Vec3 linear = Vec3::Zero();   ///< momentum [kg m/s]
  Vec3 angular = Vec3::Zero();  ///< momentum about the origin [kg m²/s]
  double alpha = 0;             ///< blend of the stabilized integrator, else 0
  int iterations = 0;           ///< of the solver, since the row before
  bool failed = false;          ///< the step after this state failed
  double ms = 0;                ///< wall-clock time since the row before [ms]

  bool finite() const;  ///< every number of it is
};

/// Energies and momenta of a state, from their definitions; the other members are zero.
LedgerRow measure(const Model& model, const State& state);

}  // namespace brio
