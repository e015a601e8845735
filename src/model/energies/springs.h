/// Spring batches: between vertices, and from vertices to kinematic points.
#pragma once

#include "brio/model.h"
#include "model/energies/spring_kernel.h"
#include "model/energies/stencil_batch.h"

namespace brio {

struct Spring {
  Segment ends;      ///< vertices
  double stiffness;  ///< [N/m] for hookean, [N/m³] for stvk
};

template <class Law>
class SpringBatch final : public StencilBatch<SpringKernel<Law>> {
  using Base = StencilBatch<SpringKernel<Law>>;

 public:
  /// Rest lengths are the distances in `rest`.
  SpringBatch(std::string name, const std::vector<Spring>& springs, const NodalField& rest);

  int force_degree() const override { return Law::force_degree; }
  void set_rest(const NodalField& x) override;
  std::unique_ptr<Energy> clone() const override { return std::make_unique<SpringBatch>(*this); }

 private:
  std::vector<double> stiffness_;
};

template <class Law>
class AttachmentBatch final : public StencilBatch<AttachmentKernel<Law>> {
  using Base = StencilBatch<AttachmentKernel<Law>>;

 public:
  AttachmentBatch(std::vector<Attachment> attachments, const NodalField& rest);

  const std::vector<Attachment>& attachments() const { return attachments_; }
  /// Moves the kinematic points, given in the order of `attachments()`.
  void move(std::span<const Vec3> points);
  /// Springs that do not hold have neither force nor energy.
  void hold(bool holds);
  bool holds() const { return holds_; }
  bool acts() const override { return holds_; }

  /// Springs without rest length are linear.
  int force_degree() const override {
    const bool linear = std::all_of(attachments_.begin(), attachments_.end(),
                                    [](const Attachment& attachment) { return attachment.rest_length == 0; });
    return linear && Law::force_degree == 0 ? 1 : Law::force_degree;
  }
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField&) override {}  ///< rest lengths are given, not taken from a shape
  std::unique_ptr<Energy> clone() const override { return std::make_unique<AttachmentBatch>(*this); }

 private:
  void update();
  std::vector<Attachment> attachments_;
  bool holds_ = true;
};

}  // namespace brio
