/// A batch of equal elements, each an energy of a few vertices: gathers four elements into SIMD lanes, runs the kernel,
/// scatters.
///
/// A kernel states `nodes`, `parameters` (numbers per element) and functions over lanes: energy, gradient, hessian,
/// laplacian, and where there is one discrete_gradient and discrete_hessian. Vertices of an element ascend, so its
/// Hessian blocks fall into the stored lower triangle as they are. Where forces are no polynomials (`force_degree` 0)
/// also `metric` and `free_path`, or `mean`, for means along paths (path_means.h).
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "brio/energy.h"
#include "core/large_vector.h"
#include "core/threads.h"
#include "math/small.h"
#include "model/energies/layout.h"
#include "model/energies/outlined.h"
#include "model/energies/path_means.h"

namespace brio {

template <class Kernel>
class StencilBatch : public Energy {
 public:
  static constexpr int nodes = Kernel::nodes;
  static constexpr int parameters = Kernel::parameters;
  static constexpr int block_count = nodes * (nodes + 1) / 2;
  static constexpr int lanes = Doubles::width;
  using Nodes = std::array<int, nodes>;
  using Parameters = std::array<double, parameters>;

  std::string name() const override { return name_; }
  std::size_t elements() const override { return count_; }
  const Kernel& kernel() const { return kernel_; }

  int force_degree() const override { return Kernel::force_degree; }
  bool refines_path() const override { return averages; }
  bool has_domain() const override { return false; }
  bool has_discrete_gradient() const override { return discrete; }

  double value(const Configuration& at) const override {
    const NodalField& x = at.x;
    if constexpr (averages)
      if (at.when.mean && !at.when.discrete) return visit_means<0, false>(at, [](std::size_t, const auto&) {});
    return run([ this, &x, wide = is_wide(x) ](std::size_t group, Accumulator & sum) __attribute__((always_inline)) {
      Vector3<Doubles> position[nodes];
      if (wide) fetch_rows(group, x.data());
      gather(x.data(), group, position);
      sum.add(kernel_.Kernel::energy(parameter(group), position), active(group));
    });
  }

  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override {
    const NodalField& x = at.x;
    if constexpr (discrete)
      if (at.when.discrete)
        return run([ this, &at, &g, w = Doubles(weights.gradient) ](std::size_t group, Accumulator & sum)
                       __attribute__((always_inline)) {
                         Vector3<Doubles> from[nodes], to[nodes], force[nodes];
                         gather(at.when.x_n->data(), group, from);
                         gather(at.x.data(), group, to);
                         sum.add(kernel_.discrete_gradient(parameter(group), from, to, w, force), active(group));
                         scatter(group, force, g.data());
                       });
    if constexpr (averages)
      if (at.when.mean)
        return visit_means<1, false>(
            at,
            [ this, &g, w = Doubles(weights.gradient) ](std::size_t group, auto& mean) __attribute__((always_inline)) {
              if constexpr (refines) path_.set_work(group, mean.work);
              for (auto& force : mean.force) force = w * force;
              scatter(group, mean.force, g.data());
            });
    return run([ this, &x, &g, wide = is_wide(x), w = Doubles(weights.gradient) ](std::size_t group, Accumulator & sum)
                   __attribute__((always_inline)) {
                     Vector3<Doubles> position[nodes];
                     Vector3<Doubles> force[nodes];
                     if (wide) {
                       fetch_rows(group, x.data());
                       fetch_rows(group, g.data());
                     }
                     gather(x.data(), group, position);
                     sum.add(kernel_.Kernel::gradient(parameter(group), position, w, force), active(group));
                     scatter(group, force, g.data());
                   });
  }

  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override {
    const NodalField& x = at.x;
    if constexpr (discrete)
      if (at.when.discrete)
        return projection == Projection::psd ? discrete_hessians<true>(at, weights, g, H)
                                             : discrete_hessians<false>(at, weights, g, H);
    if constexpr (averages)
      if (at.when.mean) {
        auto add = [ this, &g, &H, w = Doubles(weights.gradient), wh = Doubles(weights.hessian) ](
            std::size_t group, auto& mean) __attribute__((always_inline)) {
          for (auto& force : mean.force) force = w * force;
          for (auto& block : mean.K)
            for (Doubles& entry : block.m) entry *= wh;
          scatter(group, mean.force, g.data());
          scatter(group, mean.K, H);
        };
        return projection == Projection::psd ? visit_means<2, true>(at, add) : visit_means<2, false>(at, add);
      }
    auto add = [ this, &g, &H ](std::size_t group, const Vector3<Doubles>* force, const Matrix3<Doubles>* K)
        __attribute__((always_inline)) {
      scatter(group, force, g.data());
      scatter(group, K, H);
    };
    return projection == Projection::psd ? visit_hessians<true>(x, weights, add)
                                         : visit_hessians<false>(x, weights, add);
  }

