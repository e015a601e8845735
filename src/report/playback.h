/// The moving surfaces of a run, small enough for a page.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "brio/model.h"

namespace brio {

/// What the page draws of a body: triangles, else segments, else points.
struct DrawnBody {
  std::string name;
  std::string kind;
  std::vector<int> vertices;        ///< of the model
  std::vector<Triangle> triangles;  ///< over `vertices`
  std::vector<Segment> segments;    ///< likewise
};
std::vector<DrawnBody> drawn_bodies(const Model& model);

struct PlaybackLimits {
  std::size_t frames = 300;
  std::size_t bytes = 24'000'000;  ///< of positions before compression
};

/// Frames for the page, taken from a run while it goes on: at most as many as the limits allow, at equal strides.
class Recording {
 public:
  Recording(std::vector<DrawnBody> bodies, std::size_t frames, const PlaybackLimits& limits = {});

  /// Of all frames in their order, from 0 on; those that are not shown are passed over.
  void add(const State& state);

  const std::vector<DrawnBody>& bodies() const { return bodies_; }
  const std::vector<std::size_t>& frames() const { return frames_; }  ///< recorded
  const std::vector<double>& times() const { return times_; }         ///< of those [s]
  const std::vector<float>& positions(std::size_t i) const {
    return positions_[i];
  }  ///< of body i: frame, vertex, axis

  /// "Every 4th of 1200 frames is shown."
  std::string note() const;

 private:
  std::vector<DrawnBody> bodies_;
  std::vector<std::size_t> wanted_;
  std::size_t seen_ = 0;
  std::vector<std::size_t> frames_;
  std::vector<double> times_;
  std::vector<std::vector<float>> positions_;
};

/// Positions in 16 bits over the box that holds them: an error of at most (high - low) / 131070 per axis.
struct QuantisedBody {
  std::array<double, 3> low{}, high{};  ///< [m]
  std::vector<std::uint16_t> values;    ///< frame, vertex, axis
};

/// Positions further than `limit` from `centre` along an axis are clamped to it: a body that flies apart must not blur
/// the frames before.
QuantisedBody quantise(const std::vector<float>& positions, const Vec3& centre, double limit);

/// Each frame as its difference to the one before, all low bytes before all high ones: what compresses well.
std::string delta_bytes(const std::vector<std::uint16_t>& values, std::size_t per_frame);

/// One run for the page, under a label and with a note on what became of it.
nlohmann::ordered_json playback_json(const Recording& recording, const std::string& label, const std::string& note);

}  // namespace brio
