/// Equal elements, each an energy of a few vertices: gathers four of them into SIMD lanes, runs the kernel, scatters.
///
/// A kernel states `nodes`, `parameters` (numbers per element) and functions over lanes: energy, gradient, hessian and
/// laplacian; more for steps (stencil_batch.h). Vertices of an element ascend, so its Hessian blocks fall into the
/// stored lower triangle as they are.
#pragma once

#include <limits>

#include "model/energies/outlined.h"
#include "model/energies/stencils.h"

namespace brio {

template <class Kernel>
class StencilLoops : public Energy {
 public:
  static constexpr int nodes = Kernel::nodes;
  using Elements = Stencils<nodes, Kernel::parameters>;
  static constexpr int block_count = Elements::block_count;
  static constexpr int lanes = Elements::lanes;
  using Nodes = typename Elements::Nodes;
  using Parameters = typename Elements::Parameters;

  std::string name() const override { return name_; }
  std::size_t elements() const override { return stencils_.count(); }
  const Kernel& kernel() const { return kernel_; }

  int force_degree() const override { return Kernel::force_degree; }
  bool has_domain() const override { return false; }

  double value(const Configuration& at) const override {
    const NodalField& x = at.x;
    return run([ this, &x, wide = Elements::is_wide(x) ](std::size_t group, Accumulator & sum)
                   __attribute__((always_inline)) {
                     Vector3<Doubles> position[nodes];
                     if (wide) stencils_.fetch_rows(group, x.data());
                     stencils_.gather(x.data(), group, position);
                     sum.add(kernel_.Kernel::energy(stencils_.parameter(group), position), stencils_.active(group));
                   });
  }

  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override {
    const NodalField& x = at.x;
    return run([ this, &x, &g, wide = Elements::is_wide(x), w = Doubles(weights.gradient) ](
        std::size_t group, Accumulator & sum) __attribute__((always_inline)) {
      Vector3<Doubles> position[nodes];
      Vector3<Doubles> force[nodes];
      if (wide) {
        stencils_.fetch_rows(group, x.data());
        stencils_.fetch_rows(group, g.data());
      }
      stencils_.gather(x.data(), group, position);
      sum.add(kernel_.Kernel::gradient(stencils_.parameter(group), position, w, force), stencils_.active(group));
      stencils_.scatter(group, force, g.data());
    });
  }

  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override {
    return visit_hessians(
        at.x, weights, projection,
        [ this, &g, &H ](std::size_t group, const Vector3<Doubles>* force, const Matrix3<Doubles>* K)
            __attribute__((always_inline)) {
              stencils_.scatter(group, force, g.data());
              stencils_.scatter(group, K, H);
            });
  }

  /// Calls visit(group, gradients, blocks) with the weighted derivatives of every four elements; returns the energy.
  template <class Visit>
  double visit_hessians(const NodalField& x, const Weights& weights, Projection projection, Visit visit) const {
    const bool project = projection == Projection::psd;
    return run([
      this, &x, &visit, project, wide = Elements::is_wide(x), w = Doubles(weights.gradient),
      wh = Doubles(weights.hessian)
    ](std::size_t group, Accumulator & sum) __attribute__((always_inline)) {
      Vector3<Doubles> position[nodes];
      Vector3<Doubles> force[nodes];
      Matrix3<Doubles> K[block_count];
      const Doubles* p = stencils_.parameter(group);
      if (wide) stencils_.fetch_rows(group, x.data());
      stencils_.gather(x.data(), group, position);
      sum.add(project ? kernel_.template hessian<true>(p, position, w, wh, force, K)
                      : kernel_.template hessian<false>(p, position, w, wh, force, K),
              stencils_.active(group));
      visit(group, force, K);
    });
  }

  void laplacian(double weight, std::span<double> L) const override {
    run([ this, L, w = Doubles(weight) ](std::size_t group, Accumulator&) __attribute__((always_inline)) {
      Doubles K[block_count];
      kernel_.laplacian(stencils_.parameter(group), w, K);
      const int* slot = stencils_.slots(group);
      for (int k = 0; k < block_count; ++k)
        for (int lane = 0; lane < stencils_.active(group); ++lane) L[slot[k * lanes + lane]] += K[k][lane];
    });
  }

  void couple(PatternBuilder& pattern) const override { stencils_.couple(pattern); }
  void renumber(std::span<const int> vertices) override { stencils_.renumber(vertices); }
  void bind(const BlockPattern& pattern) override { stencils_.bind(pattern); }

 protected:
  StencilLoops(std::string name, Kernel kernel, std::vector<Nodes> elements, const NodalField& x)
      : name_(std::move(name)),
        kernel_{std::move(kernel)},
        stencils_(std::move(elements), x),
        partial_(stencils_.chunks()) {}

  const Elements& stencils() const { return stencils_; }
  const Outlined<Kernel>& outlined() const { return kernel_; }

  /// As Stencils.
  template <class Make>
  void set_parameters(Make make) {
    stencils_.set_parameters(make);
  }

  /// Least of measure(parameters, positions, directions) over all elements, and of `start`.
  template <class Measure>
  double least(double start, const NodalField& x, const NodalField& d, Measure measure) const {
    parallel_chunks(stencils_.chunks(), [&](std::size_t chunk) {
      const std::size_t last = std::min(stencils_.groups(), (chunk + 1) * Elements::chunk_groups);
      double found = start;
      for (std::size_t group = chunk * Elements::chunk_groups; group < last; ++group) {
        Vector3<Doubles> position[nodes];
        Vector3<Doubles> direction[nodes];
        stencils_.gather(x.data(), group, position);
        stencils_.gather(d.data(), group, direction);
        found = std::min(found, measure(stencils_.parameter(group), position, direction));
      }
      partial_[chunk] = found;
    });
    for (const double part : partial_) start = std::min(start, part);
    return start;
  }

  /// Sum of element energies in a chunk; lanes that only fill up the last group do not count.
  struct Accumulator {
    Doubles full = 0.0;
    double partial = 0;
    void add(Doubles energy, int active_lanes) {
      if (active_lanes == lanes) {
        full += energy;
      } else {
        for (int lane = 0; lane < active_lanes; ++lane) partial += energy[lane];
      }
    }
  };

  /// Runs `work(group, sum)` over all groups, color by color; returns the energy, +inf instead of NaN.
  template <class Work>
  double run(Work work) const {
    stencils_.for_chunks([&](std::size_t chunk, std::size_t first, std::size_t last) {
      Accumulator sum;
      for (std::size_t group = first; group < last; ++group) work(group, sum);
      partial_[chunk] = brio::sum(sum.full) + sum.partial;
    });
    const double energy = ordered_sum(partial_);
    return energy == energy ? energy : std::numeric_limits<double>::infinity();
  }

 private:
  std::string name_;
  Outlined<Kernel> kernel_;
  Elements stencils_;
  mutable std::vector<double> partial_;  ///< energy of each chunk; kept so that evaluation allocates nothing
};

}  // namespace brio
