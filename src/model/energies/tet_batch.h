/// Solids and volume springs: a batch of linear tetrahedra of one material.
#pragma once

#include <Eigen/LU>

#include "brio/mesh.h"
#include "math/cubic.h"
#include "model/energies/stencil_batch.h"
#include "model/energies/tet_kernel.h"
#include "model/energies/tets.h"
#include "model/stress.h"

namespace brio {

/// Shape gradients and volume of a tetrahedron at rest. A flat one gets none, and so takes part in nothing.
inline std::array<double, 10> rest_shape(const std::array<int, 4>& v, const NodalField& x) {
  Eigen::Matrix3d edges;
  for (int a = 0; a < 3; ++a) edges.col(a) = x[v[a + 1]] - x[v[0]];
  const double det = edges.determinant();
  const double size = edges.norm();
  if (std::abs(det) <= 1e-14 * size * size * size) return {};
  const Eigen::Matrix3d inverse = edges.inverse();
  std::array<double, 10> p;
  for (int k = 0; k < 9; ++k) p[k] = inverse(k / 3, k % 3);
  p[9] = std::abs(det) / 6;
  return p;
}

template <class Material>
class TetBatch final : public StencilBatch<TetKernel<Material>>, public SolidElements {
  using Base = StencilBatch<TetKernel<Material>>;

 public:
  TetBatch(const Material& material, std::vector<Tet> tets, const NodalField& rest, bool by_volume)
      : Base(Material::name, TetKernel<Material>{material}, std::move(tets), rest),
        by_volume_(by_volume),
        steepest_(Base::elements()),
        volumes_(Base::elements()) {
    Base::set_parameters([&](std::size_t k, const std::array<int, 4>& v) {
      const auto p = shape_at(v, rest);
      steepest_[k] = steepest(p);
      volumes_[k] = rest_shape(v, rest)[9];
      return p;
    });
  }

  /// A shape that is nearly flat resists in proportion to its weight times slope², and beyond small strain to slope⁴,
  /// without bound. One that is much thinner than the first shape was therefore weighs less, so that neither exceeds a
  /// small multiple of what it was there; and one that lost volume weighs less by that, whether volume is its weight or
  /// not, since what resists a change of volume grows with its inverse.
  void set_rest(const NodalField& x) override {
    constexpr double much = 2;
    Base::set_parameters([&](std::size_t k, const std::array<int, 4>& v) {
      auto p = shape_at(v, x);
      const double thinner = steepest(p) / (much * steepest_[k]);
      if (thinner > 1) p[9] /= thinner * thinner * thinner;
      if (thinner > 1 && !by_volume_) p[9] *= std::min(1.0, rest_shape(v, x)[9] / volumes_[k]);
      return p;
    });
  }

  bool has_domain() const override {
    if constexpr (requires { Material::has_domain; }) return Material::has_domain;
    return Material::barrier;
  }
  double domain_step(const Configuration& at, const NodalField& d) const override {
    if constexpr (Material::barrier) {
      const double first = Base::least(1.0, at.x, d, [this](const Doubles* p, const auto* from, const auto* along) {
        Doubles c[4];
        Base::kernel().volume_along(p, from, along, c);
        if (all(surely_positive(c))) return 1.0;
        double step = 1;
        for (int lane = 0; lane < Doubles::width; ++lane)
          step = std::min(step, positive_until({c[0][lane], c[1][lane], c[2][lane], c[3][lane]}));
        return step;
      });
      constexpr double margin = 0.9;  // psi is infinite at the boundary itself
      return first < 1 ? margin * first : 1;
    } else {
      return Base::domain_step(at, d);
    }
  }

  ElementStress stress(const Mat3& F) const override {
    Matrix3<double> f;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) f(i, j) = F(i, j);
    const Response<double> r = response(Base::kernel().material, f);
    Mat3 P;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) P(i, j) = r.P(i, j);
    return element_stress(r.psi, P, F);
  }

  std::unique_ptr<Energy> clone() const override { return std::make_unique<TetBatch>(*this); }

 private:
  std::array<double, 10> shape_at(const std::array<int, 4>& v, const NodalField& x) const {
    auto p = rest_shape(v, x);
    if (!by_volume_ && p[9] > 0) p[9] = 1;
    return p;
  }
  /// The steepest shape gradient: one over the least height [1/m].
  static double steepest(const std::array<double, 10>& p) {
    double squared = 0;
    Vec3 all = Vec3::Zero();
    for (int a = 0; a < 3; ++a) {
      const Vec3 b(p[3 * a], p[3 * a + 1], p[3 * a + 2]);
      squared = std::max(squared, b.squaredNorm());
      all += b;
    }
    return std::sqrt(std::max(squared, all.squaredNorm()));
  }

  bool by_volume_;
  std::vector<double> steepest_, volumes_;  ///< per element, of the first rest shape
};

template <class Material>
std::unique_ptr<Energy> make_tets(const Material& material, std::vector<Tet> tets, const NodalField& rest,
                                  bool by_volume) {
  return std::make_unique<TetBatch<Material>>(material, std::move(tets), rest, by_volume);
}

}  // namespace brio
