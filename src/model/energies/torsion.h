/// Torsion of wires: every segment resists twist.
#pragma once

#include "model/energies/stencil_batch.h"
#include "model/energies/torsion_kernel.h"

namespace brio {

/// Σ C/(2ℓ) (θ - θ⁰)² over segments of rest length ℓ: a straight wire of length L twisted by φ from end to end holds
/// C φ²/(2L). C is the torsional rigidity of the wire (GJ of a rod) [N m²].
class TorsionBatch final : public StencilBatch<TorsionKernel> {
 public:
  /// Of every segment the vertices R_a < Q_a < R_b < Q_b: its ends R and the tips Q of their arms.
  TorsionBatch(const std::vector<std::array<int, 4>>& segments, double rigidity, const NodalField& rest);

  void set_rest(const NodalField& x) override;
  std::unique_ptr<Energy> clone() const override { return std::make_unique<TorsionBatch>(*this); }

 private:
  double rigidity_;                     ///< [N m²]
  std::vector<double> lengths_, arms_;  ///< of the first rest shape [m], [m²]
};

}  // namespace brio
