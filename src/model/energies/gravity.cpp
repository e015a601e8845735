#include "model/energies/gravity.h"

namespace brio {

double Gravity::value(const NodalField& x) const {
  Vec3 moment = Vec3::Zero();
  for (std::size_t i = 0; i < mass_.size(); ++i) moment += mass_[i] * x[i];
  return -acceleration_.dot(moment);
}

double Gravity::gradient(const NodalField& x, const Weights& weights, NodalField& g) const {
  const Vec3 pull = -weights.gradient * acceleration_;
  for (std::size_t i = 0; i < mass_.size(); ++i) g[i] += mass_[i] * pull;
  return value(x);
}

double Gravity::hessian(const NodalField& x, const Weights& weights, Curving, NodalField& g, BlockMatrix&) const {
  return gradient(x, weights, g);
}

}  // namespace brio
