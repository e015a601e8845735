/// Means of forces along straight paths, exact in energy for any element.
///
/// A step from x_n to x averages the force of an element over its path, with d = x − x_n:
///   W(x) = ∫₀¹ (E(x_n + s d) − E(x_n))/s ds,   ∇W = ∫ ∇E ds.
/// The step keeps energy where ∇W·d = E(x) − E(x_n). A rule of quadrature misses that by a defect which each element
/// can measure. Most begin with three Gauss points and a defect that hardly shows. Where it does, the panels that hold
/// it get seven points, then halves of seven each. What is left becomes c/2 Q(d), Q the quadratic form of the element's
/// Laplacian and c = defect/Q(d), held while a solver takes a step: each step descends on a true objective, and where
/// the steps end c is that of the end, hence energy exact.
///
/// Elements with three points are evaluated four at a time. One that has more is evaluated by itself, four of its
/// points at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "math/small.h"

namespace brio {

/// An interval of the path with a rule of three points, or of seven.
struct PathPanel {
  double from, to;
  bool fine;
  double work;  ///< of the force over the panel, as the rule has it
  double gain;  ///< of energy over the panel

  double defect() const { return gain - work; }
};

/// Where an element that needs more than three points takes its mean.
struct RefinedPath {
  std::vector<PathPanel> panels;
  std::vector<PathPanel> split;  ///< scratch
  std::vector<Doubles> s, b;     ///< points and weights, four at a time; the last are filled up with weight zero

  /// Lists the points of the panels; returns how many there are.
  std::size_t list_points();
  /// Gives more points to panels whose defect is above the limit. False where none can have any.
  bool refine(double limit);
};

/// Paths of the elements of a chunk that need more than three points; kept between steps for its memory alone.
struct RefinedPaths {
  std::vector<RefinedPath> paths;
  std::size_t used = 0;
  std::size_t tried = 0;  ///< points that were evaluated to find where more are wanted
  bool changed = false;

  RefinedPath& add() {
    if (used == paths.size()) paths.emplace_back();
    return paths[used++];
  }
};

template <class Kernel>
class PathMeans {
 public:
  static constexpr int nodes = Kernel::nodes;
  static constexpr int block_count = nodes * (nodes + 1) / 2;
  static constexpr int lanes = Doubles::width;
  /// The kernel states the mean in closed form, `mean`: there is nothing to refine.
  static constexpr bool closed = [] {
    if constexpr (requires { Kernel::closed_mean; }) return Kernel::closed_mean;
    return false;
  }();

  /// Four elements: where their vertices are when the path begins, relative to the first of them, and how they move.
  struct Path {
    Vector3<Doubles> start[nodes], d[nodes];

    /// From positions at both ends of the path.
    BRIO_INLINE Path(const Vector3<Doubles>* from, const Vector3<Doubles>* to) {
      for (int a = 0; a < nodes; ++a) {
        start[a] = from[a] - from[0];
        d[a] = (to[a] - to[0]) - start[a];
      }
    }
    /// One of the four, in all lanes.
    BRIO_INLINE Path(const Path& all, int lane) {
      for (int a = 0; a < nodes; ++a)
        for (int i = 0; i < 3; ++i) {
          start[a][i] = Doubles(all.start[a][i][lane]);
          d[a][i] = Doubles(all.d[a][i][lane]);
        }
    }
    BRIO_INLINE void at(Doubles s, Vector3<Doubles>* x) const {
      for (int a = 0; a < nodes; ++a)
        for (int i = 0; i < 3; ++i) x[a][i] = fma(s, d[a][i], start[a][i]);
    }
  };

  /// W/2 with its derivatives, and the work of the mean force.
  struct Mean {
    Doubles value, work;
    Vector3<Doubles> force[nodes];
    Matrix3<Doubles> K[block_count];
  };

  void begin(std::size_t groups, std::size_t chunks) {
    start_.resize(groups);
    work_.assign(groups, Doubles(0.0));
    c_.assign(groups, Doubles(0.0));
    slots_.assign(groups * lanes, -1);
    chunks_.resize(chunks);
    for (RefinedPaths& chunk : chunks_) chunk.used = 0;
  }
  void set_start(std::size_t group, Doubles energy) { start_[group] = energy; }