  /// Calls visit(group, gradients, blocks) with the weighted derivatives of every four elements; returns the energy.
  template <bool project, class Visit>
  double visit_hessians(const NodalField& x, const Weights& weights, Visit visit) const {
    const Doubles w(weights.gradient);
    const Doubles wh(weights.hessian);
    const bool wide = is_wide(x);
    return run([ this, &x, &visit, wide, w, wh ](std::size_t group, Accumulator & sum) __attribute__((always_inline)) {
      Vector3<Doubles> position[nodes];
      Vector3<Doubles> force[nodes];
      Matrix3<Doubles> K[block_count];
      if (wide) fetch_rows(group, x.data());
      gather(x.data(), group, position);
      if constexpr (project)
        sum.add(kernel_.template hessian<true>(parameter(group), position, w, wh, force, K), active(group));
      else
        sum.add(kernel_.Kernel::template hessian<false>(parameter(group), position, w, wh, force, K), active(group));
      visit(group, force, K);
    });
  }

  template <bool project>
  double discrete_hessians(const Configuration& at, const Weights& weights, NodalField& g, BlockMatrix& H) const {
    return run([ this, &at, &g, &H, w = Doubles(weights.gradient), wh = Doubles(weights.hessian) ](
        std::size_t group, Accumulator & sum) __attribute__((always_inline)) {
      Vector3<Doubles> from[nodes], to[nodes], force[nodes];
      Matrix3<Doubles> K[block_count];
      gather(at.when.x_n->data(), group, from);
      gather(at.x.data(), group, to);
      sum.add(kernel_.template discrete_hessian<project>(parameter(group), from, to, w, wh, force, K), active(group));
      scatter(group, force, g.data());
      scatter(group, K, H);
    });
  }

  void begin_path(const Configuration& start) const override {
    if constexpr (refines) {
      path_.begin(groups(), chunks());
      run([ this, &start ](std::size_t group, Accumulator&) __attribute__((always_inline)) {
        Vector3<Doubles> position[nodes];
        gather(start.x.data(), group, position);
        path_.set_start(group, kernel_.energy(parameter(group), position));
      });
    }
  }

  PathChange refine_path(const Configuration& at, double tolerance, NodalField& g) const override {
    if constexpr (refines) {
      path_.watch_changes();
      const double value = run([&](std::size_t group, Accumulator& sum) {
        Vector3<Doubles> force[nodes];
        const Doubles change = path_.refine(kernel_, group, group / chunk_groups, active(group), parameter(group),
                                            path_of(group, at), tolerance, force);
        sum.add(change, active(group));
        scatter(group, force, g.data());
      });
      return {.points = path_.have_changed(), .value = value};
    } else {
      return {};
    }
  }

  void laplacian(double weight, std::span<double> L) const override {
    run([ this, L, w = Doubles(weight) ](std::size_t group, Accumulator&) __attribute__((always_inline)) {
      Doubles K[block_count];
      kernel_.laplacian(parameter(group), w, K);
      const int* slot = slots_.data() + group * block_count * lanes;
      for (int k = 0; k < block_count; ++k)
        for (int lane = 0; lane < active(group); ++lane) L[slot[k * lanes + lane]] += K[k][lane];
    });
  }

  void couple(PatternBuilder& pattern) const override {
    for (std::size_t e = 0; e < count_; ++e) pattern.couple(vertices_of(e));
  }

  void renumber(std::span<const int> vertices) override {
    for (int& index : indices_) index = vertices[static_cast<std::size_t>(index)];
  }

  void bind(const BlockPattern& pattern) override {
    slots_.resize(groups() * block_count * lanes);
    for (std::size_t e = 0; e < groups() * lanes; ++e) {
      const Nodes v = vertices_of(std::min(e, count_ - 1));
      for (int a = 0, k = 0; a < nodes; ++a)
        for (int b = 0; b <= a; ++b, ++k)
          slots_[(e / lanes * block_count + k) * lanes + e % lanes] = pattern.find(v[a], v[b]);
    }
  }

