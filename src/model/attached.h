/// The springs of an attachment, and the support that they are.
#pragma once

#include <cmath>

#include "model/driven.h"
#include "model/energies/attachments.h"

namespace brio {

/// Of a vertex that is both pinned and attached while one of them is driven.
[[noreturn]] void refuse_two_holds(const Model& model, int vertex, const char* hold);

/// The points of an attachment, with or without a path. From the moment of release the springs hold no more; what was
/// left in them is booked as the user's.
class AttachedPoints final : public Driven {
 public:
  /// `energy`: the springs.
  AttachedPoints(AttachmentId id, BodyId body, EnergyId energy, AttachmentSprings<HookeanLaw>& springs)
      : id_(id), body_(body), energy_(energy), springs_(&springs), forces_(springs.attachments().size()) {}

  std::string name() const override { return "attachment"; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<AttachedPoints>(*this); }
  void rebind(Model& model) override {
    springs_ = &dynamic_cast<AttachmentSprings<HookeanLaw>&>(model.energy(energy_));
  }
  AttachmentId id() const { return id_; }
  BodyId body() const override { return body_; }
  EnergyId energy() const { return energy_; }
  AttachmentSprings<HookeanLaw>& springs() const { return *springs_; }
  bool has_path() const override { return !springs_->motion().empty(); }
  bool does_work() const override { return has_path() || std::isfinite(springs_->release_time()); }
  /// A force that is let go, or jumps, is no longer the one the last step ended with.
  void begin_step(const Model& model, State& state, const Clock& clock, Exchange& exchange) override;
  bool takes_mean(Averaging which) const override { return springs_->takes_mean(which); }
  void clear_forces() override { forces_.clear(); }
  void add_forces(const Configuration& at, const NodalField& g, double weight) override;
  void scale_forces(const Parts& parts, std::span<const double> factors) override;
  void add_work(const State& state, const NodalField& x_next, const TimeStep& step, const Parts& parts,
                std::span<SupportWork> works) const override;
  double power(const State& state, const Configuration& at, const NodalField& g, Side side) const override;
  std::size_t force_numbers() const override { return forces_.numbers(); }
  void write_forces(std::span<double> numbers) const override { forces_.write(numbers); }
  void add_forces(std::span<const double> numbers, double weight) override { forces_.add(numbers, weight); }
  void add_to_frames(const State& state, const TimeStep& step, const Parts& parts,
                     std::span<SupportFrame> frames) const override;

 private:
  bool releases_within(double start, double end) const {
    return start < springs_->release_time() && springs_->release_time() <= end;
  }

  AttachmentId id_;
  BodyId body_;
  EnergyId energy_;
  AttachmentSprings<HookeanLaw>* springs_;
  MeanForces forces_;  ///< gradients at the vertices [N]
};

}  // namespace brio