  /// Value (order 0), gradient (1) or Hessian (2), projected or not, of W/2 for a group; infinite where the path leaves
  /// the domain.
  template <int order>
  BRIO_INLINE void evaluate(const Kernel& kernel, bool project, std::size_t group, std::size_t chunk, const Doubles* p,
                            const Path& path, Mean& mean) const {
    if constexpr (closed) {
      mean.work = Doubles(0.0);
      mean.value = order == 2 && project
                       ? kernel.template mean<order, order == 2>(p, path.start, path.d, mean.force, mean.K)
                       : kernel.template mean<order, false>(p, path.start, path.d, mean.force, mean.K);
    } else {
      evaluate_by_points<order>(kernel, project, group, chunk, p, path, mean);
    }
  }

  template <int order>
  BRIO_INLINE void evaluate_by_points(const Kernel& kernel, bool project, std::size_t group, std::size_t chunk,
                                      const Doubles* p, const Path& path, Mean& mean) const {
    if (!kernel.free_path(p, path.start, path.d)) {
      clear<order>(mean);
      mean.value = std::numeric_limits<double>::infinity();
      return;
    }
    const int* slot = slots_.data() + group * lanes;
    int refined = 0;
    for (int lane = 0; lane < lanes; ++lane) refined += slot[lane] >= 0 ? 1 : 0;
    if (refined < lanes) {
      const Doubles s[3] = {Doubles(coarse_s[0]), Doubles(coarse_s[1]), Doubles(coarse_s[2])};
      const Doubles b[3] = {Doubles(coarse_b[0]), Doubles(coarse_b[1]), Doubles(coarse_b[2])};
      accumulate<order>(kernel, project, p, path, s, b, 3, start_[group], mean);
    } else {
      clear<order>(mean);
    }
    for (int lane = 0; refined > 0 && lane < lanes; ++lane)
      if (slot[lane] >= 0)
        evaluate_refined<order>(kernel, project, chunks_[chunk].paths[slot[lane]], p, path, group, lane, mean);
    if (any((c_[group] > Doubles(0.0)) | (c_[group] < Doubles(0.0))))
      add_correction<order>(kernel, p, path, project ? max(c_[group], Doubles(0.0)) : c_[group], c_[group], mean);
  }

  /// The work of the force as last evaluated.
  void set_work(std::size_t group, Doubles work) { work_[group] = work; }

  /// Compares work and energy of a group, of which `active` lanes hold elements; adds points and sets corrections. Sets
  /// force to what that of the corrections changed by; returns how W/2 did.
  Doubles refine(const Kernel& kernel, std::size_t group, std::size_t chunk, int active, const Doubles* p,
                 const Path& path, double tolerance, Vector3<Doubles>* force) {
    constexpr double tiny = 1e-300;
    Vector3<Doubles> x[nodes];
    path.at(Doubles(1.0), x);
    const Doubles end = kernel.energy(p, x);
    Doubles L[block_count];
    kernel.metric(p, L);
    Vector3<Doubles> Ld[nodes];
    const Doubles Q = times(L, path.d, Ld);
    // What rounding makes of energies and of positions must not become a force.
    const Doubles blur = Doubles(1e-14) * (abs(start_[group]) + abs(end)) +
                         Doubles(4e-16) * (times(L, path.start, force) + times(L, x, force));
    Doubles defect = end - start_[group] - work_[group];
    const Doubles limit = max(Doubles(tolerance) * Q, blur);
    for (int lane = 0; lane < active; ++lane) {
      if (!(std::abs(defect[lane]) > limit[lane] && std::isfinite(defect[lane]))) continue;
      work_[group].raw[lane] = refine_path(kernel, group, chunk, lane, p, path, end[lane], limit[lane]);
      defect.raw[lane] = end[lane] - start_[group][lane] - work_[group][lane];
    }
    Doubles change;
    for (int lane = 0; lane < lanes; ++lane) {
      const bool counts =
          lane < active && std::abs(defect[lane]) > blur[lane] && Q[lane] > tiny && std::isfinite(defect[lane]);
      const double c = counts ? defect[lane] / Q[lane] : 0;
      change.raw[lane] = c - c_[group][lane];
      c_[group].raw[lane] = c;
    }
    for (int a = 0; a < nodes; ++a) force[a] = (Doubles(0.5) * change) * Ld[a];
    return Doubles(0.25) * change * Q;
  }

