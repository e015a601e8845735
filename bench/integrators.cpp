#include <fmt/format.h>

#include "bench/machine.h"
#include "bench/subject.h"
#include "bench/suite.h"
#include "brio/sim.h"

namespace brio::bench {
namespace {

/// Frames of a method from the subject's state: the least time of several runs, and what went into it.
struct Frames {
  double ms = 0;  ///< per frame
  int iterations = 0;
  SolveTimes times{};

  double ms_per_iteration(int frames) const { return ms * frames / iterations; }
};

Frames run_frames(const Subject& s, const std::string& method, const SolverOptions& solver, int count, int threads) {
  const IntegratorOptions options{.solver = solver};
  const auto integrator = make_integrator(find_integrator(method), options, s.model);
  Frames frames;
  const double all = least_ms(threads, [&] {
    frames = {};
    State state = s.state();
    for (int k = 0; k < count; ++k) {
      const StepReport report = integrator->step(s.model, state, frame);
      frames.iterations += report.iterations;
      frames.times += report.times;
    }
  });
  frames.ms = all / count;
  return frames;
}

/// One iteration of Newton's method each: avf evaluates energies at more than one point of the step.
void compare_avf(const Shape& shape, const std::string& material, const Done& done) {
  constexpr int count = 5;
  const auto s = bar(shape, material, 0.3);
  const SolverOptions newton{.tolerance = 1e-8};
  for (const int threads : thread_counts()) {
    const Frames avf = run_frames(*s, "avf", newton, count, threads);
    const Frames euler = run_frames(*s, "backward-euler", newton, count, threads);
    done({.name = "avf, Newton iteration, " + material,
          .size = s->size,
          .threads = threads,
          .baseline = "backward Euler, Newton iteration",
          .detail = fmt::format("{} frames: {} iterations, {:.2f} ms each (baseline {}, {:.2f} ms)", count,
                                avf.iterations, avf.ms, euler.iterations, euler.ms),
          .ms = avf.ms_per_iteration(count),
          .baseline_ms = euler.ms_per_iteration(count),
          .wanted = 1 / 1.2});
  }
}

void compare_stabilized(const Shape& shape, const Done& done) {
  constexpr int count = 10;
  const auto s = bar(shape, "corotated", 0);
  const SolverOptions solver{.name = "local-global", .tolerance = 1e-14, .iterations = 10};
  for (const int threads : thread_counts()) {
    const Frames stabilized = run_frames(*s, "stabilized", solver, count, threads);
    const Frames midpoint = run_frames(*s, "implicit-midpoint", solver, count, threads);
    done({.name = "stabilized, frame, local-global",
          .size = s->size,
          .threads = threads,
          .baseline = "implicit midpoint, frame, local-global",
          .detail = fmt::format("{:.1f} iterations per frame; the energy search takes {:.1f} % of it",
                                static_cast<double>(stabilized.iterations) / count,
                                100 * stabilized.times.blend / (stabilized.ms * count)),
          .ms = stabilized.ms,
          .baseline_ms = midpoint.ms,
          .wanted = 1 / 1.3});
  }
}

/// Per tetrahedron its vertices, shape gradients and volume; per vertex position, velocity, force and mass.
void compare_explicit(const Shape& shape, const std::string& material, const Done& done) {
  const auto s = bar(shape, material, 0.3);
  const double bytes = s->elements * (4 * sizeof(int) + 10 * sizeof(double)) +
                       static_cast<double>(s->model.vertices()) * (3 * 4 + 1) * sizeof(double);
  for (const int threads : thread_counts()) {
    const auto integrator = make_integrator(find_integrator("symplectic-euler"), {}, s->model);
    State state = s->state();
    const double ms = least_ms(threads, [&] { integrator->step(s->model, state, 1e-6); });
    done({.name = "symplectic Euler, step, " + material,
          .size = s->size,
          .threads = threads,
          .elements = s->elements,
          .baseline = "reading the mesh once",
          .detail = fmt::format("{:.1f} MB are read", bytes / 1e6),
          .ms = ms,
          .baseline_ms = reading_ms(static_cast<std::size_t>(bytes), 1, threads),
          .wanted = 0.5,
          .bytes = bytes});
  }
}

}  // namespace

void run_integrators(bool quick, const Done& done) {
  const Shape medium{"bar", {22, 8, 8}};
  const Shape large{"bar", {70, 19, 19}};
  for (const char* material : {"stvk", "stable-neo-hookean"}) compare_avf(medium, material, done);
  compare_stabilized(medium, done);
  if (!quick) compare_avf(large, "stvk", done);
  if (!quick) compare_stabilized(large, done);
  for (const char* material : {"stvk", "stable-neo-hookean", "corotated"})
    compare_explicit(quick ? medium : large, material, done);
}

}  // namespace brio::bench