 protected:
  /// x gives the positions by which elements are ordered; its size is that of the whole model.
  StencilBatch(std::string name, Kernel kernel, std::vector<Nodes> elements, const NodalField& x)
      : name_(std::move(name)), kernel_{std::move(kernel)}, count_(elements.size()) {
    for (Nodes& element : elements) std::sort(element.begin(), element.end());
    std::vector<int> flat;
    flat.reserve(count_ * nodes);
    for (const Nodes& element : elements) flat.insert(flat.end(), element.begin(), element.end());
    order_ = deal_to_lanes(spatial_order(flat, nodes, x), lanes);
    indices_.resize(groups() * nodes * lanes);
    flat.clear();
    for (std::size_t e = 0; e < groups() * lanes; ++e) {
      const Nodes& element =
          elements[order_[std::min(e, count_ - 1)]];  // the last group is filled up with its last element
      for (int a = 0; a < nodes; ++a) indices_[(e / lanes * nodes + a) * lanes + e % lanes] = element[a];
      if (e < count_) flat.insert(flat.end(), element.begin(), element.end());
    }
    colors_ = color_chunks(flat, nodes);
    parameters_.resize(groups() * parameters);
    partial_.resize(chunks());
  }

  /// Sets the parameters of every element from its place in the given list and its (ascending) vertices.
  template <class Make>
  void set_parameters(Make make) {
    parallel_chunks(chunks(), [&](std::size_t chunk) {
      const std::size_t first = chunk * chunk_elements;
      const std::size_t last = std::min(groups() * lanes, first + chunk_elements);
      for (std::size_t e = first; e < last; ++e) {
        const std::size_t source = std::min(e, count_ - 1);
        const Parameters p = make(static_cast<std::size_t>(order_[source]), vertices_of(source));
        for (int k = 0; k < parameters; ++k) parameters_[e / lanes * parameters + k].raw[e % lanes] = p[k];
      }
    });
  }