  void watch_changes() {
    for (RefinedPaths& chunk : chunks_) {
      chunk.changed = false;
      chunk.tried = 0;
    }
  }
  bool have_changed() const {
    return std::any_of(chunks_.begin(), chunks_.end(), [](const RefinedPaths& chunk) { return chunk.changed; });
  }
  /// What means cost more than three points in every element, and what it took since `watch_changes` to know it.
  std::size_t points_beyond() const {
    std::size_t points = 0;
    for (const RefinedPaths& chunk : chunks_)
      for (std::size_t k = 0; k < chunk.used; ++k) points += lanes * chunk.paths[k].s.size();
    return points;
  }
  std::size_t points_tried() const {
    std::size_t points = 0;
    for (const RefinedPaths& chunk : chunks_) points += chunk.tried;
    return points;
  }

 private:
  static constexpr double coarse_s[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
  static constexpr double coarse_b[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

  template <int order>
  BRIO_INLINE static void clear(Mean& mean) {
    mean.value = mean.work = Doubles(0.0);
    if constexpr (order > 0)
      for (auto& f : mean.force) f = {{Doubles(0.0), Doubles(0.0), Doubles(0.0)}};
    if constexpr (order > 1)
      for (auto& block : mean.K)
        for (Doubles& entry : block.m) entry = Doubles(0.0);
  }

  /// Sums over `count` points, in each lane its own. Not inlined: kernels are long, and this serves all elements.
  template <int order>
  __attribute__((noinline)) static void accumulate(const Kernel& kernel, bool project, const Doubles* p,
                                                   const Path& path, const Doubles* s, const Doubles* b,
                                                   std::size_t count, Doubles start, Mean& mean) {
    clear<order>(mean);
    Vector3<Doubles> x[nodes];
    for (std::size_t q = 0; q < count; ++q) {
      path.at(s[q], x);
      const Doubles half = Doubles(0.5) * b[q];
      Doubles energy;
      if constexpr (order == 0) {
        energy = kernel.energy(p, x);
      } else {
        Vector3<Doubles> force[nodes];
        if constexpr (order == 1) {
          energy = kernel.gradient(p, x, half, force);
        } else {
          Matrix3<Doubles> K[block_count];
          energy = project ? kernel.template hessian<true>(p, x, half, half * s[q], force, K)
                           : kernel.template hessian<false>(p, x, half, half * s[q], force, K);
          for (int k = 0; k < block_count; ++k)
            for (int i = 0; i < 9; ++i) mean.K[k].m[i] += K[k].m[i];
        }
        for (int a = 0; a < nodes; ++a) mean.force[a] = mean.force[a] + force[a];
      }
      mean.value += half / s[q] * (energy - start);
    }
    if constexpr (order > 0) {
      for (int a = 0; a < nodes; ++a) mean.work += Doubles(2.0) * dot(mean.force[a], path.d[a]);
    }
  }

  template <int order>
  __attribute__((noinline)) void evaluate_refined(const Kernel& kernel, bool project, const RefinedPath& refined,
                                                  const Doubles* p, const Path& path, std::size_t group, int lane,
                                                  Mean& mean) const {
    Doubles own[Kernel::parameters];
    for (int k = 0; k < Kernel::parameters; ++k) own[k] = Doubles(p[k][lane]);
    Mean part;
    accumulate<order>(kernel, project, own, Path(path, lane), refined.s.data(), refined.b.data(), refined.s.size(),
                      Doubles(start_[group][lane]), part);
    mean.value.raw[lane] = sum(part.value);
    mean.work.raw[lane] = sum(part.work);
    if constexpr (order > 0)
      for (int a = 0; a < nodes; ++a)
        for (int i = 0; i < 3; ++i) mean.force[a][i].raw[lane] = sum(part.force[a][i]);
    if constexpr (order > 1)
      for (int k = 0; k < block_count; ++k)
        for (int i = 0; i < 9; ++i) mean.K[k].m[i].raw[lane] = sum(part.K[k].m[i]);
  }

  /// L v for blocks of the lower triangle, row by row; returns v·L v.
  BRIO_INLINE static Doubles times(const Doubles* L, const Vector3<Doubles>* v, Vector3<Doubles>* Lv) {
    for (int a = 0; a < nodes; ++a) Lv[a] = {{Doubles(0.0), Doubles(0.0), Doubles(0.0)}};
    for (int a = 0, k = 0; a < nodes; ++a)
      for (int b = 0; b <= a; ++b, ++k)
        for (int i = 0; i < 3; ++i) {
          Lv[a][i] = fma(L[k], v[b][i], Lv[a][i]);
          if (a != b) Lv[b][i] = fma(L[k], v[a][i], Lv[b][i]);
        }
    Doubles form(0.0);
    for (int a = 0; a < nodes; ++a) form += dot(v[a], Lv[a]);
    return form;
  }

  /// c/4 Q(d); `curvature` in place of c for the Hessian.
  template <int order>
  __attribute__((noinline)) static void add_correction(const Kernel& kernel, const Doubles* p, const Path& path,
                                                       Doubles curvature, Doubles c, Mean& mean) {
    Doubles L[block_count];
    kernel.metric(p, L);
    Vector3<Doubles> Ld[nodes];
    const Doubles Q = times(L, path.d, Ld);
    mean.value += Doubles(0.25) * c * Q;
    if constexpr (order > 0)
      for (int a = 0; a < nodes; ++a) mean.force[a] = mean.force[a] + (Doubles(0.5) * c) * Ld[a];
    if constexpr (order > 1)
      for (int k = 0; k < block_count; ++k)
        for (int i = 0; i < 3; ++i) mean.K[k](i, i) += Doubles(0.5) * curvature * L[k];
  }

  /// Adds points to the path of one element until its work is right to the limit, or nothing helps; returns the work.
  __attribute__((noinline)) double refine_path(const Kernel& kernel, std::size_t group, std::size_t chunk, int lane,
                                               const Doubles* p, const Path& path, double end, double limit) {
    constexpr int max_rounds = 20;
    RefinedPaths& refined = chunks_[chunk];
    int& slot = slots_[group * lanes + lane];
    refined.changed = true;
    if (slot < 0) {
      slot = static_cast<int>(refined.used);
      refined.add().panels.assign(1, {.from = 0, .to = 1, .fine = true, .work = 0, .gain = 0});
    }
    RefinedPath& own = refined.paths[slot];
    Doubles parameters[Kernel::parameters];
    for (int k = 0; k < Kernel::parameters; ++k) parameters[k] = Doubles(p[k][lane]);
    const Path alone(path, lane);
    const double gain = end - start_[group][lane];
    for (int round = 0;; ++round) {
      const double work = work_along(kernel, parameters, alone, own);
      refined.tried += lanes * own.s.size();
      if (!(std::abs(gain - work) > limit) || round == max_rounds) return work;
      gains_along(kernel, parameters, alone, start_[group][lane], end, own);
      if (!own.refine(limit)) return work;
    }
  }

  static double work_along(const Kernel& kernel, const Doubles* p, const Path& path, RefinedPath& refined) {
    refined.list_points();
    for (PathPanel& panel : refined.panels) panel.work = 0;
    std::size_t panel = 0;
    int left = refined.panels[0].fine ? 7 : 3;
    double total = 0;
    for (std::size_t q = 0; q < refined.s.size(); ++q) {
      Vector3<Doubles> x[nodes], force[nodes];
      path.at(refined.s[q], x);
      kernel.gradient(p, x, refined.b[q], force);
      Doubles work(0.0);
      for (int a = 0; a < nodes; ++a) work += dot(force[a], path.d[a]);
      for (int lane = 0; lane < lanes && panel < refined.panels.size(); ++lane) {
        refined.panels[panel].work += work[lane];
        if (--left == 0 && ++panel < refined.panels.size()) left = refined.panels[panel].fine ? 7 : 3;
      }
    }
    for (const PathPanel& part : refined.panels) total += part.work;
    return total;
  }

  /// Energies where panels meet, four at a time.
  static void gains_along(const Kernel& kernel, const Doubles* p, const Path& path, double start, double end,
                          RefinedPath& refined) {
    double before = start;
    const std::size_t count = refined.panels.size();
    for (std::size_t first = 0; first < count; first += lanes) {
      Doubles s(1.0);
      for (std::size_t lane = 0; lane < lanes && first + lane < count; ++lane)
        s.raw[lane] = refined.panels[first + lane].to;
      Vector3<Doubles> x[nodes];
      path.at(s, x);
      const Doubles energy = kernel.energy(p, x);
      for (std::size_t lane = 0; lane < lanes && first + lane < count; ++lane) {
        const double now = first + lane + 1 == count ? end : energy[static_cast<int>(lane)];
        refined.panels[first + lane].gain = now - before;
        before = now;
      }
    }
  }

  std::vector<Doubles> start_;  ///< per group: energy where the path begins [J]
  std::vector<Doubles> work_;   ///< of the mean force, without corrections, as last evaluated [J]
  std::vector<Doubles> c_;      ///< corrections
  std::vector<int> slots_;      ///< per element: its place in the list of its chunk; -1: three points do
  std::vector<RefinedPaths> chunks_;
};

}  // namespace brio
