/// A batch of equal elements (stencil_loops.h) that also knows steps: forces averaged along the path from where a step
/// starts to where it ends, and discrete gradients over it.
///
/// A kernel states discrete_gradient and discrete_hessian where there is such a gradient. Where forces are no
/// polynomials (`force_degree` 0) also `metric` and `free_path`, or `mean`, for means along paths (path_means.h).
#pragma once

#include "model/energies/path_means.h"
#include "model/energies/stencil_loops.h"

namespace brio {

template <class Kernel>
class StencilBatch : public StencilLoops<Kernel> {
  using Base = StencilLoops<Kernel>;
  using Elements = typename Base::Elements;
  using Accumulator = typename Base::Accumulator;
  using Base::nodes, Base::block_count, Base::run, Base::stencils, Base::outlined;

 public:
  bool refines_path() const override { return averages; }
  bool has_discrete_gradient() const override { return discrete; }

  double value(const Configuration& at) const override {
    if constexpr (averages)
      if (at.when.mean && !at.when.discrete) return visit_means<0>(at, false, [](std::size_t, const auto&) {});
    return Base::value(at);
  }

  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override {
    if constexpr (discrete)
      if (at.when.discrete) return discrete_gradients(at, weights, g);
    if constexpr (averages)
      if (at.when.mean)
        return visit_means<1>(
            at, false,
            [ this, &g, w = Doubles(weights.gradient) ](std::size_t group, auto& mean) __attribute__((always_inline)) {
              if constexpr (refines) path_.set_work(group, mean.work);
              for (auto& force : mean.force) force = w * force;
              stencils().scatter(group, mean.force, g.data());
            });
    return Base::gradient(at, weights, g);
  }

  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override {
    if constexpr (discrete)
      if (at.when.discrete) return discrete_hessians(at, weights, projection, g, H);
    if constexpr (averages)
      if (at.when.mean) {
        auto add = [ this, &g, &H, w = Doubles(weights.gradient), wh = Doubles(weights.hessian) ](
            std::size_t group, auto& mean) __attribute__((always_inline)) {
          for (auto& force : mean.force) force = w * force;
          for (auto& block : mean.K)
            for (Doubles& entry : block.m) entry *= wh;
          stencils().scatter(group, mean.force, g.data());
          stencils().scatter_blocks(group, mean.K, H);
        };
        return visit_means<2>(at, projection == Projection::psd, add);
      }
    return Base::hessian(at, weights, projection, g, H);
  }

  void begin_path(const Configuration& start) const override {
    if constexpr (refines) {
      path_.begin(stencils().groups(), stencils().chunks());
      run([ this, &start ](std::size_t group, Accumulator&) __attribute__((always_inline)) {
        Vector3<Doubles> position[nodes];
        stencils().gather(start.x.data(), group, position);
        path_.set_start(group, outlined().energy(stencils().parameter(group), position));
      });
    }
  }

  PathChange refine_path(const Configuration& at, double tolerance, NodalField& g) const override {
    if constexpr (refines) {
      path_.watch_changes();
      const double value = run([&](std::size_t group, Accumulator& sum) {
        Vector3<Doubles> force[nodes];
        const int active = stencils().active(group);
        const Doubles change = path_.refine(outlined(), group, group / Elements::chunk_groups, active,
                                            stencils().parameter(group), path_of(group, at), tolerance, force);
        sum.add(change, active);
        stencils().scatter(group, force, g.data());
      });
      return {.points = path_.have_changed(),
              .value = value,
              .beyond = path_.points_beyond(),
              .tried = path_.points_tried()};
    } else {
      return {};
    }
  }

 protected:
  using Base::Base;

 private:
  static constexpr bool averages = Kernel::force_degree == 0;
  static constexpr bool discrete = requires(const Kernel& kernel, const Doubles* p, Vector3<Doubles>* x) {
    kernel.discrete_gradient(p, x, x, Doubles(1.0), x);
  };
  struct NoMeans {};
  using Means = std::conditional_t<averages, PathMeans<Outlined<Kernel>>, NoMeans>;
  static constexpr bool refines = [] {
    if constexpr (averages) return !Means::closed;
    return false;
  }();

  double discrete_gradients(const Configuration& at, const Weights& weights, NodalField& g) const {
    return run([ this, &at, &g, w = Doubles(weights.gradient) ](std::size_t group,
                                                                Accumulator & sum) __attribute__((always_inline)) {
      Vector3<Doubles> from[nodes], to[nodes], force[nodes];
      stencils().gather(at.when.x_n->data(), group, from);
      stencils().gather(at.x.data(), group, to);
      sum.add(outlined().discrete_gradient(stencils().parameter(group), from, to, w, force), stencils().active(group));
      stencils().scatter(group, force, g.data());
    });
  }

  double discrete_hessians(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                           BlockMatrix& H) const {
    const bool project = projection == Projection::psd;
    return run([ this, &at, &g, &H, project, w = Doubles(weights.gradient), wh = Doubles(weights.hessian) ](
        std::size_t group, Accumulator & sum) __attribute__((always_inline)) {
      const Doubles* p = stencils().parameter(group);
      Vector3<Doubles> from[nodes], to[nodes], force[nodes];
      Matrix3<Doubles> K[block_count];
      stencils().gather(at.when.x_n->data(), group, from);
      stencils().gather(at.x.data(), group, to);
      sum.add(project ? outlined().template discrete_hessian<true>(p, from, to, w, wh, force, K)
                      : outlined().template discrete_hessian<false>(p, from, to, w, wh, force, K),
              stencils().active(group));
      stencils().scatter(group, force, g.data());
      stencils().scatter_blocks(group, K, H);
    });
  }

  auto path_of(std::size_t group, const Configuration& at) const {
    Vector3<Doubles> from[nodes];
    Vector3<Doubles> to[nodes];
    stencils().gather(at.when.x_n->data(), group, from);
    stencils().gather(at.x.data(), group, to);
    return typename Means::Path(from, to);
  }

  /// Calls visit(group, mean) with W/2 and its derivatives (path_means.h) of every four elements; returns their sum.
  template <int order, class Visit>
  double visit_means(const Configuration& at, bool project, Visit visit) const {
    return run([ this, &at, project, &visit ](std::size_t group, Accumulator & sum) __attribute__((always_inline)) {
      typename Means::Mean mean;
      path_.template evaluate<order>(outlined(), project, group, group / Elements::chunk_groups,
                                     stencils().parameter(group), path_of(group, at), mean);
      sum.add(mean.value, stencils().active(group));
      visit(group, mean);
    });
  }

  mutable Means path_;  ///< of the step at hand
};

}  // namespace brio
