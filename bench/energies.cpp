#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCore>
#include <memory>
#include <random>

#include "bench/straightforward.h"
#include "bench/suite.h"
#include "model/energies/tet_batch.h"
#include "model/materials/mooney_rivlin.h"
#include "model/materials/neo_hookean.h"
#include "model/materials/registry.h"
#include "model/materials/stvk.h"

namespace brio::bench {
namespace {

/// A shaken bar with everything that either version needs.
struct Kernels {
  Mesh mesh;
  NodalField rest, x;
  std::vector<Vec3> points;
  std::vector<ReferenceTet> reference;
  std::string size;

  explicit Kernels(std::array<int, 3> cells)
      : mesh(make_bar({.size = {cells[0] * 0.1, cells[1] * 0.1, cells[2] * 0.1}, .cells = cells})) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> shake(-0.01, 0.01);
    rest = NodalField(mesh.vertices.size());
    x = rest;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      rest[i] = mesh.vertices[i];
      points.emplace_back(mesh.vertices[i] + Vec3(shake(random), shake(random), shake(random)));
      x[i] = points[i];
    }
    reference = reference_tets(mesh);
    size = fmt::format("{} v / {} t", mesh.vertices.size(), mesh.tets.size());
  }
};

/// Scratch of one measurement, shared by both sides of a pair.
struct Scratch {
  std::unique_ptr<Energy> energy;
  std::unique_ptr<BlockMatrix> H;
  NodalField g;
  std::vector<Vec3> plain_g;
  std::vector<Matrix12> plain_H;
  std::vector<Eigen::Triplet<double>> triplets;
  Eigen::SparseMatrix<double> plain_assembled;
};

std::shared_ptr<Scratch> prepare(const Kernels& s, const MaterialEntry& entry, const Material& material) {
  auto scratch = std::make_shared<Scratch>();
  scratch->energy = entry.make(material, s.mesh.tets, s.rest);
  PatternBuilder builder(s.rest.size());
  scratch->energy->couple(builder);
  auto pattern = builder.build();
  scratch->energy->bind(*pattern);
  scratch->H = std::make_unique<BlockMatrix>(pattern);
  scratch->g = NodalField(s.rest.size());
  scratch->plain_g.assign(s.rest.size(), Vec3::Zero());
  scratch->plain_H.resize(s.mesh.tets.size());
  return scratch;
}

/// Element Hessians alone, not put together: what the straightforward version does.
template <bool project, class... Materials>
void element_hessians_of(const Energy& energy, const NodalField& x) {
  auto discard = [](std::size_t, const Vector3<Doubles>* g, const Matrix3<Doubles>* K) {
    asm volatile("" : : "r"(g), "r"(K) : "memory");  // the compiler must believe that they are read
  };
  auto run = [&](const auto* batch) {
    if (batch != nullptr) batch->visit_hessians(x, {}, project ? Projection::psd : Projection::none, discard);
  };
  (run(dynamic_cast<const TetBatch<Materials>*>(&energy)), ...);
}

template <bool project>
void element_hessians(const Energy& energy, const NodalField& x) {
  element_hessians_of<project, StVK, StVKVolume, Corotated, NeoHookean, StableNeoHookean, MooneyRivlin>(energy, x);
}

/// Negative eigenvalues of every element matrix set to zero, the usual way.
void project_plainly(std::vector<Matrix12>& hessians) {
  for (Matrix12& H : hessians) {
    const Eigen::SelfAdjointEigenSolver<Matrix12> eigen(H);
    H = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
  }
}

struct Wanted {
  double gradient, hessian;
};

/// Ratios aimed at on one thread; zero: none.
Wanted wanted(const std::string& material, int threads) {
  if (threads > 1) return {};
  if (material == "stvk" || material == "stable-neo-hookean") return {.gradient = 8, .hessian = 20};
  if (material == "corotated") return {.gradient = 15, .hessian = 15};
  return {};
}

void add_material(Suite& suite, const Kernels& s, const MaterialEntry& entry, int threads) {
  const Material material{.name = entry.name, .mu = 3.5e4, .lambda = 5e4, .kappa = 5e4, .a = 1e4, .b = 1e4};
  const auto t = prepare(s, entry, material);
  Row row{.size = s.size,
          .threads = threads,
          .elements = static_cast<double>(s.mesh.tets.size()),
          .baseline = "Eigen, per element"};
  row.name = entry.name + " gradient";
  row.wanted = wanted(entry.name, threads).gradient;
  suite.add(
      row, [t, &s] { t->energy->gradient(s.x, {}, t->g); },
      [t, &s, material] { straightforward(material, s.reference, s.points, t->plain_g, nullptr); });
  row.name = entry.name + " hessian";
  row.wanted = wanted(entry.name, threads).hessian;
  suite.add(
      row, [t, &s] { element_hessians<false>(*t->energy, s.x); },
      [t, &s, material] { straightforward(material, s.reference, s.points, t->plain_g, &t->plain_H); });
  row.name = entry.name + " projected hessian";
  row.wanted = 0;
  suite.add(
      row, [t, &s] { element_hessians<true>(*t->energy, s.x); },
      [t, &s, material] {
        straightforward(material, s.reference, s.points, t->plain_g, &t->plain_H);
        project_plainly(t->plain_H);
      });
}

/// The whole Hessian from positions against putting finished element matrices together.
void add_assembly(Suite& suite, const Kernels& s, int threads) {
  const MaterialEntry& entry = find_material("stable-neo-hookean");
  const Material material{.name = entry.name};
  const auto t = prepare(s, entry, material);
  straightforward(material, s.reference, s.points, t->plain_g, &t->plain_H);
  const auto n = static_cast<Eigen::Index>(3 * s.rest.size());
  t->plain_assembled.resize(n, n);
  suite.add(
      {.name = "assemble hessian",
       .size = s.size,
       .threads = threads,
       .elements = static_cast<double>(s.mesh.tets.size()),
       .baseline = "Eigen setFromTriplets of given element matrices",
       .wanted = 15},
      [t, &s] {
        t->H->set_zero();
        t->energy->hessian(s.x, {}, Projection::none, t->g, *t->H);
      },
      [t, &s] {
        t->triplets.clear();
        for (std::size_t e = 0; e < s.mesh.tets.size(); ++e)
          for (int a = 0; a < 12; ++a)
            for (int b = 0; b <= a; ++b) {
              const int i = 3 * s.mesh.tets[e][a / 3] + a % 3;
              const int j = 3 * s.mesh.tets[e][b / 3] + b % 3;
              t->triplets.emplace_back(std::max(i, j), std::min(i, j), t->plain_H[e](a, b));
            }
        t->plain_assembled.setFromTriplets(t->triplets.begin(), t->triplets.end());
      });
}

}  // namespace

void run_energies(bool quick, const Done& done) {
  const Kernels medium(quick ? std::array{12, 4, 4} : std::array{40, 11, 11});
  const Kernels large(quick ? std::array{20, 8, 8} : std::array{35, 27, 27});
  set_threads(0);
  const int all = threads();
  Suite suite;
  for (const MaterialEntry& entry : materials()) {
    add_material(suite, medium, entry, 1);
    if (all > 1) add_material(suite, medium, entry, all);
  }
  add_assembly(suite, large, 1);
  if (all > 1) add_assembly(suite, large, all);
  suite.run(done);
}

}  // namespace brio::bench
