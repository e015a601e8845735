/// Energies of single vertices given by a function of their position, for problems with known answers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/energies/potentials.h"

namespace brio {

/// Potential: PointResponse respond(const Vec3& x, Projection) const, for the one vertex it acts on, and the largest
/// `stiffness` [N/m] to be met.
template <class Potential>
class PointEnergy final : public Energy {
 public:
  PointEnergy(std::string name, int vertex, Potential potential)
      : name_(std::move(name)), vertex_(vertex), potential_(std::move(potential)) {}

  std::string name() const override { return name_; }
  std::size_t elements() const override { return 1; }

  double value(const Configuration& at) const override {
    return potential_.respond(at.x[vertex_], Projection::none).energy;
  }
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override {
    const PointResponse r = potential_.respond(at.x[vertex_], Projection::none);
    g[vertex_] += weights.gradient * r.gradient;
    return r.energy;
  }
  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override {
    const PointResponse r = potential_.respond(at.x[vertex_], projection);
    g[vertex_] += weights.gradient * r.gradient;
    Eigen::Map<Eigen::Matrix3d>(H.block(slot_)) += weights.hessian * r.hessian;
    return r.energy;
  }

  void laplacian(double weight, std::span<double> L) const override { L[slot_] += weight * Potential::stiffness; }

  void couple(PatternBuilder& pattern) const override { pattern.couple(std::vector<int>{vertex_}); }
  void bind(const BlockPattern& pattern) override { slot_ = pattern.find(vertex_, vertex_); }
  bool is_anchored() const override { return true; }
  void set_rest(const NodalField&) override {}  ///< it has no rest shape
  std::unique_ptr<Energy> clone() const override { return std::make_unique<PointEnergy>(*this); }

 private:
  std::string name_;
  int vertex_;
  Potential potential_;
  int slot_ = 0;
};

}  // namespace brio
