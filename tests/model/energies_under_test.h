/// Every energy on one small body, for tests that loop over all of them.
#pragma once

#include <functional>

#include "brio/model.h"
#include "math/block_matrix.h"
#include "model/energies/attachments.h"
#include "model/energies/springs.h"
#include "model/energies/tets.h"
#include "model/energies/torsion.h"
#include "model/materials/custom.h"
#include "model/materials/registry.h"
#include "model/materials/volume_spring.h"
#include "random_shapes.h"

namespace brio::testing {

struct EnergyUnderTest {
  std::string name;
  std::unique_ptr<Energy> energy;
  bool barrier = false;  ///< infinite when inverted
  bool floating = true;  ///< does not know where it is in space
  bool has_rest = true;  ///< no force in the shape it was made from
};

/// Of a law that a program might register: every derivative is there.
inline EnergyDensity made_up_density(const StrainInvariants& I) {
  const double j = I.J - 1;
  return {.psi = 3 * I.s + 2.5 * I.t * I.t + 3.5 * j * j + 0.5 * I.t * j + 0.3 * I.s * j + 0.2 * I.s * I.s +
                 0.1 * I.s * I.t,
          .t = 5 * I.t + 0.5 * j + 0.1 * I.s,
          .s = 3 + 0.3 * j + 0.4 * I.s + 0.1 * I.t,
          .J = 7 * j + 0.5 * I.t + 0.3 * I.s,
          .tt = 5,
          .ts = 0.1,
          .tJ = 0.5,
          .ss = 0.4,
          .sJ = 0.3,
          .JJ = 7};
}

inline std::vector<EnergyUnderTest> all_energies(const Mesh& mesh, const NodalField& rest) {
  std::vector<EnergyUnderTest> list;
  for (const MaterialEntry& entry : materials()) {
    Material material{.name = entry.name, .mu = 3, .lambda = 5, .kappa = 7, .a = 1.1, .b = 0.6};
    list.push_back({entry.name, entry.make(material, mesh.tets, rest), entry.barrier});
  }
  list.push_back({"registered law", make_tets(CustomLaw{made_up_density, {3, 13}}, mesh.tets, rest)});
  list.push_back({"volume-spring", make_tets(VolumeSpring{2}, mesh.tets, rest, false)});
  list.push_back({"improved-volume-spring", make_tets(ImprovedVolumeSpring(2), mesh.tets, rest, false)});
  list.push_back({"soft-wall volume-spring", make_tets(ImprovedVolumeSpring(2, 0.3), mesh.tets, rest, false)});
  std::vector<Spring> springs;
  std::vector<Attachment> attachments;
  const int count = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; j += 3) springs.push_back({{j, i}, 1 + 0.1 * i});
    if (i % 2 == 0) attachments.push_back({i, rest[i] + Vec3(0.3, 0.1, -0.2), 2.0 + i, 0.25});
  }
  std::vector<std::array<int, 4>> twisted;
  for (int i = 0; i + 5 < count; i += 2) twisted.push_back({i, i + 1 + i % 3, i + 4, i + 5});
  list.push_back({"torsion", std::make_unique<TorsionBatch>(twisted, 2, rest)});
  list.push_back({"hookean springs", std::make_unique<SpringBatch<HookeanLaw>>("springs", springs, rest)});
  list.push_back({"stvk springs", std::make_unique<SpringBatch<StVKLaw>>("springs", springs, rest)});
  list.push_back(
      {"hookean attachments", std::make_unique<AttachmentSprings<HookeanLaw>>(attachments), false, false, false});
  list.push_back({"stvk attachments", std::make_unique<AttachmentSprings<StVKLaw>>(attachments), false, false, false});
  return list;
}

inline BlockMatrix matrix_for(Energy& energy, std::size_t vertices) {
  PatternBuilder builder(vertices);
  energy.couple(builder);
  auto pattern = builder.build();
  energy.bind(*pattern);
  return BlockMatrix(pattern);
}

inline Eigen::VectorXd flat(const NodalField& g) {
  Eigen::VectorXd v(3 * g.size());
  for (std::size_t i = 0; i < g.size(); ++i) v.segment<3>(3 * static_cast<Eigen::Index>(i)) = g[i];
  return v;
}

inline Eigen::VectorXd gradient_of(const Energy& energy, const Configuration& at) {
  NodalField g(at.x.size());
  energy.gradient(at, {}, g);
  return flat(g);
}

inline Eigen::MatrixXd hessian_of(Energy& energy, const Configuration& at, Projection projection) {
  BlockMatrix H = matrix_for(energy, at.x.size());
  NodalField g(at.x.size());
  energy.hessian(at, {}, projection, g, H);
  return Eigen::MatrixXd(to_eigen(H));
}

/// Fourth-order central difference of `f` along coordinate k of x.
template <class F>
auto difference(NodalField x, std::size_t k, double h, F f) {
  double& place = x.row(k / 3)[k % 3];
  const double center = place;
  auto at = [&](double offset) {
    place = center + offset;
    return f(x);
  };
  const auto far = at(2 * h);
  const auto near = at(h);
  const auto near_back = at(-h);
  const auto far_back = at(-2 * h);
  return decltype(f(x))((8.0 * (near - near_back) - (far - far_back)) / (12 * h));
}

}  // namespace brio::testing
