/// What holds vertices from outside: pins, the points of attachments, colliders. Most stand still; those with a path
/// are driven.
///
/// Nothing jumps before a step. The motion of supports is part of the step: implicit terms see them on the straight
/// line between where the step begins and ends, as all vertices; explicit stages at the stage's own time. Pinned
/// vertices have the velocity of their path. The work of a support during a step is
///
///   W = ΔK_D + ḡ·Δp,
///
/// h ḡ being the impulse that the method's velocity update takes from it: weights b_q of the gradients at θ_q. This
/// alone makes the residual of the energy the same for every observer in uniform motion.
#pragma once

#include <span>

#include "brio/energy.h"
#include "model/interaction.h"
#include "model/parts.h"

namespace brio {

/// What a support gave in a step.
struct SupportWork {
  double energy = 0;            ///< [J]
  Vec3 impulse = Vec3::Zero();  ///< [N s]

  void operator+=(const SupportWork& other) {
    energy += other.energy;
    impulse += other.impulse;
  }
  /// Of an observer who moves with that velocity.
  double seen_from(const Vec3& velocity) const { return energy - velocity.dot(impulse); }
};

/// Where supports are on average, and how fast they move during a step.
struct SupportFrame {
  Vec3 place = Vec3::Zero();         ///< [m], summed over points
  Vec3 displacement = Vec3::Zero();  ///< [m], summed over points
  double points = 0;
  const void* last = nullptr;  ///< who added to it last
};

class Driven : public Interaction {
 public:
  virtual bool has_path() const = 0;
  /// Whether it may take or give energy in the steps to come.
  virtual bool does_work() const { return has_path(); }
  /// Whether it must be told of the forces during a step although nothing is driven.
  virtual bool wants_forces() const { return has_path(); }
  /// Whether it feels the gradients at vertices, whichever energies they come from.
  virtual bool is_made_of_vertices() const { return false; }

  /// Of pins and colliders, which may be moved by hand.
  virtual const Motion* path() const { return nullptr; }
  virtual void set_path(const Motion& /*path*/) {}
  /// Where they are on average [m].
  virtual Vec3 middle(const State& /*state*/) const { return Vec3::Zero(); }

  /// Sets x and v of the vertices that this support is made of, where they have a path.
  virtual void place(const State& /*state*/, double /*time*/, Side /*side*/, NodalField& /*x*/,
                     NodalField& /*v*/) const {}

  /// The mean force during a step is gathered: forgotten, then added up with the weights of the velocity update.
  /// `g` is the gradient at all vertices [N].
  virtual void clear_forces() = 0;
  virtual void add_forces(const Configuration& at, const NodalField& g, double weight) = 0;
  /// A gradient that vertices alone feel, such as gravity's.
  virtual void add_vertex_forces(const NodalField& /*g*/, double /*weight*/) {}
  /// Multiplies the mean force at the vertices of each part by that part's factor.
  virtual void scale_forces(const Parts& parts, std::span<const double> factors) = 0;
  /// Adds what was given to the vertices of each part.
  virtual void add_work(const State& state, const NodalField& x_next, const TimeStep& step, const Parts& parts,
                        std::span<SupportWork> works) const = 0;
  SupportWork work(const State& state, const NodalField& x_next, const TimeStep& step) const {
    SupportWork sum;
    add_work(state, x_next, step, {}, {&sum, 1});
    return sum;
  }
  /// Power [W] at one moment, for methods of higher order; kinetic energy of pins apart.
  virtual double power(const State& state, const Configuration& at, const NodalField& g, Side side) const = 0;
  /// Whether its energy limits paths (Energy::limits_path).
  virtual bool limits_path() const { return false; }
  /// Whether forces are averaged along the path where the method asks for it (Moment::mean).
  virtual bool takes_mean(Averaging /*which*/) const { return false; }

  /// Whether their number changes between steps.
  virtual bool comes_and_goes() const { return false; }
  /// The mean force as numbers, for methods whose velocity update reaches back to earlier steps.
  virtual std::size_t force_numbers() const = 0;
  virtual void write_forces(std::span<double> numbers) const = 0;
  virtual void add_forces(std::span<const double> numbers, double weight) = 0;

  /// Of the parts whose vertices it holds.
  virtual void add_to_frames(const State& state, const TimeStep& step, const Parts& parts,
                             std::span<SupportFrame> frames) const = 0;
};

/// A list of vectors that forces add up in.
class MeanForces {
 public:
  explicit MeanForces(std::size_t count = 0) : forces_(count, Vec3::Zero()) {}
  void clear() { std::fill(forces_.begin(), forces_.end(), Vec3::Zero()); }
  std::size_t size() const { return forces_.size(); }
  Vec3& operator[](std::size_t k) { return forces_[k]; }
  const Vec3& operator[](std::size_t k) const { return forces_[k]; }
  std::size_t numbers() const { return 3 * forces_.size(); }
  void write(std::span<double> numbers) const {
    for (std::size_t k = 0; k < forces_.size(); ++k)
      for (std::size_t c = 0; c < 3; ++c) numbers[3 * k + c] = forces_[k][static_cast<int>(c)];
  }
  void add(std::span<const double> numbers, double weight) {
    for (std::size_t k = 0; k < forces_.size(); ++k)
      for (std::size_t c = 0; c < 3; ++c) forces_[k][static_cast<int>(c)] += weight * numbers[3 * k + c];
  }

 private:
  std::vector<Vec3> forces_;
};

/// The support of a kind that has that id; `key` names the kind in the refusal of an id that none has.
template <class Kind, class What>
Kind& find_support(const Model& model, Id<What> id, const char* key) {
  for (Driven* support : model.supports())
    if (auto* found = dynamic_cast<Kind*>(support); found != nullptr && found->id() == id) return *found;
  throw InputError({.key = key,
                    .value = to_string(id),
                    .problem = "is none of the model",
                    .advice = "adding one returns its id, which is good until it is removed"});
}

/// Vertices with a path, where it has them.
void place_driven(const Model& model, const State& state, double time, Side side, NodalField& x, NodalField& v);

/// The frame in which methods that steer by energy measure it: that of the supports, or where nothing is held, that of
/// the mean motion when the step begins.
struct ReferenceFrame {
  bool held = true;              ///< by supports, or by the world
  Vec3 place = Vec3::Zero();     ///< when the step begins [m]
  Vec3 velocity = Vec3::Zero();  ///< mean of the step [m/s]
};
ReferenceFrame reference_frame(const Model& model, const State& state, const TimeStep& step);

}  // namespace brio