  /// Least of measure(parameters, positions, directions) over all elements, and of `start`.
  template <class Measure>
  double least(double start, const NodalField& x, const NodalField& d, Measure measure) const {
    parallel_chunks(chunks(), [&](std::size_t chunk) {
      const std::size_t last = std::min(groups(), (chunk + 1) * chunk_groups);
      double found = start;
      for (std::size_t group = chunk * chunk_groups; group < last; ++group) {
        Vector3<Doubles> position[nodes];
        Vector3<Doubles> direction[nodes];
        gather(x.data(), group, position);
        gather(d.data(), group, direction);
        found = std::min(found, measure(parameter(group), position, direction));
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

  auto path_of(std::size_t group, const Configuration& at) const {
    Vector3<Doubles> from[nodes];
    Vector3<Doubles> to[nodes];
    gather(at.when.x_n->data(), group, from);
    gather(at.x.data(), group, to);
    return typename Means::Path(from, to);
  }

  /// Calls visit(group, mean) with W/2 and its derivatives (path_means.h) of every four elements; returns their sum.
  template <int order, bool project, class Visit>
  double visit_means(const Configuration& at, Visit visit) const {
    return run([ this, &at, &visit ](std::size_t group, Accumulator & sum) __attribute__((always_inline)) {
      typename Means::Mean mean;
      path_.template evaluate<order, project>(kernel_, group, group / chunk_groups, parameter(group),
                                              path_of(group, at), mean);
      sum.add(mean.value, active(group));
      visit(group, mean);
    });
  }

  static constexpr std::size_t chunk_groups = chunk_elements / lanes;
  static constexpr std::size_t fewest_parallel_chunks = 6;  ///< below, waking threads costs more than they save

  std::size_t groups() const { return (count_ + lanes - 1) / lanes; }
  std::size_t chunks() const { return (count_ + chunk_elements - 1) / chunk_elements; }
  int active(std::size_t group) const { return static_cast<int>(std::min<std::size_t>(lanes, count_ - group * lanes)); }
  const Doubles* parameter(std::size_t group) const { return parameters_.data() + group * parameters; }

  Nodes vertices_of(std::size_t element) const {
    Nodes v;
    for (int a = 0; a < nodes; ++a) v[a] = indices_[(element / lanes * nodes + a) * lanes + element % lanes];
    return v;
  }

  /// Runs `work(group, sum)` over all groups, color by color; returns the energy, +inf instead of NaN.
  template <class Work>
  double run(Work work) const {
    auto run_chunk = [&](std::size_t chunk) {
      const std::size_t last = std::min(groups(), (chunk + 1) * chunk_groups);
      Accumulator sum;
      for (std::size_t group = chunk * chunk_groups; group < last; ++group) work(group, sum);
      partial_[chunk] = brio::sum(sum.full) + sum.partial;
    };
    for (const auto& color : colors_) {
      if (chunks() < fewest_parallel_chunks) {
        for (const int chunk : color) run_chunk(chunk);
      } else {
        parallel_chunks(color.size(), [&](std::size_t k) { run_chunk(color[k]); });
      }
    }
    const double energy = ordered_sum(partial_);
    return energy == energy ? energy : std::numeric_limits<double>::infinity();
  }

  /// A field that is larger than half a megabyte does not stay in the caches of a core. On smaller ones, fetching rows
  /// ahead takes longer than what it saves.
  static bool is_wide(const NodalField& x) { return x.size() > (1 << 14); }

  /// Asks for the rows that a later group will need: vertices lie too widely for the machine to foresee.
  BRIO_INLINE void fetch_rows(std::size_t group, const double* field) const {
    constexpr std::size_t ahead = 2;
    if (group + ahead >= groups()) return;
    const int* index = indices_.data() + (group + ahead) * nodes * lanes;
    for (int k = 0; k < nodes * lanes; ++k)
      __builtin_prefetch(field + NodalField::stride * static_cast<std::size_t>(index[k]));
  }

  BRIO_INLINE void gather(const double* x, std::size_t group, Vector3<Doubles> position[nodes]) const {
    const int* index = indices_.data() + group * nodes * lanes;
#pragma GCC unroll 4
    for (int a = 0; a < nodes; ++a) {
      Doubles row[4];
      for (int lane = 0; lane < lanes; ++lane)
        row[lane] = load(x + NodalField::stride * static_cast<std::size_t>(index[a * lanes + lane]));
      transpose(row);
      position[a] = {{row[0], row[1], row[2]}};
    }
  }

  BRIO_INLINE void scatter(std::size_t group, const Vector3<Doubles> force[nodes], double* g) const {
    if (active(group) == lanes) {
      scatter_lanes(group, std::integral_constant<int, lanes>{}, force, g);
    } else {
      scatter_lanes(group, active(group), force, g);
    }
  }

  BRIO_INLINE void scatter(std::size_t group, const Matrix3<Doubles> K[block_count], BlockMatrix& H) const {
    // Fetch the blocks of the next group while its kernel runs: they are scattered too widely for the machine to
    // foresee.
    if (group + 1 < groups()) {
      const int* next = slots_.data() + (group + 1) * block_count * lanes;
      for (int k = 0; k < block_count * lanes; ++k) {
        __builtin_prefetch(H.block(next[k]), 1);
        __builtin_prefetch(H.block(next[k]) + 8, 1);  // a block is longer than a cache line
      }
    }
    if (active(group) == lanes) {
      scatter_lanes(group, std::integral_constant<int, lanes>{}, K, H);
    } else {
      scatter_lanes(group, active(group), K, H);
    }
  }

  /// `count` lanes hold elements; a count known to the compiler keeps the rows in registers.
  template <class Count>
  BRIO_INLINE void scatter_lanes(std::size_t group, Count count, const Vector3<Doubles> force[nodes], double* g) const {
    const int* index = indices_.data() + group * nodes * lanes;
#pragma GCC unroll 4
    for (int a = 0; a < nodes; ++a) {
      Doubles row[4] = {force[a][0], force[a][1], force[a][2], Doubles(0.0)};
      transpose(row);
      for (int lane = 0; lane < count; ++lane) {
        double* place = g + NodalField::stride * static_cast<std::size_t>(index[a * lanes + lane]);
        store(place, load(place) + row[lane]);
      }
    }
  }

  template <class Count>
  BRIO_INLINE void scatter_lanes(std::size_t group, Count count, const Matrix3<Doubles> K[block_count],
                                 BlockMatrix& H) const {
    const int* slot = slots_.data() + group * block_count * lanes;
    for (int k = 0; k < block_count; ++k) {
      const Doubles* m = K[k].m;
      Doubles head[4] = {m[0], m[1], m[2], m[3]};
      Doubles tail[4] = {m[4], m[5], m[6], m[7]};
      transpose(head);
      transpose(tail);
      for (int lane = 0; lane < count; ++lane) {
        double* place = H.block(slot[k * lanes + lane]);
        store(place, load(place) + head[lane]);
        store(place + 4, load(place + 4) + tail[lane]);
        place[8] += m[8][lane];
      }
    }
  }

  std::string name_;
  Outlined<Kernel> kernel_;
  std::size_t count_;
  std::vector<int> order_;                ///< place of each element in the list it came from
  LargeVector<int> indices_;              ///< [group][node][lane]
  LargeVector<Doubles> parameters_;       ///< [group][parameter]
  LargeVector<int> slots_;                ///< [group][block][lane]: places in the bound pattern
  std::vector<std::vector<int>> colors_;  ///< chunks by color
  mutable std::vector<double> partial_;   ///< energy of each chunk; kept so that evaluation allocates nothing
  mutable Means path_;                    ///< of the step at hand
};

}  // namespace brio
