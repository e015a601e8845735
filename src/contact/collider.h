/// Rigid colliders, as models and simulations see them.
#pragma once

#include <utility>
#include <vector>

#include "brio/contact.h"
#include "contact/obstacle.h"
#include "model/driven.h"

namespace brio {

/// What is asked of a collider of any shape.
class AnyCollider : public Driven {
 public:
  explicit AnyCollider(ColliderId id) : id_(id) {}
  ColliderId id() const { return id_; }
  /// None where it shares another's.
  virtual EnergyId energy() const = 0;
  /// Before it is removed.
  virtual void leave(Model& /*model*/) {}
  /// The free vertex deepest inside, -1 if none is, and how deep [m].
  virtual std::pair<int, double> deepest(const State& state, const std::vector<char>& pinned) const = 0;
  /// Its surface, for laws that look at vertices alone; null: none.
  const ContactObstacle* outline() const { return outline_.get(); }
  void set_outline(std::shared_ptr<const ContactObstacle> outline) { outline_ = std::move(outline); }
  virtual Pose pose_at(double time) const = 0;
  /// Whether a point is inside where it has that pose.
  virtual bool contains(const Vec3& point, const Pose& pose) const = 0;
  /// How often a vertex went through it within a step, from one side to the other, since the simulation began.
  long tunneled() const { return tunneled_; }

 protected:
  long tunneled_ = 0;

 private:
  ColliderId id_;
  std::shared_ptr<const ContactObstacle> outline_;
};

}  // namespace brio
