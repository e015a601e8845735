/// Springs between vertices.
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

  void set_rest(const NodalField& x) override;
  std::unique_ptr<Energy> clone() const override { return std::make_unique<SpringBatch>(*this); }

 private:
  std::vector<double> stiffness_;
};

}  // namespace brio
