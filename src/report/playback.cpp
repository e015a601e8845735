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

/// Vertices that no cell uses are not drawn, unless there are no cells at all.
DrawnBody drawn_body(const Body& body) {
  DrawnBody out{.name = body.name, .kind = body.kind, .vertices = {}, .triangles = {}, .segments = {}};
  out.triangles = body.mesh.tets.empty() ? body.mesh.triangles : surface(body.mesh);
  if (out.triangles.empty()) out.segments = body.mesh.segments;
  const bool points = out.triangles.empty() && out.segments.empty();
  std::vector<int> place(body.mesh.vertices.size(), -1);
  const auto use = [&](int vertex) {
    if (place[vertex] < 0) {
      place[vertex] = static_cast<int>(out.vertices.size());
      out.vertices.push_back(body.first_vertex + vertex);
    }
    return place[vertex];
  };
  for (Triangle& t : out.triangles) t = {use(t[0]), use(t[1]), use(t[2])};
  for (Segment& s : out.segments) s = {use(s[0]), use(s[1])};
  for (int v = 0; points && v < static_cast<int>(place.size()); ++v) use(v);
  return out;
}

struct Extent {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void add(const float* xyz) {
    const Vec3 point(xyz[0], xyz[1], xyz[2]);
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
};

Json list(const Vec3& v) { return {v[0], v[1], v[2]}; }

}  // namespace

std::vector<DrawnBody> drawn_bodies(const Model& model) {
  std::vector<DrawnBody> bodies;
  for (const Body& body : model.bodies()) bodies.push_back(drawn_body(body));
  return bodies;
}

Recording::Recording(std::vector<DrawnBody> bodies, std::size_t frames, const PlaybackLimits& limits)
    : bodies_(std::move(bodies)), positions_(bodies_.size()) {
  std::size_t vertices = 1;
  for (const DrawnBody& body : bodies_) vertices += body.vertices.size();
  wanted_ = thinned(frames, std::min(limits.frames, limits.bytes / (6 * vertices)));
}

void Recording::add(const State& state) {
  const std::size_t frame = seen_++;
  if (frames_.size() == wanted_.size() || wanted_[frames_.size()] != frame) return;
  frames_.push_back(frame);
  times_.push_back(state.time);
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    for (const int v : bodies_[i].vertices)
      for (int axis = 0; axis < 3; ++axis) positions_[i].push_back(static_cast<float>(state.x.row(v)[axis]));
}

std::string Recording::note() const {
  if (frames_.size() == seen_) return fmt::format("All {} frames are shown.", seen_);
  return fmt::format("{} of {} frames are shown, to keep this page small.", frames_.size(), seen_);
}

QuantisedBody quantise(const std::vector<float>& positions, const Vec3& centre, double limit) {
  const auto clamped = [&](std::size_t i) {
    const auto axis = static_cast<Eigen::Index>(i % 3);
    return std::clamp<double>(positions[i], centre[axis] - limit, centre[axis] + limit);
  };
  QuantisedBody out;
  out.low.fill(std::numeric_limits<double>::infinity());
  out.high.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    out.low[i % 3] = std::min(out.low[i % 3], clamped(i));
    out.high[i % 3] = std::max(out.high[i % 3], clamped(i));
  }
  out.values.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double extent = out.high[i % 3] - out.low[i % 3];
    const double share = extent > 0 ? (clamped(i) - out.low[i % 3]) / extent : 0;
    out.values[i] = static_cast<std::uint16_t>(std::lround(65535 * share));
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
  Extent first;
  Extent all;
  for (std::size_t b = 0; b < recording.bodies().size(); ++b) {
    const std::vector<float>& positions = recording.positions(b);
    for (std::size_t i = 0; i < positions.size(); i += 3) {
      all.add(&positions[i]);
      if (i < 3 * recording.bodies()[b].vertices.size()) first.add(&positions[i]);
    }
  }
  const Vec3 centre = (first.low + first.high) / 2;
  const double size = std::max((first.high - first.low).norm(), 1e-3);  // a single point has none
  constexpr double far = 30;                                            // in sizes of the scene
  constexpr double in_view = 3;                                         // what leaves this box leaves the picture
  const Vec3 reach = Vec3::Constant(in_view * size);
  Json object{{"label", label}, {"note", note}, {"frames", recording.frames()}, {"times", recording.times()}};
  object["view"] = {list(all.low.cwiseMax(centre - reach)), list(all.high.cwiseMin(centre + reach))};
  for (std::size_t b = 0; b < recording.bodies().size(); ++b) {
    const DrawnBody& body = recording.bodies()[b];
    const QuantisedBody quantised = quantise(recording.positions(b), centre, far * size);
    object["bodies"].push_back({{"name", body.name},
                                {"kind", body.kind},
                                {"vertices", body.vertices.size()},
                                {"low", quantised.low},
                                {"high", quantised.high},
                                {"triangles", packed(index_bytes(body.triangles))},
                                {"segments", packed(index_bytes(body.segments))},
                                {"positions", packed(delta_bytes(quantised.values, 3 * body.vertices.size()))}});
  }
  return object;
}

}  // namespace brio
