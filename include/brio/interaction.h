/// Interactions of one's own, for Model::add: what happens to a model and its state between steps, as contacts are
/// found, friction slides, velocities are damped.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "brio/model.h"

namespace brio {

/// Joules that entered or left between two steps.
struct Exchange {
  double user_work = 0;
  double damping_loss = 0;
  double contact_loss = 0;  ///< of damping_loss, what contact took
  double friction_loss = 0;
  bool changed = false;  ///< forces or velocities at the present state are no longer those the last step ended with
  bool path_was_limited = false;  ///< told to `end_step`: Integrator::limits_paths of the step that was taken
};

class Interaction {
 public:
  virtual ~Interaction() = default;
  virtual std::string name() const = 0;
  /// For a copy of the model, whose energies have the same indices: `rebind` is called once they are there.
  virtual std::unique_ptr<Interaction> clone() const = 0;
  virtual void rebind(Model& /*model*/) {}
  /// Makes the model what it was at that state: contacts from its history, all of it as the step that led there left
  /// it, to the bit. Called at the start, after a return to an earlier state, and after a step that failed.
  virtual void recall(const Model& /*model*/, State& /*state*/) {}
  /// Before the step from clock.time_of(state.step), which is state.time, to clock.time_of(state.step + 1): finds
  /// contacts. What has a path moves within the step.
  virtual void begin_step(const Model& /*model*/, State& /*state*/, const Clock& /*clock*/, Exchange& /*exchange*/) {}
  /// After it; `before` is the state when it began. May change velocities.
  virtual void end_step(const Model& /*model*/, const State& /*before*/, State& /*state*/, const Clock& /*clock*/,
                        Exchange& /*exchange*/) {}

  /// The body that it belongs to, and is removed with.
  virtual BodyId body() const { return {}; }
  /// Whether `change` is of concern to it.
  virtual bool follows_bodies() const { return false; }
  /// Bodies, or other interactions, have come or gone. `vertices`: the new index of every vertex that was there before,
  /// -1 of those that are gone; new ones come after them. May throw InputError: then nothing will have happened.
  virtual void change(Model& /*model*/, std::span<const int> /*vertices*/) {}
  /// After `change`: writes the history anew where numbers of vertices are part of it.
  virtual void rewrite(State& /*state*/) const {}

  /// Whether this interaction may have written that history; its numbers are finite. States may come from files, and
  /// files from anyone. Without one, `recall` starts afresh.
  virtual bool fits(const Memory& history) const { return history.empty(); }

  void set_slot(std::size_t slot) { slot_ = slot; }
  /// None of a model has the number of another, removed ones included.
  void set_serial(std::uint32_t serial) { serial_ = serial; }
  std::uint32_t serial() const { return serial_; }

 protected:
  /// What this interaction must remember: all that its future depends on.
  Memory& history(State& state) const { return state.histories[slot_]; }
  const Memory& history(const State& state) const { return state.histories[slot_]; }

 private:
  std::size_t slot_ = 0;
  std::uint32_t serial_ = 0;
};

}  // namespace brio
