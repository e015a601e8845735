/// The moving surfaces of a run, small enough for a page.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "record/surfaces.h"

namespace brio {

struct PlaybackLimits {
  std::size_t frames = 300;
  std::size_t bytes = 24'000'000;  ///< of positions before compression
};

/// The frames that a page shows.
struct Recording {
  Scenery scenery{};
  long total = 0;                               ///< frames of the run
  std::vector<long> frames{};                   ///< shown, of those
  std::vector<double> times{};                  ///< of those shown [s]
  std::vector<std::vector<float>> positions{};  ///< per surface: frame, vertex, axis [m]

  /// "300 of 1200 frames are shown, to keep this page small."
  std::string note() const;
};

/// Reads no more than what is shown: frames at equal strides of `planned`, so that runs of one plan show the same ones
/// even if some of them ended early; 0: of those that there are. Damaged ones throw InputError.
Recording read_recording(const FrameCache& frames, Scenery scenery, const PlaybackLimits& limits = {},
                         long planned = 0);

/// Positions in 16 bits over the box that holds them: an error of at most (high - low) / 131070 per axis.
struct QuantizedBody {
  std::array<double, 3> low{}, high{};  ///< [m]
  std::vector<std::uint16_t> values;    ///< frame, vertex, axis
};

/// Positions further than `limit` from `center` along an axis are clamped to it: a body that flies apart must not blur
/// the frames before.
QuantizedBody quantize(const std::vector<float>& positions, const Vec3& center, double limit);

/// Each frame as its difference to the one before, all low bytes before all high ones: what compresses well.
std::string delta_bytes(const std::vector<std::uint16_t>& values, std::size_t per_frame);

/// One run for the page, under a label and with a note on what became of it.
nlohmann::ordered_json playback_json(const Recording& recording, const std::string& label, const std::string& note);

}  // namespace brio
