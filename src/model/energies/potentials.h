/// Every particle by itself in a field of force that is given in closed form.
#pragma once

#include <string>

#include "brio/energy.h"
#include "brio/model.h"

namespace brio {

/// What a potential does at one place.
struct PointResponse {
  double energy;            ///< [J]
  Vec3 gradient;            ///< [N]
  Eigen::Matrix3d hessian;  ///< [N/m]
};

class PointPotentials final : public Energy {
 public:
  PointPotentials(PointPotential potential, double strength, int first_vertex, int count)
      : potential_(potential), strength_(strength), first_(first_vertex), slots_(static_cast<std::size_t>(count)) {}

  std::string name() const override { return to_string(potential_); }
  std::size_t elements() const override { return slots_.size(); }
  int force_degree() const override;

  double value(const Configuration& at) const override;
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override;
  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override;
  void laplacian(double weight, std::span<double> L) const override;

  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern& pattern) override;
  void renumber(std::span<const int> vertices) override;
  bool has_domain() const override { return potential_ == PointPotential::kepler; }
  bool is_anchored() const override { return true; }
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<PointPotentials>(*this); }

 private:
  PointResponse respond(const Vec3& x, Projection projection) const;
  int vertex(std::size_t k) const { return first_ + static_cast<int>(k); }

  PointPotential potential_;
  double strength_;  ///< [J]
  int first_;
  std::vector<int> slots_;  ///< of the diagonal blocks
};

}  // namespace brio
