#include "brio/integrators.h"

#include <fmt/format.h>

#include <limits>

#include "bench/machine.h"
#include "bench/subject.h"
#include "bench/suite.h"
#include "core/timer.h"

namespace brio::bench {
namespace {

/// Some frames of a method from the subject's state.
struct Frames {
  double ms = std::numeric_limits<double>::infinity();  ///< of all
  int iterations = 0;
  SolveTimes times{};

  double ms_per_iteration() const { return ms / iterations; }
};

class Runner {
 public:
  Runner(const Subject& s, const std::string& method, const SolverOptions& solver, int count)
      : subject_(s), integrator_(make_integrator(find_integrator(method), {.solver = solver}, s.model)), count_(count) {
    run();  // factors and workspaces are there from now on
    best_ = {};
  }

  void run() {
    Frames frames;
    State state = subject_.state();
    const Stopwatch watch;
    for (int k = 0; k < count_; ++k) {
      const StepReport report = integrator_->step(subject_.model, state, frame);
      frames.iterations += report.iterations;
      frames.times += report.times;
    }
    frames.ms = watch.milliseconds();
    if (frames.ms < best_.ms) best_ = frames;
  }
  const Frames& best() const { return best_; }

 private:
  const Subject& subject_;
  std::unique_ptr<Integrator> integrator_;
  int count_;
  Frames best_;
};

/// Ratios near one need turns: what slows one down for a while then slows the other as well.
void take_turns(Runner& a, Runner& b) {
  for (int round = 0; round < 5; ++round) {
    a.run();
    b.run();
  }
}

/// One iteration of Newton's method each: avf evaluates energies at more than one point of the step.
void compare_avf(const Shape& shape, const std::string& material, const Done& done) {
  constexpr int count = 5;
  const auto s = bar(shape, material, 0.3);
  const SolverOptions newton{.tolerance = 1e-8};
  for (const int threads : thread_counts()) {
    set_threads(threads);
    Runner ours(*s, "avf", newton, count);
    Runner baseline(*s, "backward-euler", newton, count);
    take_turns(ours, baseline);
    const Frames& avf = ours.best();
    const Frames& euler = baseline.best();
    done({.name = "avf, Newton iteration, " + material,
          .size = s->size,
          .threads = threads,
          .baseline = "backward Euler, Newton iteration",
          .detail = fmt::format("{} frames: {} iterations, {:.2f} ms each (baseline {}, {:.2f} ms)", count,
                                avf.iterations, avf.ms / count, euler.iterations, euler.ms / count),
          .ms = avf.ms_per_iteration(),
          .baseline_ms = euler.ms_per_iteration(),
          .wanted = 1 / 1.2});
  }
}

void compare_stabilized(const Shape& shape, const Done& done) {
  constexpr int count = 10;
  const auto s = bar(shape, "corotated", 0);
  const SolverOptions solver{.name = "local-global", .tolerance = 1e-14, .iterations = 10};
  for (const int threads : thread_counts()) {
    set_threads(threads);
    Runner ours(*s, "stabilized", solver, count);
    Runner baseline(*s, "implicit-midpoint", solver, count);
    take_turns(ours, baseline);
    const Frames& stabilized = ours.best();
    done({.name = "stabilized, frame, local-global",
          .size = s->size,
          .threads = threads,
          .baseline = "implicit midpoint, frame, local-global",
          .detail = fmt::format("{:.1f} iterations per frame; the energy search takes {:.1f} % of it",
                                static_cast<double>(stabilized.iterations) / count,
                                100 * stabilized.times.blend / stabilized.ms),
          .ms = stabilized.ms / count,
          .baseline_ms = baseline.best().ms / count,
          .wanted = 1 / 1.3});
  }
}

/// Per tetrahedron its vertices, shape gradients and volume; per vertex position, velocity, force and mass.
void compare_explicit(const Shape& shape, const std::string& material, double wanted, const Done& done) {
  const auto s = bar(shape, material, 0.3);
  const double bytes = s->elements * (4 * sizeof(int) + 10 * sizeof(double)) +
                       static_cast<double>(s->model.vertices()) * (3 * 4 + 1) * sizeof(double);
  for (const int threads : thread_counts()) {
    const auto integrator = make_integrator(find_integrator("symplectic-euler"), {}, s->model);
    State state = s->state();
    const double ms = min_ms(threads, [&] { integrator->step(s->model, state, 1e-6); });
    done({.name = "symplectic Euler, step, " + material,
          .size = s->size,
          .threads = threads,
          .elements = s->elements,
          .baseline = "reading the mesh once",
          .detail = fmt::format("{:.1f} MB are read", bytes / 1e6),
          .ms = ms,
          .baseline_ms = reading_ms(static_cast<std::size_t>(bytes), 1, threads),
          .wanted = wanted,
          .bytes = bytes});
  }
}

}  // namespace

void run_integrators(bool quick, const Done& done) {
  const Shape medium{"bar", {22, 8, 8}};
  const Shape large{"bar", {70, 19, 19}};
  const Shape beyond_caches{"bar", {160, 40, 40}};
  for (const char* material : {"stvk", "stable-neo-hookean"}) compare_avf(medium, material, done);
  compare_stabilized(medium, done);
  if (!quick) compare_avf(large, "stvk", done);
  if (!quick) compare_stabilized(large, done);
  const std::array materials{"stvk", "stable-neo-hookean", "corotated"};
  for (const char* material : materials) compare_explicit(large, material, 0, done);
  if (!quick)  // the target is about reading from memory
    for (const char* material : materials) compare_explicit(beyond_caches, material, 0.5, done);
}

}  // namespace brio::bench
