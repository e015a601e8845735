/// Weight: E = -Σ m_i g · x_i.
#pragma once

#include <vector>

#include "model/energy.h"

namespace brio {

class Gravity final : public Energy {
 public:
  Gravity(std::vector<double> mass, const Vec3& acceleration) : mass_(std::move(mass)), acceleration_(acceleration) {}

  std::string name() const override { return "gravity"; }
  std::size_t elements() const override { return mass_.size(); }
  double value(const NodalField& x) const override;
  double gradient(const NodalField& x, const Weights& weights, NodalField& g) const override;
  double hessian(const NodalField& x, const Weights& weights, Curving curving, NodalField& g,
                 BlockMatrix& H) const override;
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<Gravity>(*this); }

 private:
  std::vector<double> mass_;  ///< [kg]
  Vec3 acceleration_;         ///< [m/s²]
};

}  // namespace brio
