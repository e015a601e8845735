#include "experiments/follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/cancellation.h"
#include "experiments/put_down.h"
#include "integrators/options.h"
#include "report/playback.h"
#include "solvers/options.h"

namespace brio {
namespace {

constexpr std::size_t shown_frames = 150;  // in a page that holds several runs

/// The motion as it goes by: fewer frames from the start, since the last is not known to come.
class Camera {
 public:
  Camera(const Scenery& scenery, long frames) : stride_(std::max<long>(1, (frames + 149) / long(shown_frames))) {
    recording_.scenery = scenery;
    recording_.positions.resize(scenery.surfaces.size());
  }

  void look(const Simulation& simulation, long frame) {
    recording_.total = frame + 1;
    if (frame % stride_ != 0) return;
    recording_.frames.push_back(frame);
    recording_.times.push_back(simulation.state().time);
    for (std::size_t i = 0; i < recording_.scenery.surfaces.size(); ++i) {
      const Surface& surface = recording_.scenery.surfaces[i];
      for (const int v : surface.vertices)
        for (const double c : Vec3(simulation.state().x[surface.first_vertex + static_cast<std::size_t>(v)]))
          recording_.positions[i].push_back(static_cast<float>(c));
    }
  }

  Recording& recording() { return recording_; }

  std::string text(const std::string& label, const std::string& note) const {
    return playback_json(recording_, label, note).dump();
  }

 private:
  Recording recording_;
  long stride_;
};

/// What may become of energy: the sum of what there is of each kind, so that it has a scale with gravity too.
double in_play(const LedgerRow& row, const LedgerRow& first) {
  return row.kinetic + row.elastic + std::abs(row.gravity - first.gravity);
}

double processor_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// What becomes of the energy is clear: it is far more than all that was put in until now could account for.
bool given_up(const Plan& plan, Track& track) {
  const LedgerRow& first = track.rows.front();
  double most_put_in = 0;
  for (const LedgerRow& row : track.rows)
    most_put_in = std::max(most_put_in, std::abs(row.gravity - first.gravity) + std::abs(row.user_work));
  most_put_in += in_play(first, first);
  const double now = in_play(track.rows.back(), first);
  if (!(now > plan.give_up * most_put_in && most_put_in > 0)) return false;
  track.message = fmt::format("its energy was {:.0e} times what it began with", now / most_put_in);
  return true;
}

/// Frame after frame, the initial state first; `taken_up`: the frame that the track ends with already, -1: none.
void run(Simulation& simulation, const Plan& plan, long taken_up, Track& track, Camera* camera, PutDown& put_down) {
  Recording* const motion = camera != nullptr ? &camera->recording() : nullptr;
  const double before = track.seconds, start = processor_ms();
  double frame_ms = 0;
  for (long frame = std::max<long>(taken_up, 0); !track.ended; ++frame) {
    if (frame != taken_up) {
      track.rows.push_back(simulation.ledger());
      track.frame_ms.push_back(frame_ms);
      if (plan.positions) track.positions.push_back(simulation.state().x);
      if (plan.watch) track.watched.push_back(plan.watch(simulation));
      if (camera != nullptr) camera->look(simulation, frame);
      track.seconds = before + 1e-3 * (processor_ms() - start);
      put_down.frame(simulation, track, motion);
    }
    if (frame == plan.frames) break;
    if (given_up(plan, track)) {
      track.ended = frame;
      break;
    }
    interruption_point();
    const double step_start = processor_ms();
    const StepReport report = simulation.step(std::max(1, plan.steps_per_frame));
    frame_ms = processor_ms() - step_start;
    if (report.status == StepReport::Status::canceled) interruption_point();
    if (report.ok()) continue;
    track.ended = frame + 1;
    track.message = report.message;
  }
  track.seconds = before + 1e-3 * (processor_ms() - start);
}

}  // namespace

std::string run_text(const Scene& scene, const SimulationOptions& options, const Plan& plan) {
  std::string text =
      fmt::format("{:016x} {} {:a} {} {} {} {} {} {}", scene.digest, options.integrator, options.h, plan.frames,
                  plan.steps_per_frame, plan.label, plan.give_up, plan.positions, static_cast<bool>(plan.watch));
  for (const auto& field : integrator_fields().fields())
    text += fmt::format(" {}={}", field.info.key, to_text(field.get(options.options)));
  for (const auto& field : solver_fields().fields())
    text += fmt::format(" solver.{}={}", field.info.key, to_text(field.get(options.options.solver)));
  return text;
}

std::optional<long> Track::exploded() const {
  double scale = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double energy = in_play(rows[i], rows.front());
    if (i == 0) scale = energy;
    // What falls has no energy at first: what gravity and hands gave counts as its own.
    const double given = std::abs(rows[i].gravity - rows.front().gravity) + std::abs(rows[i].user_work);
    if (!(energy - given <= growth * (scale + given))) return static_cast<long>(i);
  }
  return ended;
}

Track follow(const Trial& trial, const Plan& plan, Outcome& outcome) {
  Scene scene = paper_scene(plan.scene, plan.changes);
  Plan whole = plan;
  if (whole.frames == 0) whole.frames = scene.frames;
  if (whole.steps_per_frame == 0) whole.steps_per_frame = scene.steps_per_frame;
  SimulationOptions options = scene.options;
  const std::string name = trial.integrator(plan.integrator.empty() ? options.integrator : plan.integrator);
  if (find_integrator(name).options != find_integrator(options.integrator).options)
    options.options = {.solver = options.options.solver};
  options.integrator = name;
  if (plan.alter) plan.alter(options);
  if (whole.label.empty()) whole.label = plan.integrator.empty() ? options.integrator : plan.integrator;
  scene.simulation.use(options);

  Track track{.label = whole.label,
              .integrator = options.integrator,
              .h = options.h,
              .planned = whole.frames,
              .growth = whole.growth};
  const bool shown = trial.motion && plan.shown && !scene.scenery.surfaces.empty();
  std::optional<Camera> camera;
  if (shown) camera.emplace(scene.scenery, whole.frames);
  Recording* const motion = camera ? &camera->recording() : nullptr;
  PutDown put_down(trial.folder, run_text(scene, options, whole));
  const long taken_up = put_down.take_up(scene.simulation, track, motion);
  run(scene.simulation, whole, taken_up, track, camera ? &*camera : nullptr, put_down);
  put_down.end(scene.simulation, track, motion);
  track.end = scene.simulation.state();
  if (camera) {
    const auto exploded = track.exploded();
    outcome.motions.push_back(
        camera->text(track.label, exploded ? fmt::format("exploded at frame {}", *exploded) : std::string()));
  }
  return track;
}

Series over_frames(const std::string& name, const std::vector<double>& values) {
  Series series{.name = name, .x = {}, .y = values};
  for (std::size_t i = 0; i < values.size(); ++i) series.x.push_back(static_cast<double>(i));
  return series;
}

Chart frame_chart(const std::string& title, const std::string& y_label, const std::vector<const Track*>& tracks,
                  const OfRow& value, bool log) {
  Chart chart{.title = title, .x_label = "frame", .y_label = y_label, .log = log};
  for (const Track* track : tracks) {
    Series series{.name = track->label, .x = {}, .y = {}};
    for (std::size_t i = 0; i < track->rows.size(); ++i) {
      series.x.push_back(static_cast<double>(i));
      series.y.push_back(value(track->rows[i]));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace brio
