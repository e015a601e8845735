#include <fmt/format.h>

#include <stdexcept>

#include "bench/bullet.h"
#include "bench/subject.h"
#include "bench/suite.h"
#include "brio/sim.h"
#include "core/timer.h"

namespace brio::bench {
namespace {

constexpr double rubber_poisson = 0.3;

struct Ride {
  double ms = 0;   ///< per frame
  double tip = 0;  ///< height of the far end's upper edge, in its middle [m]
  int iterations = 0;
};

/// The vertex at the far end that is highest, and of those the one nearest the middle plane.
int tip_of(const Mesh& mesh) {
  const auto key = [](const Vec3& p) { return std::array{-p[0], -p[1], std::abs(p[2])}; };
  int best = 0;
  for (std::size_t i = 1; i < mesh.vertices.size(); ++i)
    if (key(mesh.vertices[i]) < key(mesh.vertices[best])) best = static_cast<int>(i);
  return best;
}

Ride ride_ours(const Shape& shape, const std::string& material, int frames, int threads) {
  set_threads(threads);
  const auto s = bar(shape, material, rubber_poisson);
  const int tip = tip_of(s->mesh);
  Simulation simulation(
      std::move(s->model),
      {.integrator = "backward-euler", .h = frame, .options = {.solver = {.name = "newton", .tolerance = 1e-6}}});
  Ride ride;
  const Stopwatch watch;
  for (int k = 0; k < frames; ++k) ride.iterations += simulation.step().iterations;
  ride.ms = watch.milliseconds() / frames;
  ride.tip = simulation.state().x[tip][1];
  set_threads(0);
  return ride;
}

Ride ride_bullet(const Mesh& mesh, const std::vector<int>& held, int frames) {
  const auto bullet = make_bullet_bar(mesh, lame(5e5, rubber_poisson), 1000, held);
  Ride ride;
  const Stopwatch watch;
  for (int k = 0; k < frames; ++k) bullet->step(frame);
  ride.ms = watch.milliseconds() / frames;
  const int tip = tip_of(mesh);
  ride.tip = bullet->position(tip)[1];
  if (!(ride.tip < mesh.vertices[tip][1] - 1e-3)) throw std::logic_error("Bullet's bar does not fall");
  return ride;
}

void compare(const Shape& shape, double wanted, const Done& done) {
  const auto s = bar(shape, "stable-neo-hookean", rubber_poisson);
  std::vector<int> held;
  for (std::size_t i = 0; i < s->mesh.vertices.size(); ++i)
    if (s->model.pinned()[i] != 0) held.push_back(static_cast<int>(i));
  const bool installed = make_bullet_bar(s->mesh, lame(5e5, rubber_poisson), 1000, held) != nullptr;
  const int frames = s->model.vertices() > 20000 ? 5 : 30;  // Bullet takes seconds per frame there
  const Ride theirs = installed ? ride_bullet(s->mesh, held, frames) : Ride{};
  for (const int threads : thread_counts()) {
    const Ride ours = ride_ours(shape, "stable-neo-hookean", frames, threads);
    Row row{.name = "newton, backward Euler, frame",
            .size = s->size,
            .threads = threads,
            .baseline = installed ? "Bullet, neo-Hookean, float" : "Bullet is not installed: apt install libbullet-dev",
            .detail = fmt::format("{:.1f} iterations per frame; tip after {} frames: {:.4f} m",
                                  static_cast<double>(ours.iterations) / frames, frames, ours.tip),
            .ms = ours.ms,
            .baseline_ms = theirs.ms,
            .wanted = installed ? wanted : 0};
    if (installed) row.detail += fmt::format(", Bullet's {:.4f} m", theirs.tip);
    done(row);
  }
}

}  // namespace

void run_peers(bool quick, const Done& done) {
  compare({"bar", {17, 3, 3}}, 0, done);
  compare({"bar", {23, 9, 9}}, 5, done);
  if (quick) return;
  compare({"bar", {35, 11, 11}}, 5, done);
  compare({"bar", {70, 19, 19}}, 5, done);
}

}  // namespace brio::bench
