/// A collider with the law "barrier": one of the obstacles of the model's contact (contact/contact_steps.h), which does
/// all of its work.
#pragma once

#include "contact/collider.h"
#include "contact/contact_steps.h"

namespace brio {

class BarrierCollider final : public AnyCollider {
 public:
  BarrierCollider(ColliderId id, std::string name, Model& model) : AnyCollider(id), name_(std::move(name)) {
    rebind(model);
  }

  std::string name() const override { return name_; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<BarrierCollider>(*this); }
  void rebind(Model& model) override { obstacle_ = ContactSteps::of(model).find(id()); }
  EnergyId energy() const override { return {}; }
  void leave(Model& model) override { ContactSteps::of(model).remove(model, id()); }
  Pose pose_at(double time) const override { return obstacle_->pose_at(time); }
  /// Nothing is inside.
  bool contains(const Vec3&, const Pose&) const override { return false; }
  std::pair<int, double> deepest(const State&, const std::vector<char>&) const override { return {-1, 0}; }

  bool has_path() const override { return obstacle_->moves(); }
  const Motion* path() const override { return &obstacle_->motion; }
  void set_path(const Motion& path) override { obstacle_->motion = path; }
  Vec3 middle(const State& state) const override { return obstacle_->pose_at(state.time).translation; }
  void clear_forces() override {}
  void add_forces(const Configuration&, const NodalField&, double) override {}
  void scale_forces(const Parts&, std::span<const double>) override {}
  void add_work(const State&, const NodalField&, const TimeStep&, const Parts&, std::span<SupportWork>) const override {
  }
  double power(const State&, const Configuration&, const NodalField&, Side) const override { return 0; }
  std::size_t force_numbers() const override { return 0; }
  void write_forces(std::span<double>) const override {}
  void add_forces(std::span<const double>, double) override {}
  void add_to_frames(const State&, const TimeStep&, const Parts&, std::span<SupportFrame>) const override {}

 private:
  std::string name_;
  ContactObstacle* obstacle_ = nullptr;
};

/// Options are checked but for the shape's.
ColliderId add_barrier_collider(Model& model, const ColliderOptions& options);

}  // namespace brio
