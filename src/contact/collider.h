/// Rigid colliders, as models and simulations see them.
#pragma once

#include <utility>
#include <vector>

#include "brio/contact.h"
#include "model/driven.h"

namespace brio {

/// What is asked of a collider of any shape.
class AnyCollider : public Driven {
 public:
  explicit AnyCollider(ColliderId id) : id_(id) {}
  ColliderId id() const { return id_; }
  virtual EnergyId energy() const = 0;
  /// The free vertex deepest inside, -1 if none is, and how deep [m].
  virtual std::pair<int, double> deepest(const State& state, const std::vector<char>& pinned) const = 0;
  /// How often a vertex went through it within a step, from one side to the other, since the simulation began.
  long tunneled() const { return tunneled_; }

 protected:
  long tunneled_ = 0;

 private:
  ColliderId id_;
};

}  // namespace brio
