#include "report/playback.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/chart.h"
#include "report/pack.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

template <std::size_t N>
std::string index_bytes(const std::vector<std::array<int, N>>& cells) {
  return {reinterpret_cast<const char*>(cells.data()), cells.size() * sizeof(std::array<int, N>)};
}

/// Grows with what is added.
struct Bounds {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void add(const float* xyz) {
    const Vec3 point(xyz[0], xyz[1], xyz[2]);
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
};

Json list(const Vec3& v) { return {v[0], v[1], v[2]}; }

/// Where an obstacle is, row by row: rotation and translation.
Json pose_json(const Pose& pose) {
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) rows.push_back(pose.rotation(i, j));
    rows.push_back(pose.translation[i]);
  }
  return rows;
}

/// One pose, or as many as there are times if it moves; one shape, or as many if it deforms.
Json obstacle_json(const Obstacle& obstacle, const std::vector<double>& times) {
  std::vector<float> xyz;
  int shapes = 0;
  Json poses = Json::array();
  for (const double time : times) {
    if (poses.empty() || !obstacle.motion.empty()) poses.push_back(pose_json(obstacle.at(time)));
    if (shapes > 0 && obstacle.samples.empty()) continue;
    ++shapes;
    for (const Vec3& p : obstacle.vertices_at(time))
      for (const double coordinate : p) xyz.push_back(static_cast<float>(coordinate));
  }
  return {{"name", obstacle.name},
          {"endless", obstacle.endless},
          {"shapes", shapes},
          {"vertices", packed({reinterpret_cast<const char*>(xyz.data()), xyz.size() * sizeof(float)})},
          {"triangles", packed(index_bytes(obstacle.triangles))},
          {"poses", poses}};
}

}  // namespace

std::string Recording::note() const {
  const auto shown = static_cast<long>(frames.size());
  if (shown == total) return fmt::format("All {} frames are shown.", total);
  return fmt::format("{} of {} frames are shown, to keep this page small.", shown, total);
}

Recording read_recording(const FrameCache& frames, Scenery scenery, const PlaybackLimits& limits, long planned) {
  Recording recording{.scenery = std::move(scenery), .total = frames.frames()};
  std::size_t vertices = 1;
  for (const Surface& surface : recording.scenery.surfaces) {
    vertices += surface.size();
    for (const int v : surface.vertices)
      if (surface.first_vertex + static_cast<std::size_t>(v) >= frames.info().vertices)
        throw InputError({.file = frames.path().string(),
                          .byte = 0,
                          .problem = fmt::format("has {} vertices, fewer than the scene", frames.info().vertices),
                          .advice = "run the scene again"});
  }
  const auto plan = static_cast<std::size_t>(planned > 0 ? planned : frames.frames());
  for (const std::size_t k : thinned(plan, std::min(limits.frames, limits.bytes / (6 * vertices))))
    recording.frames.push_back(std::min(static_cast<long>(k), frames.frames() - 1));
  std::vector<long>& shown = recording.frames;
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());  // where the run ended before its plan
  recording.positions.resize(recording.scenery.surfaces.size());
  Frame frame;
  for (const long k : recording.frames) {
    frames.read(k, frame);
    recording.times.push_back(frames.time(k));
    for (std::size_t i = 0; i < recording.scenery.surfaces.size(); ++i) {
      const Surface& surface = recording.scenery.surfaces[i];
      for (const int v : surface.vertices) {
        const float* place = frame.x.data() + 3 * (surface.first_vertex + static_cast<std::size_t>(v));
        recording.positions[i].insert(recording.positions[i].end(), place, place + 3);
      }
    }
  }
  return recording;
}

QuantizedBody quantize(const std::vector<float>& positions, const Vec3& center, double limit) {
  const auto clamped = [&](std::size_t i) {
    const auto axis = static_cast<Eigen::Index>(i % 3);
    return std::clamp<double>(positions[i], center[axis] - limit, center[axis] + limit);
  };
  QuantizedBody out;
  out.low.fill(std::numeric_limits<double>::infinity());
  out.high.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    out.low[i % 3] = std::min(out.low[i % 3], clamped(i));
    out.high[i % 3] = std::max(out.high[i % 3], clamped(i));
  }
  out.values.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double extent = out.high[i % 3] - out.low[i % 3];
    const double fraction = extent > 0 ? (clamped(i) - out.low[i % 3]) / extent : 0;
    out.values[i] = static_cast<std::uint16_t>(std::lround(65535 * fraction));
  }
  return out;
}

std::string delta_bytes(const std::vector<std::uint16_t>& values, std::size_t per_frame) {
  std::string bytes(2 * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int difference = values[i] - (i >= per_frame ? values[i - per_frame] : 0);
    bytes[i] = static_cast<char>(difference & 0xFF);
    bytes[values.size() + i] = static_cast<char>((difference >> 8) & 0xFF);
  }
  return bytes;
}

Json playback_json(const Recording& recording, const std::string& label, const std::string& note) {
  Bounds first;
  Bounds all;
  for (std::size_t b = 0; b < recording.scenery.surfaces.size(); ++b) {
    const std::vector<float>& positions = recording.positions[b];
    for (std::size_t i = 0; i < positions.size(); i += 3) {
      all.add(&positions[i]);
      if (i < 3 * recording.scenery.surfaces[b].size()) first.add(&positions[i]);
    }
  }
  const Vec3 center = (first.low + first.high) / 2;
  const double size = std::max((first.high - first.low).norm(), 1e-3);  // a single point has none
  constexpr double far = 30;                                            // in sizes of the scene
  constexpr double in_view = 3;                                         // what leaves this box leaves the picture
  const Vec3 extent = Vec3::Constant(in_view * size);
  Json object{{"label", label}, {"note", note}, {"frames", recording.frames}, {"times", recording.times}};
  object["view"] = {list(all.low.cwiseMax(center - extent)), list(all.high.cwiseMin(center + extent))};
  for (std::size_t b = 0; b < recording.scenery.surfaces.size(); ++b) {
    const Surface& body = recording.scenery.surfaces[b];
    const QuantizedBody quantized = quantize(recording.positions[b], center, far * size);
    object["bodies"].push_back({{"name", body.name},
                                {"color", body.painted ? Json(body.color) : Json()},
                                {"kind", body.kind},
                                {"vertices", body.size()},
                                {"low", quantized.low},
                                {"high", quantized.high},
                                {"triangles", packed(index_bytes(body.triangles))},
                                {"segments", packed(index_bytes(body.segments))},
                                {"curve", body.curve},
                                {"radius", body.radius},
                                {"positions", packed(delta_bytes(quantized.values, 3 * body.size()))}});
  }
  object["obstacles"] = Json::array();
  for (const Obstacle& obstacle : recording.scenery.obstacles)
    object["obstacles"].push_back(obstacle_json(obstacle, recording.times));
  return object;
}

}  // namespace brio
