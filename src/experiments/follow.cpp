#include "experiments/follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/cancellation.h"
#include "experiments/put_down.h"
#include "report/playback.h"

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

}  // namespace

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

Track follow(const Trial& trial, Simulation& simulation, const Plan& plan, Outcome& outcome, const Scenery& scenery) {
  Track track{.label = plan.label.empty() ? simulation.method().name : plan.label,
              .integrator = simulation.method().name,
              .h = simulation.h(),
              .planned = plan.frames,
              .growth = plan.growth};
  const bool shown = trial.motion && plan.shown && !scenery.surfaces.empty();
  std::optional<Camera> camera;
  if (shown) camera.emplace(scenery, plan.frames);
  Recording* const motion = camera ? &camera->recording() : nullptr;
  PutDown put_down(trial.folder, simulation, plan);
  const long taken_up = put_down.take_up(simulation, track, motion);
  const double before = track.seconds;
  const std::clock_t start = std::clock();
  const auto seconds = [&] { return before + static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; };
  double most_put_in = 0;
  for (long frame = std::max<long>(taken_up, 0);; ++frame) {
    if (frame != taken_up) {
      track.rows.push_back(simulation.ledger());
      if (plan.positions) track.positions.push_back(simulation.state().x);
      if (camera) camera->look(simulation, frame);
      if (plan.watch) plan.watch(simulation, frame);
      track.seconds = seconds();
      put_down.frame(simulation, track, motion);
    }
    if (frame == plan.frames) break;
    const LedgerRow& first = track.rows.front();
    const LedgerRow& row = track.rows.back();
    const double given = std::abs(row.gravity - first.gravity) + std::abs(row.user_work);
    most_put_in = std::max(most_put_in, given + in_play(first, first));
    if (in_play(row, first) > plan.give_up * most_put_in && most_put_in > 0) {
      track.ended = frame;
      track.message = fmt::format("its energy was {:.0e} times what it began with", in_play(row, first) / most_put_in);
      break;
    }
    interruption_point();
    const StepReport report = simulation.step(std::max(1, plan.steps_per_frame));
    if (report.status == StepReport::Status::canceled) interruption_point();
    if (!report.ok()) {
      track.ended = frame + 1;
      track.message = report.message;
      break;
    }
  }
  track.seconds = seconds();
  put_down.done();
  track.end = simulation.state();
  if (camera) {
    const auto exploded = track.exploded();
    outcome.motions.push_back(camera->text(
        track.label, exploded ? fmt::format("exploded at frame {}", *exploded) : std::string("came to the end")));
  }
  return track;
}

Track follow(const Trial& trial, const Plan& plan, Outcome& outcome) {
  Scene scene = paper_scene(plan.scene, plan.changes);
  SimulationOptions options = scene.options;
  const std::string name = trial.integrator(plan.integrator.empty() ? options.integrator : plan.integrator);
  if (find_integrator(name).options != find_integrator(options.integrator).options)
    options.options = {.solver = options.options.solver};
  options.integrator = name;
  if (plan.alter) plan.alter(options);
  scene.simulation.use(options);
  Plan whole = plan;
  if (whole.frames == 0) whole.frames = scene.frames;
  if (whole.steps_per_frame == 0) whole.steps_per_frame = scene.steps_per_frame;
  if (whole.label.empty()) whole.label = plan.integrator.empty() ? options.integrator : plan.integrator;
  return follow(trial, scene.simulation, whole, outcome, scene.scenery);
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
