/// Phase space of systems with one degree of freedom: where a vertex is against how fast it moves, from the frames of
/// runs. Closed curves tell that energy is kept; spirals inwards that it is lost, outwards that it is gained.
#pragma once

#include <filesystem>

#include "report/chart.h"

namespace brio {

struct PhaseChoice {
  std::string coordinate = "x";    ///< "x", "y" or "z" [m], or "angle" [rad]
  std::string about = "z";         ///< axis that the angle turns around, by the right hand
  std::vector<double> pivot{0.0};  ///< of the angle: one number is a vertex, three are a point [m]
  std::optional<long> vertex{};    ///< of the model; else its last
};

struct NamedFrames {
  std::string name;            ///< of the curve
  std::filesystem::path file;  ///< frames.bin
};

/// One curve per run. Angles count from straight down, around the y axis from the x axis, and go on beyond half a turn.
/// Throws InputError where there is no such vertex, frame or angle.
Chart phase_chart(const std::vector<NamedFrames>& runs, const PhaseChoice& choice);

}  // namespace brio
